"""Small questions about expressions, and small rewritings of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer import literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num


def size(node: Any) -> int:
    return len(ir.walk(node))


def outline(e: Any) -> tuple[Any, ...]:
    """What an expression has in common with all that are written alike: told without writing them."""
    return e.__class__, getattr(e, "id", None)


def mentions_name(e: Any, name: str) -> bool:
    return name in ir.names_in(e)


def copied(e: Any, kind: Kind) -> Any:
    """A value that may be written to without another's noticing: np.copy of what may be a number, as the gradient of an
    array without axes may be; what may be None stays None.
    """
    if isinstance(kind, Num) and kind.optional:
        return quote("None if {e} is None else {e}.copy()", e=e)
    may_be_number = isinstance(kind, Num) and not (kind.array and kind.shape != ())
    return quote("np.copy({e})" if may_be_number else "{e}.copy()", e=e)


class Selection(NamedTuple):
    """The parts of `np.where(test, taken, other)`, where the test has a name."""

    test: str
    taken: Any
    other: Any


def selection(e: Any) -> Selection | None:
    match e:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="where"),
            args=[gast.Name(id=test), taken, other],
        ):
            return Selection(str(test), taken, other)
    return None


def popped(e: Any) -> str | None:
    """The list that gives its last element here."""
    match e:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[]):
            return str(name)
    return None


def is_literal_number(e: Any) -> bool:
    return isinstance(e, gast.Constant) and type(e.value) in (int, float)


def is_number_made(e: Any) -> bool:
    """Whether this is a number for sure, if it has no axes: arithmetic makes one of arrays without axes."""
    match e:
        case gast.BinOp() | gast.UnaryOp() | gast.Call(func=gast.Name(id="sum" | "$sum")):
            return True
    return False


def signed(e: Any) -> tuple[Any, int]:
    """An expression without its leading minus, and the sign."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand, -1
        case gast.BinOp(left=left, op=op, right=right) if isinstance(
            op, (gast.Mult, gast.Div, gast.MatMult)
        ):
            inner, sign = signed(left)
            if sign < 0:
                return gast.BinOp(inner, op, right), -1
            inner, sign = signed(right) if isinstance(op, gast.MatMult) else (right, 1)
            if sign < 0:  # A @ -b
                return gast.BinOp(left, op, inner), -1
        case gast.Call(func=function, args=[first, *others], keywords=keywords) if is_linear(e):
            inner, sign = signed(first)
            if sign < 0:
                return gast.Call(function, [inner, *others], keywords), -1
    return e, 1


def is_linear(call: Any) -> bool:
    """Whether a minus before the first argument of a call may as well stand before the call."""
    match call.func:
        case gast.Attribute(value=gast.Name(id="$np"), attr="sum" | "outer" | "dot" | "tensordot"):
            return True
        case gast.Name(id="$unbroadcast"):
            return True
    return False


