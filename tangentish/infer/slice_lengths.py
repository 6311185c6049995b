"""The lengths of slices, where they follow from the length of what is sliced: x[1:n - 1] of an x of length n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant
from tangentish.kinds import Kind, Num, is_number
from tangentish.kinds.lengths import (
    Dim,
    Length,
    Shape,
    is_longer_than_one,
    is_quotient,
    length_plus,
    place,
)
from tangentish.rules.rule import ABSENT


def slice_length(length: Length, part: Any, facts: Facts) -> Length:
    """The length of `x[lower:upper:step]`; where no formula holds for every length of x, what stands for it."""
    if not isinstance(part, gast.Slice):
        return None
    exact = _exact_length(length, part)
    if exact is not None or length is None:
        return exact
    bounds = [None if b is None else integer(b, facts) for b in (part.lower, part.upper, part.step)]
    return None if ABSENT in bounds else length_between(length, *bounds)


def place_in(loop: ir.For, facts: Facts) -> Dim | None:
    """What tells the places of a loop over range(start, stop), or with a step of 1 and more: where they lie."""
    if not isinstance(loop.target, gast.Name) or facts.function_of(loop.iter) is not range:
        return None
    match loop.iter.args:
        case [last]:
            first = constant(0)
        case [first, last]:
            pass
        case [first, last, gast.Constant(value=int(step))] if step > 0:
            pass
        case _:
            return None
    start, stop = integer(first, facts), integer(last, facts)
    site = Dim(("new", id(loop.target), 0))
    return None if ABSENT in (start, stop) else place(start, stop, site)


def shape_of(function: Any, bounds: Sequence[Kind], kind: Num) -> Shape | None:
    """The shape of what a function gives: np.arange(0, n, 2) is as long as x[::2] of an x of length n."""
    if function is not np.arange or kind.shape != (None,) or not 1 < len(bounds) < 4:
        return kind.shape
    start, stop, step = (*(b.value if isinstance(b, Num) else None for b in bounds), 1)[:3]
    match start, stop, step:
        case int(), Dim(_, 0), int() if start >= 0 and step > 0:
            return (length_between(stop, start, None, step),)
    return kind.shape


def length_between(length: int | Dim, lower: Any, upper: Any, step: Any) -> Length:
    """The length of a slice between bounds that are known, where the same slice in other words has the same length."""
    if not (step is None or (isinstance(step, int) and step > 0)):
        return Dim(("slice", length, lower, upper, step))
    lower, step = lower or None, None if step == 1 else step
    offset = _beyond(length, upper)
    if offset is not None and offset >= 0:
        upper = None
    window = _window(length, lower, upper) if step is None else None
    if window is not None:
        return window
    if step is None and isinstance(length, Dim):
        if isinstance(lower or 0, int) and (lower or 0) >= 0:
            if upper is None:
                return length_plus(length, -(lower or 0))
            if offset is not None and _is_never_beyond(length, offset, lower or 0):
                return Dim(length.symbol, length.offset + offset - (lower or 0))
        part = _part_of(length, lower, upper)
        if part is not None:
            return part
    return Dim(("slice", length, lower, upper, step))


def _beyond(length: Length, bound: Any) -> int | None:
    """How far beyond the end a bound is that is computed from the same length: -1 of n - 1."""
    match bound:
        case Dim(symbol, 0):
            offset = 0
        case ("Sub", Dim(symbol, 0), int(back)):
            offset = -back
        case ("Add", Dim(symbol, 0), int(offset)) | ("Add", int(offset), Dim(symbol, 0)):
            pass
        case _:
            return None
    return offset - length.offset if isinstance(length, Dim) and symbol == length.symbol else None


def _is_never_beyond(length: Dim, offset: int, lower: int) -> bool:
    """Whether an upper bound before the end, which counts from the end if it is negative, leaves nothing then."""
    two_at_least = is_longer_than_one(Dim(length.symbol))
    return -offset - 2 <= lower or (two_at_least and length.offset + offset >= -2)


def _part_of(length: Dim, lower: Any, upper: Any) -> Length:
    """The length h of x[h : 2 * h], of x[:h] and of any other part of k equal ones, where h is the length // k."""
    first, last = _multiple(lower), _multiple(upper)
    match last:
        case (times, Dim(("quotient", whole, int(parts))) as h) if (
            whole == length and times <= parts
        ):
            return h if first in ((times - 1, h), (times - 1, None)) else None
    return None


