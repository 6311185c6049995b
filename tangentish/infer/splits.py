"""The parts that np.split and its like give, as the slices that they are.

left, right = np.split(x, 2)    left is x[:len(x) // 2], right is x[len(x) // 2:]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentish.infer.facts import Callee, Facts
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, Tup

SPLITS: dict[Any, int | None] = {
    np.split: 0, np.array_split: 0, np.vsplit: 0, np.dsplit: 2, np.hsplit: None, np.unstack: 0,
}  # fmt: skip
"""The axis along which a function splits, if none is given; None where it depends on the rank."""


def goes_back(callee: Callee, facts: Facts) -> bool:
    """Whether indices are known to go back, [3, 1]: what is in two parts has two gradients."""
    kind = facts.kinds.get(_sections(callee))
    items = kind.items if isinstance(kind, Tup) else ()
    pairs = itertools.pairwise(item.value if isinstance(item, Num) else None for item in items)
    return any(type(a) is type(b) is int and (a < 0) == (b < 0) and b < a for a, b in pairs)


def _sections(callee: Callee) -> Any:
    given = callee.args[1:2] or [callee.keywords.get("indices_or_sections")]
    return given[0]


def part_of_split(callee: Callee, x: Any, rank: int | None, k: int, count: int) -> Any | None:
    """The k-th of `count` parts of `x`; None where it is not known what it is."""
    axis = _axis(callee, rank)
    if axis is None:
        return None
    if callee.function is np.unstack:
        return _indexed(x, axis, constant(k))
    sections = _sections(callee)
    if isinstance(sections, (gast.List, gast.Tuple)):
        points = [None, *sections.elts, None]
        known = len(points) == count + 1
    else:
        n = literal_of(sections) if sections is not None else None
        known = type(n) is int and n == count
        bound = _uneven if callee.function is np.array_split else _even
        points = [
            bound(_length(x, axis), p, count) if 0 < p < count else None for p in range(count + 1)
        ]
    return _indexed(x, axis, gast.Slice(points[k], points[k + 1], None)) if known else None


def _axis(callee: Callee, rank: int | None) -> int | None:
    place = 2 if callee.function in (np.split, np.array_split) else None
    given = callee.keywords.get("axis")
    if place is not None and len(callee.args) > place:
        given = callee.args[place]
    if given is not None:
        axis = literal_of(given)
        return axis if type(axis) is int else None
    if callee.function is np.hsplit:
        return None if rank is None else min(rank - 1, 1)
    return SPLITS[callee.function]


def _indexed(x: Any, axis: int, part: Any) -> Any:
    """x[part], x[:, part], x[..., part]"""
    if axis == 0:
        return gast.Subscript(x, part, gast.Load())
    before = [gast.Slice(None, None, None)] * axis if axis > 0 else [constant(Ellipsis)]
    after = [gast.Slice(None, None, None)] * (-1 - axis)
    return gast.Subscript(x, gast.Tuple([*before, part, *after], gast.Load()), gast.Load())


def _length(x: Any, axis: int) -> Callable[[], Any]:
    text = "len({x})" if axis == 0 else "{x}.shape[{k}]"
    return lambda: quote(text, x=x, k=constant(axis))


def _even(length: Callable[[], Any], point: int, count: int) -> Any:
    """Where the part of that number starts, of parts that are equally long."""
    part = quote("{n} // {count}", n=length(), count=constant(count))
    return part if point == 1 else quote("{k} * ({part})", k=constant(point), part=part)


def _uneven(length: Callable[[], Any], point: int, count: int) -> Any:
    """The same where the first parts may have one element more."""
    more = quote("{n} % {count}", n=length(), count=constant(count))
    even = _even(length, point, count)
    return quote("{even} + min({k}, {more})", even=even, k=constant(point), more=more)
