"""Algebra that keeps generated expressions as a person would write them: no `1 *`, no `+ 0`, one minus, in front."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.algebra.einsums import einsum_written_out
from tangentish.algebra.expressions import Selection, is_linear, is_literal_number, selection
from tangentish.algebra.simpler import SIMPLER
from tangentish.ir.quote import constant
from tangentish.kinds import Num
from tangentish.kinds.lengths import same_shape

Kinds = Callable[[Any], Any]


def negated(e: Any, kind: Kinds) -> Any:
    """-e, with the minus in front of the first factor, if that can bear one."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand
        case gast.Constant(value=int() | float() as value):
            return gast.UnaryOp(gast.USub(), e) if value >= 0 else gast.Constant(-value, None)
        case gast.BinOp(left=left, op=gast.MatMult() as op, right=right) if leads_with_minus(
            right, kind
        ) and not leads_with_minus(left, kind):
            return ir.binary(left, op, negated(right, kind))  # A @ -b
        case gast.BinOp(
            left=left, op=gast.Mult() | gast.Div() | gast.MatMult() as op, right=right
        ) if _bears_minus(left, kind):
            return ir.binary(negated(left, kind), op, right)
        case gast.Call(func=function, args=[first, *others], keywords=keywords) if leads_with_minus(
            e, kind
        ):
            return gast.Call(function, [negated(first, kind), *others], keywords)
    return gast.UnaryOp(gast.USub(), e)


def _bears_minus(e: Any, kind: Kinds) -> bool:
    """Whether -e is minus e: booleans have none, and of unsigned integers it is another number."""
    match e:
        case gast.Constant() | gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
            return True
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _bears_minus(operand, kind)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult()):
            return _bears_minus(left, kind)
    return _bears_one(e, kind)


def _bears_one(e: Any, kind: Kinds) -> bool:
    """The same of an expression as a whole."""
    found = kind(e)
    dtype = getattr(found, "dtype", None)
    if dtype is None:
        return bool(getattr(found, "active", False)) or any("~" in name for name in ir.names_in(e))
    return dtype.kind not in "bu"


def tidy(e: Any, kind: Callable[[Any], Any]) -> Any:
    """An expression that a rule gave, simplified from the outside in, as far down as the rule wrote it."""
    match e:
        case gast.Name():
            return e
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return negated(tidy(operand, kind), kind)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult() as op, right=right):
            return _product(tidy(left, kind), op, tidy(right, kind), kind)
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            return summed(tidy(left, kind), tidy(right, kind), kind)
        case gast.BinOp(left=base, op=gast.Pow(), right=gast.Constant(value=1)):
            return base
        case gast.Call():
            return _call(e, kind)
        case gast.Subscript(value=value, slice=index):
            return _place(value, index) or e
        case gast.Attribute(value=x, attr="T"):
            return _turned(x, kind) or e
        case gast.BinOp(left=left, op=gast.Sub() as op, right=right):
            left = tidy(left, kind)
            return left if _is_zero(right) else ir.binary(left, op, tidy(right, kind))
    return e


def _place(value: Any, index: Any) -> Any | None:
    """-g[i] for (-g)[i], and 0.5 * g[i] for (0.5 * g)[i]."""
    match value:
        case gast.UnaryOp(op=gast.USub() as minus, operand=x):
            return gast.UnaryOp(minus, gast.Subscript(x, index, gast.Load()))
        case gast.BinOp(
            left=gast.Constant() | gast.UnaryOp(op=gast.USub(), operand=gast.Constant()) as n,
            op=gast.Mult() as times,
            right=x,
        ):
            return ir.binary(n, times, gast.Subscript(x, index, gast.Load()))
    return None