def multiple(n: int, e: Any) -> Any:
    """N times an expression, the number in front of its first factor."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return gast.UnaryOp(gast.USub(), multiple(n, operand))
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            return gast.BinOp(multiple(n, left), op, right)
        case gast.Constant(value=int() | float() as value):
            return gast.Constant(n * value, None)
    return gast.BinOp(gast.Constant(n, None), gast.Mult(), e)


def flattened(g: Any, axes: Sequence[int]) -> Any:
    """An array without some axes, which have length one: g[:, 0], and np.sum(e, axis=1) of the sum with that axis."""
    match g:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return gast.UnaryOp(gast.USub(), flattened(operand, axes))
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="sum"),
            args=[_],
            keywords=[
                gast.keyword(arg="axis", value=summed) as axis,
                gast.keyword(arg="keepdims", value=gast.Constant(value=True)),
            ],
        ) if literal_of(summed) in (tuple(axes), *axes[: len(axes) == 1]):
            return gast.Call(g.func, g.args, [axis])
    parts = [
        constant(0) if k in axes else gast.Slice(None, None, None) for k in range(max(axes) + 1)
    ]
    place = gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0]
    return ir.subscript(g, place)


def item(g: Any, k: int) -> Any:
    """g[k], g[k][j] as g[k, j], g[2:][j] as g[2 + j]"""
    match g:
        case gast.Subscript(value=value, slice=gast.Slice(lower=lower, step=None)) if (
            place := _place_behind(lower, k)
        ) is not None:
            return gast.Subscript(value, place, gast.Load())
        case gast.Subscript(value=value, slice=gast.Constant(value=int()) as first):
            return gast.Subscript(value, gast.Tuple([first, constant(k)], gast.Load()), gast.Load())
        case gast.Subscript(value=value, slice=gast.Tuple(elts=parts)) if _all_integers(parts):
            return gast.Subscript(
                value, gast.Tuple([*parts, constant(k)], gast.Load()), gast.Load()
            )
    return ir.subscript(g, constant(k))


def _place_behind(start: Any, k: int) -> Any | None:
    """The place k behind the start of a slice; None where that is not known."""
    first = 0 if start is None else literal_of(start)
    if type(first) is not int or first < 0 <= first + k:
        return None
    place = first + k
    return constant(place) if place >= 0 else gast.UnaryOp(gast.USub(), constant(-place))


def element(e: Any, k: int) -> Any:
    """(a, b)[k] as its element, of anything else e[k]"""
    return e.elts[k] if isinstance(e, (gast.Tuple, gast.List)) else item(e, k)


def _all_integers(parts: Iterable[Any]) -> bool:
    return all(isinstance(literal_of(p), int) for p in parts)


def shifted(node: Any, offset: int) -> Any:
    """Write node + offset shortly."""
    if offset == 0:
        return node
    value = literal_of(node)
    if isinstance(value, int):
        return constant(value + offset)
    match node:
        case gast.BinOp(
            left=left, op=gast.Add() | gast.Sub() as op, right=gast.Constant(value=int(n))
        ):
            total = (n if isinstance(op, gast.Add) else -n) + offset
            if total == 0:
                return left
            return gast.BinOp(left, gast.Add() if total > 0 else gast.Sub(), constant(abs(total)))
    return gast.BinOp(node, gast.Add() if offset > 0 else gast.Sub(), constant(abs(offset)))


def whole(slot: Any) -> Any:
    """All of an array, in place: dx -> dx[...]."""
    if isinstance(slot, gast.Name):
        return ir.subscript(slot, constant(Ellipsis))
    return slot


def is_whole(target: Any) -> bool:
    """Whether a place is all of a named array: x[...], x[:], x[:, :]"""
    match target:
        case gast.Subscript(value=gast.Name(), slice=gast.Constant(value=value)):
            return value is Ellipsis
        case gast.Subscript(value=gast.Name(), slice=gast.Tuple(elts=parts)):
            return all(map(_is_all, parts))
        case gast.Subscript(value=gast.Name(), slice=part):
            return _is_all(part)
    return False


def as_target(slot: Any) -> Any:
    """A slot as a target of an assignment."""
    if isinstance(slot, gast.Subscript):
        return slot
    return ir.subscript(slot, constant(Ellipsis))


def targets_of(target: Any) -> list[Any]:
    if target is None:
        return []
    return list(target.elts) if isinstance(target, (gast.Tuple, gast.List)) else [target]


def indices_of(path: Any) -> Iterator[Any]:
    """The indices of `x[i][j]`."""
    while isinstance(path, gast.Subscript):
        yield path.slice
        path = path.value


def index_value(index: Any) -> Any:
    """An index as a value of its own: `i` of `x[i, :]`, `(slice(None), i)` of `x[:, i]`."""
    parts = ir.parts_of(index)
    while len(parts) > 1 and _is_all(parts[-1]):
        parts.pop()
    values = [_slice_value(p) if isinstance(p, gast.Slice) else p for p in parts]
    return values[0] if len(values) == 1 else gast.Tuple(values, gast.Load())


def _is_all(part: Any) -> bool:
    return isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None


def _slice_value(part: Any) -> Any:
    bounds = [constant(None) if b is None else b for b in (part.lower, part.upper, part.step)]
    while len(bounds) > 2 and ir.is_none(bounds[-1]):
        bounds.pop()
    if ir.is_none(bounds[0]) and len(bounds) == 2:
        bounds = bounds[1:]
    return gast.Call(quote("slice"), bounds, [])
