"""Algebra that keeps generated expressions as a person would write them: no `1 *`, no `+ 0`, one minus, in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

__all__ = ["negated", "tidy"]


def negated(e: Any) -> Any:
    """-e, with the minus in front of the first factor."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand
        case gast.Constant(value=int() | float() as value):
            return gast.UnaryOp(gast.USub(), e) if value >= 0 else gast.Constant(-value, None)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult() as op, right=right):
            return gast.BinOp(negated(left), op, right)
    return gast.UnaryOp(gast.USub(), e)


def tidy(e: Any, kind: Callable[[Any], Any]) -> Any:
    """An expression that a rule gave, simplified from the outside in, as far down as the rule wrote it."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return negated(tidy(operand, kind))
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult() as op, right=right):
            return _product(tidy(left, kind), op, tidy(right, kind))
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            left, right = tidy(left, kind), tidy(right, kind)
            if _leads_with_minus(right):
                return gast.BinOp(left, gast.Sub(), negated(right))
            return gast.BinOp(left, gast.Add(), right)
        case gast.BinOp(left=base, op=gast.Pow(), right=gast.Constant(value=1)):
            return base
        case gast.Subscript(value=gast.Tuple(elts=elements), slice=gast.Constant(value=int() as k)):
            return elements[k]
        case gast.Call(func=gast.Name(id="$cast"), args=[g, x]):
            return _cast(tidy(g, kind), x, kind, e)
        case gast.Call(func=gast.Name(id="$count"), args=[x, gast.Constant(value=axis)]):
            return _count(x, axis, kind, e)
    return e


def _count(x: Any, axis: object, kind: Callable[[Any], Any], e: Any) -> Any:
    """count(x, None) of an array is x.size, count(x, 1) is x.shape[1]."""
    known = kind(x)
    if not getattr(known, "array", False) or not getattr(known, "shape", None):
        return e
    if axis is None:
        return gast.Attribute(x, "size", gast.Load())
    shape = gast.Attribute(x, "shape", gast.Load())
    return gast.Subscript(shape, gast.Constant(axis, None), gast.Load()) if type(axis) is int else e


def _product(left: Any, op: Any, right: Any) -> Any:
    if _is_one(right) and not isinstance(op, gast.MatMult):
        return left
    if _is_one(left) and isinstance(op, gast.Mult):
        return right
    if _leads_with_minus(right) and not isinstance(op, gast.MatMult):
        return _product(negated(left), op, negated(right))
    return gast.BinOp(left, op, right)


def _cast(g: Any, x: Any, kind: Callable[[Any], Any], e: Any) -> Any:
    have, want = getattr(kind(g), "dtype", None), getattr(kind(x), "dtype", None)
    weak = getattr(kind(x), "weak", False)
    return g if weak or (have is not None and have == want) else e


def _is_one(e: Any) -> bool:
    return isinstance(e, gast.Constant) and type(e.value) in (int, float) and e.value == 1


def _leads_with_minus(e: Any) -> bool:
    match e:
        case gast.UnaryOp(op=gast.USub()):
            return not isinstance(e.operand, gast.Constant)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            return _leads_with_minus(left)
    return False