def _call(e: Any, kind: Kinds) -> Any:
    match e:
        case gast.Call(func=gast.Name(id="$cast"), args=[g, x]):
            return _cast(tidy(g, kind), x, kind, e)
        case gast.Call(func=gast.Name(id="$einsum_adjoint")):
            return einsum_written_out(e, kind)
        case gast.Call(func=gast.Name(id=name), args=args) if name[1:] in SIMPLER:
            return SIMPLER[name[1:]](args, kind) or e
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="where") as where,
            args=[test, *parts],
        ):
            return gast.Call(where, [test, *(tidy(part, kind) for part in parts)], [])
        case gast.Call(args=[g, gast.Call(func=gast.Name(id="$opposite")) as shift, *axis]):
            return gast.Call(e.func, [g, _call(shift, kind), *axis], e.keywords)
    return e


def _turned(e: Any, kind: Kinds) -> Any | None:
    """e.T, where the parts of e can be turned instead."""
    match e:
        case gast.Attribute(value=x, attr="T"):
            return x
        case gast.BinOp(left=left, op=gast.MatMult() as op, right=right) if _is_matrix(
            left, kind
        ) and _is_matrix(right, kind):
            return ir.binary(_transposed(right), op, _transposed(left))
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="outer") as outer,
            args=[a, b],
            keywords=[],
        ):
            return gast.Call(outer, [b, a], [])
        case gast.UnaryOp(op=gast.USub() as minus, operand=x):
            return gast.UnaryOp(minus, _turned(x, kind) or _transposed(x))
    return None


def _is_matrix(e: Any, kind: Callable[[Any], Any]) -> bool:
    return bool(getattr(kind(e), "rank", None) == 2)


def _transposed(e: Any) -> Any:
    if isinstance(e, gast.Attribute) and e.attr == "T":
        return e.value
    return gast.Attribute(e, "T", gast.Load())


def summed(left: Any, right: Any, kind: Callable[[Any], Any]) -> Any:
    """np.where(mask, a, 0) + np.where(mask, 0, b) is np.where(mask, a, b); a / t + b / t is (a + b) / t."""
    one, two = selection(left), selection(right)
    if one and two and one.test == two.test:
        return _selected_together(left, one, two, kind)
    match left, right:
        case (
            gast.BinOp(left=a, op=gast.Div() as over, right=gast.Name(id=divisor) as t),
            gast.BinOp(left=b, op=gast.Div(), right=gast.Name(id=other)),
        ) if divisor == other:
            return ir.binary(summed(a, b, kind), over, t)
        case gast.IfExp(test=test, body=a, orelse=b), gast.IfExp(test=other, body=c, orelse=d) if (
            type(test) is type(other) is gast.Name and test.id == other.id
        ):
            return gast.IfExp(test, _with_zero(a, c, kind), _with_zero(b, d, kind))
        case gast.BinOp(left=first, op=gast.Add(), right=last), _ if two and (
            (before := selection(last)) and before.test == two.test
        ):
            return plus(first, summed(last, right, kind), kind)
    return plus(left, right, kind)


def _selected_together(call: Any, one: Selection, two: Selection, kind: Kinds) -> Any:
    """The sum of what the same test selects; what it selects within that, it selects once."""

    def of(way: int) -> Any:
        return _with_zero(_chosen(one.test, way, one[way]), _chosen(one.test, way, two[way]), kind)

    return gast.Call(call.func, [call.args[0], of(1), of(2)], [])


def _chosen(test: str, way: int, e: Any) -> Any:
    """What an expression is where a test is true (1), or where it is not (2)."""
    within = selection(e)
    return within[way] if within and within.test == test else e


def plus(left: Any, right: Any, kind: Kinds, minus: bool = False) -> Any:
    """Left + right, or left - right, with no minus in front of the right one."""
    if leads_with_minus(right, kind) or _leads_with_negative(right):
        right, minus = negated(right, kind), not minus
    right = _beside(left, right, kind)
    return ir.binary(left, gast.Sub() if minus else gast.Add(), right)


def _beside(left: Any, right: Any, kind: Kinds) -> Any:
    """What may stand for a summand beside an array: dy for dy * x / x."""
    match right:
        case gast.BinOp(left=gast.BinOp(left=rest) as product, op=op, right=factor) if _undoes(
            product, op, factor
        ):
            whole, array, one = kind(left), kind(factor), kind(rest)
            alike = _leaves_type(whole, array) and getattr(whole, "array", False)
            if alike and getattr(one, "is_scalar", False) and getattr(one, "weak", False):
                return rest
    return right