def _window(length: int | Dim, lower: Any, upper: Any) -> Length:
    """The length m of x[i : i + m], where i is a place of range(n - m + 1), and n the length of x."""
    whole, first, last = map(_as_sum, (length, 0 if lower is None else lower, upper))
    if whole is None or first is None or last is None:
        return None
    for symbol in first:
        match symbol:
            case ("place", start, stop, _) if first[symbol] == last.get(symbol) == 1:
                least, end, place = _as_sum(start), _as_sum(stop), {symbol: 1, None: 1}
                if least is None or end is None:
                    return None
                before = _plus(_plus(first, {symbol: 1}, -1), least)
                behind = _plus(_plus(_plus(whole, last, -1), place), end, -1)
                inside = _is_never_negative(before) and _is_never_negative(behind)
                return _as_length(_plus(last, first, -1)) if inside else None
    return None


Sum = dict[Any, int]
"""How often each symbol is added, and under None a number."""


def _as_sum(value: Any) -> Sum | None:
    """A number that is computed from lengths; None where more than sums, differences and multiples tell it."""
    match value:
        case int():
            return _plus({None: value}, {})
        case Dim(("less", one, other), offset):
            return _sum_of(one, other, -1, offset)
        case Dim(symbol, offset):
            return _plus({symbol: 1, None: offset}, {})
        case ("Add", one, other):
            return _sum_of(one, other)
        case ("Sub", one, other):
            return _sum_of(one, other, -1)
        case ("Mult", int(times), other) | ("Mult", other, int(times)):
            return _sum_of(0, other, times)
    return None


def _sum_of(one: Any, other: Any, times: int = 1, offset: int = 0) -> Sum | None:
    a, b = _as_sum(one), _as_sum(other)
    return None if a is None or b is None else _plus(_plus(a, b, times), {None: offset})


def _plus(a: Sum, b: Sum, times: int = 1) -> Sum:
    total = {symbol: a.get(symbol, 0) + times * b.get(symbol, 0) for symbol in (a | b)}
    return {symbol: count for symbol, count in total.items() if count}


def _is_never_negative(total: Sum) -> bool:
    return all(n > 0 and (s is None or _is_length(Dim(s))) for s, n in total.items())


def _is_length(number: Any) -> bool:
    """Whether a number is known to be that of elements, or a part of it."""
    match number:
        case Dim(("slice", *_)):
            return True
        case Dim(("quotient", whole, _)):
            return _is_length(whole)
    return is_longer_than_one(number)


def _as_length(total: Sum) -> Length:
    """The length that a sum is: a number, or a length and a number."""
    match [symbol for symbol in total if symbol is not None]:
        case _ if not _is_never_negative(total):
            return None
        case []:
            return total.get(None, 0)
        case [symbol] if total[symbol] == 1:
            return Dim(symbol, total.get(None, 0))
    return None


def _multiple(bound: Any) -> tuple[int, Dim | None] | None:
    """How many times which length a bound is."""
    match bound:
        case None:
            return 0, None
        case Dim():
            return 1, bound
        case ("Mult", int(times), Dim() as h) | ("Mult", Dim() as h, int(times)):
            return times, h
    return None


def integer(node: Any, facts: Facts) -> Any:
    """What tells equal integers: a number, or what they are computed from; ABSENT where that is not known.

    A length with an offset is cut off at zero, which the integer of that name is not.
    """
    literal = literal_of(node)
    if type(literal) is int:
        return literal
    kind = facts.kinds.get(node)
    value = kind.value if is_number(kind) else None
    if isinstance(value, Dim) and is_quotient(value):
        return value
    if isinstance(node, gast.BinOp) and isinstance(
        node.op, (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv)
    ):
        sides = (integer(node.left, facts), integer(node.right, facts))
        return ABSENT if ABSENT in sides else (type(node.op).__name__, *sides)
    if not isinstance(value, Dim) or value.offset == 0:
        return ABSENT if value is None else value
    exact = value.offset > 0 or _is_never_beyond(value, 0, value.offset)
    return ("Add", Dim(value.symbol), value.offset) if exact else ABSENT


def _exact_length(length: Length, part: gast.Slice) -> Length:
    """The length of a slice, where it can be told for every length of x."""
    bounds = [_bound(part.lower, None), _bound(part.upper, None), _bound(part.step, None)]
    lower, upper, step = bounds[0] or 0, bounds[1], 1 if bounds[2] is None else bounds[2]
    if part.lower is None and part.upper is None and step in (1, -1):
        return length
    if isinstance(length, int) and ABSENT not in bounds:
        return len(range(length)[slice(*bounds)])
    if step != 1 or not isinstance(lower, int) or lower < 0:
        return None
    if part.upper is None:
        return length_plus(length, -lower)
    if isinstance(upper, int) and upper < 0:
        return length_plus(length, upper - lower)
    return None


def _bound(node: Any, default: int | None) -> Any:
    """The value of a slice's bound: its default where it is missing, ABSENT where it is not known."""
    return default if node is None else literal_of(node)
