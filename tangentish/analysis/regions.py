"""Which places of an array the walk back reads later, in terms of the variables of the loops around.

    for i in range(n - 1, -1, -1):                    at trip i, the later trips read rows <= i - 2,
        for j in range(i - 1, -1, -1): x[i - 1, :j]   and of row i - 1 the later j columns <= j - 2

An extent bounds the index on one axis by a multiple of a loop variable, or of the length of an argument, plus a number;
what is not known has no bound. After the polyhedral dependence tests (Banerjee, Dependence Analysis for Supercomputing,
1988), for one variable a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer import literal_of
from tangentish.kinds import Kind, Num, is_number
from tangentish.kinds.lengths import Dim, Length, Shape, is_longer_than_one

KindOf = Callable[[str], Kind | None]
"""What is known of a value, wherever it is read."""


class Bound(NamedTuple):
    """A loop variable, the symbol of a length, or None for zero, times a number above zero, plus a number."""

    variable: Hashable
    offset: int
    factor: int = 1

    def plus(self, offset: int) -> Bound:
        return self._replace(offset=self.offset + offset)

    def times(self, factor: int) -> Bound:
        own = 1 if self.variable is None else self.factor * factor
        return Bound(self.variable, self.offset * factor, own)


class Extent(NamedTuple):
    """The least and the largest index on an axis; None: not known."""

    low: Bound | None = None
    high: Bound | None = None


class Region(NamedTuple):
    """The places of an array in the extents of its first axes, and anywhere on the others.

    later: the variables of the loops of which it stands for all later trips.
    """

    site: Hashable
    extents: tuple[Extent, ...] = ()
    later: frozenset[str] = frozenset()


class Trips(NamedTuple):
    """The values of a loop variable: its step, +1 or -1, and its bounds as far as they are known."""

    step: int
    low: Bound | None
    high: Bound | None


Loops = Mapping[str, Trips]


def trips_of(iterator: Any, loops: Loops, kind_of: KindOf) -> Trips | None:
    """What is known of the variable of a range with step +1 or -1; None for all else."""
    match iterator:
        case gast.Call(func=gast.Name(id="$range"), args=[start, stop, step]) if (
            literal_of(step) == -1
        ):
            least = _affine(stop, loops, kind_of)
            return Trips(-1, least and least.plus(1), _affine(start, loops, kind_of))
        case gast.Call(func=gast.Name(id="$range"), args=[start, stop]):
            most = _affine(stop, loops, kind_of)
            return Trips(1, _affine(start, loops, kind_of), most and most.plus(-1))
        case gast.Call(func=gast.Name(id="$range"), args=[stop]):
            most = _affine(stop, loops, kind_of)
            return Trips(1, Bound(None, 0), most and most.plus(-1))
    return None


def region(
    site: Hashable, index: Any, loops: Loops, kind_of: KindOf, shape: Shape | None = None
) -> Region:
    """The region that an index names in an array, of this shape if that is known."""
    extents: list[Extent] = []
    parts = ir.parts_of(index)
    lengths = shape if shape is not None and len(parts) <= len(shape) else (None,) * len(parts)
    for part, length in zip(parts, lengths, strict=False):
        extent = _extent(part, loops, kind_of, length)
        if extent is None:
            break
        extents.append(extent)
    return Region(site, tuple(extents))


def apart(one: Region, other: Region, loops: Loops) -> bool:
    """Whether two regions have no place in common for sure."""
    return one.site != other.site or any(
        _less(a.high, b.low, loops) or _less(b.high, a.low, loops)
        for a, b in zip(one.extents, other.extents, strict=False)
    )


def stands_inside(part: Any, length: Length, loops: Loops, kind_of: KindOf) -> bool:
    """Whether an index is none that is negative, and less than the length, for sure."""
    at = _affine(part, loops, kind_of)
    return _less(Bound(None, -1), at, loops) and _less(at, _length(length), loops)


def on_later_trips(old: Region, variable: str, trips: Trips | None) -> Region:
    """What all the following trips read of what each reads, in terms of this trip's variable."""
    if trips is None or variable in old.later or not _varies(old, variable):
        return old

    def change(extent: Extent) -> Extent:
        low, high = extent.low, extent.high
        if low is not None and low.variable == variable:
            low = low.plus(low.factor) if trips.step > 0 else _instead(low, trips.low)
        if high is not None and high.variable == variable:
            high = high.plus(-high.factor) if trips.step < 0 else _instead(high, trips.high)
        return Extent(low, high)

    return old._replace(
        extents=tuple(map(change, old.extents)), later=old.later | frozenset({variable})
    )


