"""Calls of helpers that are one NumPy expression where shapes and literals are known.

part(g, (x, w), 1, 0)   ->  g[x.shape[0]:]
count(x)                ->  x.size
from_each((dy, None), (a, b), x)  ->  unbroadcast(dy * a, x)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, Tup, is_integer, is_number
from tangentish.kinds.lengths import same_shape

KindOf = Callable[[Any], Any]


def _count(args: Sequence[Any], kind: KindOf) -> Any:
    """count(x) of an array is x.size, count(x, -1) is x.shape[-1]."""
    x, *rest = args
    known = kind(x)
    if not getattr(known, "array", False) or not getattr(known, "shape", None):
        return None
    if not rest:
        return gast.Attribute(x, "size", gast.Load())
    axis = _integer(rest[0], kind)
    return None if axis is None else _length(x, axis)


def place_of_each(x: Any, kind: KindOf) -> Any | None:
    """The places of elements, `labels` of `p[rows, labels]`, which are as many as these."""
    if not isinstance(x, gast.Subscript):
        return None
    places = ir.parts_of(x.slice)
    kinds = list(map(kind, places))
    if getattr(kind(x.value), "rank", None) != len(places) or not all(map(_is_of_places, kinds)):
        return None
    several = [(e, k.shape) for e, k in zip(places, kinds, strict=True) if k.array]
    named = [e for e, shape in several if isinstance(e, gast.Name) and len(shape) == 1]
    alike = all(same_shape(shape, several[0][1]) for _, shape in several)
    return named[-1] if named and alike else None


def _is_of_places(kind: Any) -> bool:
    return isinstance(kind, Num) and kind.known and kind.dtype == np.dtype(int)


def _part(args: Sequence[Any], kind: KindOf) -> Any:
    """A slice of a join, or one element of its axis."""
    g, xs, k, *rest = args
    axis = _integer(rest[0], kind) if rest else 0
    rank = getattr(kind(g), "rank", None)
    if axis is None or rank is None or not isinstance(xs, (gast.Tuple, gast.List)):
        return None
    ranks = [_rank(kind(x)) for x in xs.elts]
    axis %= rank
    own = ranks[k.value]
    one = own == rank - 1 and (axis == own or axis == 0)
    if None in ranks or not (own == rank or one):
        return None
    lengths = [
        _length_of(x, axis, kind) if r == rank else constant(1)
        for x, r in zip(xs.elts, ranks, strict=True)
    ]
    index = _border(lengths, k.value)
    if not one:
        stop = None if k.value == len(lengths) - 1 else _border(lengths, k.value + 1)
        index = gast.Slice(None if _is_zero(index) else index, stop, None)
    before = [gast.Slice(None, None, None) for _ in range(axis)]
    place = gast.Tuple([*before, index], gast.Load()) if before else index
    return gast.Subscript(g, place, gast.Load())


def _border(lengths: Sequence[Any], k: int) -> Any:
    """Where the k-th part begins: counted from the end, where only the lengths up to there are numbers."""
    up_to_there, rest = lengths[:k], lengths[k:]
    if not _are_numbers(up_to_there) and _are_numbers(rest):
        back = sum(e.value for e in rest)
        if back > 0:
            return gast.UnaryOp(gast.USub(), constant(back))
    return _sum(up_to_there) or constant(0)


def _are_numbers(lengths: Sequence[Any]) -> bool:
    return all(isinstance(e, gast.Constant) for e in lengths)


def _is_zero(e: Any) -> bool:
    return isinstance(e, gast.Constant) and e.value == 0


def _rank(kind: Any) -> int | None:
    """The rank of an array, or of a list of numbers."""
    if isinstance(kind, Tup):
        numbers = all(map(is_number, kind.items))
        return 1 if numbers and kind.is_list and kind.keys is None else None
    return kind.rank if isinstance(kind, Num) else None


def _length_of(x: Any, axis: int, kind: KindOf) -> Any:
    known = kind(x)
    if isinstance(known, Tup):
        return constant(len(known.items))
    length = known.shape[axis]
    return constant(length) if type(length) is int else _length(x, axis)


def _integer(node: Any, kind: KindOf) -> int | None:
    match node:
        case gast.Constant(value=value):
            pass
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value
        case _:
            value = getattr(kind(node), "value", None)
    return value if type(value) is int else None


def _length(x: Any, axis: int) -> Any:
    return quote("{x}.shape[{axis}]", x=x, axis=constant(axis))


def _sum(lengths: Sequence[Any]) -> Any:
    """The sum of expressions, the constant ones worked out."""
    known = sum(e.value for e in lengths if isinstance(e, gast.Constant))
    total: Any = None
    for e in lengths:
        if not isinstance(e, gast.Constant):
            total = e if total is None else gast.BinOp(total, gast.Add(), e)
    if total is None:
        return constant(known) if known else None
    return gast.BinOp(total, gast.Add(), constant(known)) if known else total


def _join(args: Sequence[Any], kind: KindOf) -> Any:
    """A concatenation, where every part has a gradient; with no word of the places of parts that are in order."""
    g, ys, *how = args
    if len(how) < 3 or not _in_order(kind(how[1])):
        return None
    axis = how[0]
    is_first = isinstance(axis, gast.Constant) and axis.value == 0
    rest = [] if is_first else [axis]
    if not isinstance(g, gast.Tuple) or any(isinstance(e, gast.Constant) for e in g.elts):
        return gast.Call(gast.Name("$join", gast.Load()), [g, ys, *rest], [])
    call = quote("np.concatenate({g})", g=g)
    return gast.Call(call.func, [g, *rest], [])


def _in_order(places: Any) -> bool:
    """Whether what np.split takes is a number of parts, or are places that are known not to go back."""
    if isinstance(places, Num):
        return places.is_scalar
    items = places.items if isinstance(places, Tup) else (None, None)
    values = [getattr(item, "value", None) for item in items]
    pairs = itertools.pairwise(values)
    return all(type(a) is type(b) is int and (a < 0) == (b < 0) and a <= b for a, b in pairs)


def _opposite(args: Sequence[Any], kind: KindOf) -> Any:
    """The negative of an integer that has one."""
    (shift,) = args
    match shift:
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int()) as plain):
            return plain
        case gast.Tuple(elts=shifts):
            new = [_opposite([e], kind) for e in shifts]
            return None if None in new else gast.Tuple(new, gast.Load())
    known = kind(shift)
    is_signed = is_integer(known)
    return gast.UnaryOp(gast.USub(), shift) if is_signed else None


def _greater(args: Sequence[Any], kind: KindOf) -> Any:
    """The comparison itself, of arrays whose type is that of a literal half."""
    kinds = list(map(kind, args))
    floats = all(isinstance(k, Num) and k.rank and k.is_double for k in kinds)
    if not floats or not all(isinstance(x, gast.Name) for x in args):
        return None
    return quote("np.where({x} == {z}, 0.5, {x} > {z})", x=args[0], z=args[1])


def _from_each(args: Sequence[Any], _kind: KindOf) -> Any:
    """from_each((dy, None), (a, b), x) is unbroadcast(dy * a, x)."""
    gs, slopes, x = args
    if not isinstance(gs, gast.Tuple):
        return None
    pairs = zip(gs.elts, slopes.elts, strict=True)
    total = _sum([ir.binary(g, gast.Mult(), slope) for g, slope in pairs if not ir.is_none(g)])
    return quote("unbroadcast({total}, {x})", total=total, x=x)


SIMPLER: dict[str, Callable[[Sequence[Any], KindOf], Any]] = {
    "count": _count,
    "from_each": _from_each,
    "greater": _greater,
    "join": _join,
    "opposite": _opposite,
    "part": _part,
}
"""Helper -> what it is instead, None where it stays."""