def _leads_with_negative(e: Any) -> bool:
    """Whether the first factor of a product is a number below zero."""
    match e:
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult()):
            return _leads_with_negative(left)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() | float())):
            return True
        case gast.Constant(value=int() | float() as value):
            return value < 0
    return False


def _with_zero(left: Any, right: Any, kind: Callable[[Any], Any]) -> Any:
    if _is_zero(left):
        return right
    return left if _is_zero(right) else summed(left, right, kind)


def _is_zero(e: Any) -> bool:
    return is_literal_number(e) and e.value == 0


def _product(left: Any, op: Any, right: Any, kind: Kinds) -> Any:
    if _is_one(right) and not isinstance(op, gast.MatMult):
        return left
    if _is_one(left) and isinstance(op, gast.Mult):
        return right
    if isinstance(op, gast.Div):
        right = _lengths_of_summed(left, right, kind) or right
    if leads_with_minus(right, kind) and not isinstance(op, gast.MatMult):
        return negated(_product(left, op, negated(right, kind), kind), kind)
    if _undoes(left, op, right) and _leaves_type(kind(left.left), kind(right)):
        return left.left
    scaled = None
    if isinstance(op, gast.Mult) and _is_power_of_two(right):
        scaled = _scaled(left, right.value, kind)
    square = _by_square(left, right) if isinstance(op, gast.Mult) else None
    return scaled or square or _product_of_quotients(left, op, right, kind)


def _lengths_of_summed(total: Any, lengths: Any, kind: Kinds) -> Any | None:
    """g.size for x.size in np.sum(g) / x.size, where g has the shape of x, which need not be there for that."""
    match total, lengths:
        case gast.UnaryOp(op=gast.USub(), operand=operand), _:
            return _lengths_of_summed(operand, lengths, kind)
        case (
            gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="sum"),
                args=[gast.Name() as g, *_],
            ),
            gast.Attribute(value=gast.Name() as x, attr="size")
            | gast.Subscript(value=gast.Attribute(value=gast.Name() as x, attr="shape")),
        ):
            have, want = kind(g), kind(x)
            known = isinstance(have, Num) and isinstance(want, Num) and have.known and want.known
            if known and same_shape(have.shape, want.shape):
                return ir.copy_expression(lengths, lambda node: g if node is x else None)
    return None


def _by_square(left: Any, right: Any) -> Any | None:
    """What comes to a square that is divided by, `g / t ** 2 * 2 * t`, and `g / t * t ** 2`: `g * 2 / t`, `g * t`."""
    match left, right:
        case (
            gast.BinOp(
                left=gast.BinOp(
                    left=rest,
                    op=gast.Div() as over,
                    right=gast.BinOp(
                        left=gast.Name(id=t), op=gast.Pow(), right=gast.Constant(value=2)
                    ),
                ),
                op=gast.Mult() as times,
                right=gast.Constant() as n,
            ),
            gast.Name(id=same),
        ) if t == same:
            return ir.binary(ir.binary(rest, times, n), over, right)
        case (
            gast.BinOp(left=rest, op=gast.Div(), right=gast.Name(id=t)),
            gast.BinOp(
                left=gast.Name(id=same) as base, op=gast.Pow(), right=gast.Constant(value=2)
            ),
        ) if t == same:
            return ir.binary(rest, gast.Mult(), base)
    return None