def outside(old: Region, variable: str, trips: Trips | None) -> Region:
    """What a loop reads, without its variable."""
    if not _varies(old, variable):
        return old

    def change(extent: Extent) -> Extent:
        low, high = extent.low, extent.high
        if low is not None and low.variable == variable:
            low = _instead(low, trips.low if trips else None)
        if high is not None and high.variable == variable:
            high = _instead(high, trips.high if trips else None)
        return Extent(low, high)

    return old._replace(
        extents=tuple(map(change, old.extents)), later=old.later - frozenset({variable})
    )


def _varies(region: Region, variable: str) -> bool:
    """Whether a region is another one on each trip of the loop with this variable."""
    bounds = (bound for extent in region.extents for bound in (extent.low, extent.high))
    return any(bound is not None and bound.variable == variable for bound in bounds)


def _instead(bound: Bound, limit: Bound | None) -> Bound | None:
    return limit and limit.times(bound.factor).plus(bound.offset)


def _extent(part: Any, loops: Loops, kind_of: KindOf, length: Length) -> Extent | None:
    """The extent of one part of an index; None where it may not stand for one axis."""
    match part:
        case gast.Slice(lower=lower, upper=upper, step=None):
            low = None if lower is None else _place(lower, loops, kind_of, length)
            high = None if upper is None else _place(upper, loops, kind_of, length)
            return Extent(low, high and high.plus(-1))
        case gast.Slice():
            return Extent()
    at = _place(part, loops, kind_of, length)
    if at is None and not _is_integer(part):
        return None
    return Extent(at, at)


def _is_integer(part: Any) -> bool:
    value = literal_of(part)
    return isinstance(value, int) and not isinstance(value, bool)


def _place(part: Any, loops: Loops, kind_of: KindOf, length: Length) -> Bound | None:
    """An index counted from the front: one that is not negative, or a negative number on an axis of known length."""
    at = _affine(part, loops, kind_of)
    if _less(Bound(None, -1), at, loops):
        return at
    end = _length(length)
    negative = at is not None and at.variable is None and at.offset < 0
    return end.plus(at.offset) if negative and end is not None and at is not None else None


def _length(length: Length) -> Bound | None:
    """A length as a bound: a number, or that of an argument, plus an offset; what is cut off at zero has no places."""
    if isinstance(length, int):
        return Bound(None, length)
    if length is None or not is_longer_than_one(Dim(length.symbol)):
        return None
    return Bound(("length", length.symbol), length.offset)


def _affine(node: Any, loops: Loops, kind_of: KindOf) -> Bound | None:
    match node:
        case gast.Name(id=name) if name in loops:
            return Bound(name, 0)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            first, offset = _affine(left, loops, kind_of), literal_of(right)
            if first is None or type(offset) is not int:
                return None
            return first.plus(offset if isinstance(op, gast.Add) else -offset)
        case gast.BinOp(op=gast.Mult()):
            return _multiple(node, loops, kind_of)
    value = literal_of(node)
    if type(value) is int:
        return Bound(None, value)
    length = _measured(node, kind_of)
    return _length(length) if isinstance(length, int) or (length and not length.offset) else None


def _multiple(node: gast.BinOp, loops: Loops, kind_of: KindOf) -> Bound | None:
    """A number above zero times what is known."""
    for factor, other in ((node.left, node.right), (node.right, node.left)):
        number = literal_of(factor)
        if type(number) is int and number > 0:
            of = _affine(other, loops, kind_of)
            return of and of.times(number)
    return None


def _measured(node: Any, kind_of: KindOf) -> Length:
    """The length that an expression is known to be: `n`, `len(x)`, `x.shape[0]`."""
    match node:
        case gast.Name(id=name):
            kind = kind_of(name)
            return kind.value if is_number(kind) else None
        case gast.Call(func=gast.Name(id="len" | "$len"), args=[gast.Name(id=name)]):
            axis: Any = 0
        case gast.Subscript(
            value=gast.Attribute(value=gast.Name(id=name), attr="shape"),
            slice=gast.Constant(value=int() as axis),
        ):
            pass
        case _:
            return None
    kind = kind_of(name)
    shape = kind.shape if isinstance(kind, Num) and kind.array else None
    return shape[axis] if shape and 0 <= axis < len(shape) else None


def _less(a: Bound | None, b: Bound | None, loops: Loops) -> bool:
    """Whether a < b for sure: variables are taken at their largest on the left, at their least on the right."""
    if a is None or b is None:
        return False
    if (a.variable, a.factor) == (b.variable, b.factor):
        return a.offset < b.offset
    trips = loops.get(a.variable) if isinstance(a.variable, str) else None
    high = trips.high if trips is not None else None
    if _less(_instead(a, high), b, loops):
        return True
    if isinstance(b.variable, str):
        return _less(a, _instead(b, loops[b.variable].low), loops)
    return b.variable is not None and _less(
        a, Bound(None, b.offset), loops
    )  # no length is negative
