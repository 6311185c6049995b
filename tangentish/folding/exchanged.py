"""What changes places does so in one line, as the user wrote it, in the forward pass and on the way back.

t0, t1 = x[j], x[i]              ->      x[i], x[j] = x[j], x[i]
x[i] = t0
x[j] = t1

dt1 = dx[j]                      ->      dx[j], dx[i] = dx[i], dx[j]
dx[j] = 0
dt0 = dx[i]
dx[i] = 0
dx[j] += dt0
dx[i] += dt1

It holds for i = j, too: what the second line leaves there for the third to take is zero, and is added. Of slices and of
several places at once it would not, for these may have some places in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.ir.origins import NOWHERE
from tangentish.language.webs import map_each

IsInteger = Callable[[str], bool]


def set_at_once(block: ir.Block, others: Iterable[Any]) -> ir.Block:
    """The forward pass in which several places are set on the line that computes the values.

    others: what else reads the names of these.
    """
    reads = ir.mentions(block, others)
    return _with(block, lambda lines: _set_at_once(lines, reads))


def exchanged(block: ir.Block, results: Iterable[Any], is_integer: IsInteger) -> ir.Block:
    """The adjoint in which gradients change places in one line; is_integer: whether a name holds one integer."""
    reads = ir.mentions(block, results)
    return _with(block, lambda lines: _exchanged(lines, reads, is_integer))


def _with(block: ir.Block, change: Any) -> ir.Block:
    """The block with its lines changed, in blocks inside it first."""
    return tuple(change(map_each(block, lambda inner: _with(inner, change))))


# -- the forward pass


def _set_at_once(lines: list[ir.Statement], reads: Counter[str]) -> list[ir.Statement]:
    out: list[ir.Statement] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        match line:
            case ir.Assign(gast.Tuple(elts=[_, _, *_] as names), gast.Tuple() as values, origin):
                taken = _places_set(names, origin, lines[at:], reads)
            case _:
                taken = None
        if taken is None:
            out.append(line)
        else:
            places, saved, rest = taken
            at = len(lines) - len(rest)
            target = gast.Tuple(places, gast.Store())
            out += [*saved, ir.Assign(target, values, origin)]
    return out


def _places_set(
    names: list[Any], origin: ir.Origin, after: list[ir.Statement], reads: Counter[str]
) -> tuple[list[Any], list[ir.Statement], list[ir.Statement]] | None:
    """The places that the lines after `t0, t1 = v, w` set to these; what is saved of them before; the lines after."""
    places: list[Any] = []
    saved: list[ir.Statement] = []
    for number, later in enumerate(after):
        match later:
            case ir.Assign(place, gast.Name() as value, at) if at is origin:
                name = names[len(places)]
                if not ir.is_name(name, value.id) or reads[value.id] != 2:
                    return None
                places.append(place)
                if len(places) == len(names):
                    return places, saved, after[number + 1 :]
            case _:
                if not _saves(later, places):
                    return None
                saved.append(later)
    return None


def _saves(line: ir.Statement, places: list[Any]) -> bool:
    """Whether a line only notes what stands at a place that none of these are, and changes nothing."""
    match line:
        case ir.Assign(gast.Name(), kept):
            pass
        case ir.Do(gast.Expr(value=gast.Call(func=gast.Attribute(attr="append"), args=[kept]))):
            pass
        case _:
            return False
    if not has_no_effects(kept):
        return False
    roots = {ir.root_of(place).id for place in places if isinstance(ir.root_of(place), gast.Name)}
    return len(roots) == len(places) and roots.isdisjoint(ir.names_in(kept))


# -- the way back


def _exchanged(
    lines: list[ir.Statement], reads: Counter[str], is_integer: IsInteger
) -> list[ir.Statement]:
    out: list[ir.Statement] = []
    at = 0
    while at < len(lines):
        new = _exchange(lines[at : at + 6], reads, is_integer)
        out.append(lines[at] if new is None else new)
        at += 1 if new is None else 6
    return out


def _exchange(
    lines: list[ir.Statement], reads: Counter[str], is_integer: IsInteger
) -> ir.Statement | None:
    match lines:
        case [
            ir.Assign(gast.Name(id=one), first),
            ir.Assign(gast.Subscript() as place, gast.Constant(value=0)),
            ir.Assign(gast.Name(id=other), second),
            ir.Assign(gast.Subscript() as beside, gast.Constant(value=0)),
            ir.Update(to, gast.Add(), gast.Name(id=given)),
            ir.Update(last, gast.Add(), gast.Name(id=kept)),
        ] if (given, kept) == (other, one) and reads[one] == reads[other] == 2:
            pass
        case _:
            return None
    alike = _is(place, to) and _is(beside, last) and _gives(first, place) and _gives(second, beside)
    if not alike or not _are_same_or_apart(place, beside, is_integer):
        return None
    target = gast.Tuple([place, beside], gast.Store())
    return ir.Assign(target, gast.Tuple([second, first], gast.Load()), NOWHERE)


def _are_same_or_apart(one: Any, other: Any, is_integer: IsInteger) -> bool:
    """Whether two places of one array or list have all in common, or nothing."""
    match one, other:
        case gast.Subscript(value=a, slice=i), gast.Subscript(value=b, slice=j):
            pairs = list(zip(ir.parts_of(i), ir.parts_of(j), strict=False))
            if not len(pairs) == len(ir.parts_of(i)) == len(ir.parts_of(j)):
                return False
            if not all(_are_ones_or_one_slice(p, q, is_integer) for p, q in pairs):
                return False
            return _are_same_or_apart(a, b, is_integer)
    return isinstance(one, gast.Name) and ir.is_name(other, one.id)


def _are_ones_or_one_slice(i: Any, j: Any, is_integer: IsInteger) -> bool:
    if isinstance(i, gast.Slice):
        return _is(i, j)
    return _is_one(i, is_integer) and _is_one(j, is_integer)


def _is_one(index: Any, is_integer: IsInteger) -> bool:
    """Whether an index is one integer."""
    match index:
        case gast.Constant(value=value):
            return type(value) is int
        case gast.Name(id=name):
            return is_integer(name)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
            return _is_one(left, is_integer) and _is_one(right, is_integer)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _is_one(operand, is_integer)
    return False


def _is(one: Any, other: Any) -> bool:
    """Whether two places are written alike."""
    return _bare(one) == _bare(other)


def _bare(place: Any) -> str:
    return ir.dump(place).replace("Store()", "Load()")


def _gives(value: Any, place: Any) -> bool:
    """Whether a value is what stands at a place, or a copy of it."""
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="copy"), args=[], keywords=[]):
            return _is(inner, place)
    return _is(value, place)