def _product_of_quotients(left: Any, op: Any, right: Any, kind: Kinds) -> Any:
    match left, op, right:
        case _, gast.Mult(), gast.BinOp(left=rest, op=gast.Div() as over, right=below) if (
            t := without_factor(below, left, kind)
        ) is not None:
            return ir.binary(rest, over, t)  # 3 * (g / (3 * t)), of a number
        case (
            gast.Constant(value=float()),
            gast.Mult(),
            gast.BinOp(left=first, op=gast.Mult() | gast.Div() as then, right=last),
        ) if getattr(kind(last), "known", False):  # in one go: 0.5 * g * u
            return ir.binary(_product(left, op, first, kind), then, last)
        case (
            gast.BinOp(left=rest, op=gast.Div(), right=gast.BinOp(left=a, op=gast.Div(), right=c)),
            gast.Div(),
            gast.Constant() | gast.Name() as same,
        ) if _is_scalar(c, kind) and ir.dump(c) == ir.dump(same):
            return ir.binary(rest, op, a)  # g / (a / c) / c, of a logarithm
        case (
            gast.BinOp(left=rest, op=gast.Div(), right=gast.Constant(value=int() | float() as n)),
            gast.Mult(),
            gast.Constant(value=int() | float() as same),
        ) if n == same != 0:
            return rest  # / 3 * 3
        case (
            gast.BinOp(left=rest, op=gast.Div() as over, right=below),
            gast.Mult(),
            _,
        ) if (t := without_factor(below, right, kind)) is not None:
            return ir.binary(rest, over, t)  # / (4 * np.pi * t) * (4 * np.pi)
    if isinstance(op, gast.Mult) and is_literal_number(right):
        multiplied = _first_multiplied(left, right.value) or _times_number(left, right, kind)
        return multiplied or ir.binary(left, op, right)
    return ir.binary(left, op, right)


def _first_multiplied(e: Any, n: float) -> Any | None:
    """0.3 * g for 0.1 * g * 3: the literal in front of a product takes another up, as one would write it."""
    match e:
        case gast.BinOp(
            left=gast.Constant(value=float() as first), op=gast.Mult() as op, right=rest
        ):
            value = float(Decimal(repr(first)) * Decimal(repr(n)))
            short = math.isfinite(value) and len(repr(value)) <= len(repr(first)) + 1
            return ir.binary(constant(value), op, rest) if short else None
        case gast.UnaryOp(op=gast.USub() as minus, operand=operand):
            multiplied = _first_multiplied(operand, n)
            return None if multiplied is None else gast.UnaryOp(minus, multiplied)
        case gast.BinOp(
            left=gast.UnaryOp(op=gast.USub() as minus, operand=gast.Constant() as first),
            op=op,
            right=rest,
        ):
            multiplied = _first_multiplied(ir.binary(first, op, rest), n)
            return None if multiplied is None else gast.UnaryOp(minus, multiplied)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            multiplied = _first_multiplied(left, n)
            return None if multiplied is None else ir.binary(multiplied, op, right)
    return None


def without_factor(product: Any, factor: Any, kind: Kinds) -> Any | None:
    """What is left of a product of two without one of them, which is computed of names and numbers."""
    plain = (gast.BinOp, gast.Name, gast.Constant, gast.Attribute, gast.operator, gast.expr_context)
    match product:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            parts = {ir.dump(right): left, ir.dump(left): right}
            rest = parts.get(ir.dump(factor))
            alike = rest is not None and _leaves_type(kind(rest), kind(factor))
            return rest if alike and all(isinstance(n, plain) for n in ir.walk(factor)) else None
    return None


def _undoes(left: Any, op: Any, right: Any) -> bool:
    """Whether a product takes back the division before it, or the other way round: g * x / x, g / t * t."""
    if not isinstance(left, gast.BinOp) or not isinstance(op, gast.Mult | gast.Div):
        return False
    other = gast.Div if isinstance(op, gast.Mult) else gast.Mult
    same = isinstance(left.op, other) and ir.dump(left.right) == ir.dump(right)
    return same and _is_read_alike(right)


def _is_read_alike(e: Any) -> bool:
    """Whether this is a name, or an element of an array that has one."""
    match e:
        case gast.Subscript(value=value, slice=index):
            parts = ir.parts_of(index)
            plain = all(isinstance(part, gast.Name | gast.Constant) for part in parts)
            return plain and isinstance(value, gast.Name)
    return isinstance(e, gast.Name)


def _leaves_type(rest: Any, factor: Any) -> bool:
    """Whether a product with this factor is of the type and shape of the rest."""
    if not isinstance(rest, Num) or not isinstance(factor, Num) or factor.dtype is None:
        return False
    if factor.is_scalar and factor.array is False:
        return factor.weak or factor.dtype == np.dtype(float)
    known = rest.shape is not None and factor.shape is not None and rest.array is factor.array
    return known and rest.dtype == factor.dtype and same_shape(rest.shape, factor.shape)


def _times_number(e: Any, number: Any, kind: Kinds) -> Any | None:
    """Dy * w * 2 is dy * 2 * w, where dy is a scalar and w an array: numbers are multiplied with each other first."""
    match e:
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            first = kind(left)
            if getattr(first, "is_scalar", False) and _is_float(left, kind):
                is_array = getattr(kind(right), "array", False)
                scaled = ir.binary(left, gast.Mult(), number)
                return ir.binary(scaled, op, right) if is_array else None
            scaled = _times_number(left, number, kind)
            return None if scaled is None else ir.binary(scaled, op, right)
    return None


def _is_power_of_two(e: Any) -> bool:
    """Whether a product with this literal is exact, wherever the literal stands in it."""
    literal = is_literal_number(e) and e.value > 0
    return literal and math.frexp(e.value)[0] == 0.5


def _scaled(e: Any, n: float, kind: Kinds) -> Any | None:
    """0.5 * a / b, scaled by 2, is a / b: where the first factor is a literal, both are one."""
    match e:
        case gast.BinOp(
            left=gast.UnaryOp(op=gast.USub(), operand=gast.Constant() as first),
            op=gast.Mult() as op,
            right=rest,
        ):
            scaled = _scaled(ir.binary(first, op, rest), n, kind)
            return None if scaled is None else negated(scaled, kind)
        case gast.BinOp(left=gast.Constant(value=first), op=gast.Mult() as op, right=rest) if type(
            first
        ) is float or (type(first) is int and _is_float(rest, kind)):
            one = first * n == 1 and _is_float(rest, kind)
            return rest if one else ir.binary(gast.Constant(first * n, None), op, rest)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            scaled = _scaled(left, n, kind)
            if scaled is not None:
                return ir.binary(scaled, op, right)
            inner = _scaled(right, n, kind) if isinstance(op, gast.Mult) else None
            return None if inner is None else ir.binary(left, op, inner)  # dy * (0.5 * m)
    return None


def _is_scalar(e: Any, kind: Kinds) -> bool:
    return is_literal_number(e) or bool(getattr(kind(e), "is_scalar", False))


def _is_float(e: Any, kind: Kinds) -> bool:
    dtype = getattr(kind(e), "dtype", None)
    return getattr(kind(e), "active", False) or (dtype is not None and dtype.kind in "fc")


def _cast(g: Any, x: Any, kind: Callable[[Any], Any], e: Any) -> Any:
    have, want = getattr(kind(g), "dtype", None), getattr(kind(x), "dtype", None)
    weak = getattr(kind(x), "weak", False)
    if weak or (have is not None and have == want):
        return g
    return e if g is e.args[0] else gast.Call(e.func, [g, x], [])


def _is_one(e: Any) -> bool:
    return isinstance(e, gast.Constant) and type(e.value) in (int, float) and e.value == 1


def leads_with_minus(e: Any, kind: Kinds) -> bool:
    """Whether a minus stands in front of the first factor that may as well stand in front of the whole."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            if isinstance(operand, gast.Constant):
                return False
            return _bears_minus(operand, kind) or _bears_one(operand, kind)
        case gast.BinOp(left=left, op=gast.MatMult(), right=right):
            return leads_with_minus(left, kind) or leads_with_minus(right, kind)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            return leads_with_minus(left, kind)
        case gast.Call(args=[first, *_]) if is_linear(e):
            return leads_with_minus(first, kind)
    return False
