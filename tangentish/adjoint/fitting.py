"""Fitting the shapes of gradients: spread over reduced axes, filled up, or summed down to an operand's shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.additions import Additions
from tangentish.adjoint.gradients import fills
from tangentish.algebra.expressions import is_number_made
from tangentish.algebra.templates import names_in_text, spread_over, stands_for
from tangentish.algebra.tidy import leads_with_minus, negated
from tangentish.ir.quote import constant, quote, template
from tangentish.kinds import Num, Seq, Tup, is_integer, replace
from tangentish.kinds.lengths import Shape, is_longer_than_one, same_length, same_shape
from tangentish.rules import Rule


@dataclass
class Fitting(Additions):
    """The shapes that rules want and operands have."""

    current: Any = None  # whose value has the shape that no operand is known to have
    wide: dict[Any, Num] = field(default_factory=dict)
    """Operations whose gradient comes in a shape they are broadcast to later: operands sum it down."""

    # -- up

    def full(self, g: Any, node: Any) -> Any:
        """`g` in the full shape of the value of `node`."""
        have, want = self.number(g), self.result_number(node)
        if same_shape(have.shape, want.shape) and have.array == want.array:
            return g
        if want.is_scalar or (have.shape is None and not have.is_scalar):
            return g
        if want.shape is not None and have.shape is not None and fills(have.shape, want.shape):
            return g
        e = spread_over(g, have, self.like(node), want)
        return self.with_kind(e, replace(want, active=True, buffers=frozenset()))

    def filled(self, e: Any, result: Num, operands: Sequence[Any]) -> Any:
        """A thin gradient spread out to the shape of the result."""
        mine = self.number(e)
        like = self.like_result(result, operands)
        spread = spread_over(e, mine, like, result)
        kind = replace(result, dtype=mine.dtype, active=True, buffers=frozenset())
        return self.with_kind(spread, kind)

    def may_be_thin(self, operand: Any, e: Any) -> bool:
        """Whether nothing tells how a gradient is spread over axes that are known when it runs, and somebody asks."""
        mine, callee = self.number(e), self.facts.callees.get(operand)
        if not self.number(operand).known:
            return True
        spreads = callee is not None and getattr(callee.rule, "law", None) == "elementwise"
        return mine.shape is None and not (mine.is_scalar or spreads)

    def like_result(self, result: Num, operands: Sequence[Any]) -> Any:
        """An operand that has the result's shape, or the value itself."""
        for other in operands:
            kind = self.facts.kinds.get(other)
            if stands_for(kind, result):
                return self.available(other)
        if self.current is None:  # a store or an update: the place itself comes first
            return self.available(operands[0])
        return self.result_of(self.current)

    # -- down

    def is_complete(self, g: Any, result: Num) -> bool:
        """Whether a gradient has the full shape of the result for sure."""
        mine = self.number(g)
        opaque = mine.shape is None and mine.array is None and result.shape is None
        return opaque or _is_equal(mine.shape, result.shape)

    def may_stay_wide(self, operand: Any, result: Num) -> bool:
        """Whether a complete gradient may pass through an operation as it is, though it may be too large.

        The sums over it are then taken by the operands of the operation, which need not be recorded for its shape.
        """
        callee, kind = self.facts.callees.get(operand), self.kind(operand)
        if not isinstance(kind, Num) or kind.is_scalar or not _is_unsure(kind, result):
            return False
        if callee is None or not isinstance(callee.rule, Rule) or self.complex_numbers:
            return False
        if callee.rule.law != "elementwise" or callee.function is np.where:
            return False
        if (
            operand in self.temporaries
            or self.is_cheap(operand)
            or self.shaped_like(operand) is not operand
        ):
            return False
        texts = self.texts(callee.rule, callee.rule.operands, callee).values()
        read = {name for text in texts for name in names_in_text(text)}
        return "y" not in read and not any(name.startswith("g_") for name in read)

    def of_operand(self, e: Any, operand: Any, complete: bool) -> Any:
        """What an elementwise rule gives to the operand that has the shape of the result."""
        if not complete or type(e) is gast.Name:
            return e
        mine, kind = self.number(e), self.number(operand)
        if mine.known:
            return e
        array = False if kind.shape == () else kind.array
        return self.with_kind(e, replace(mine, shape=kind.shape, array=array, buffers=frozenset()))

    def reduced(
        self,
        operand: Any,
        e: Any,
        result: Num,
        operands: Sequence[Any],
        complete: bool = False,
        spans: bool = False,
    ) -> Any:
        """`e`, which broadcasts to the shape of the result, summed down to the shape of the operand.

        complete: it has the shape of the result. spans: the operand and it broadcast to that.
        """
        kind = self.kind(operand)
        if isinstance(kind, (Tup, Seq)):
            return e
        assert isinstance(kind, Num)
        if result.is_scalar:
            return e
        known = kind.known and result.known
        mine = self.number(e)
        if known and same_shape(kind.shape, result.shape) and not mine.known:
            return e
        if known and _is_equal(kind.shape, result.shape):
            return self.as_large(operand, e, result, complete)
        if known and kind.shape is not None and result.shape is not None:
            times = None if complete else self.as_often(e, kind, result, operands)
            if times is not None:
                return times
            unsure = _is_unsure(kind, result)
            if not (complete or (spans and unsure)):
                if spans and self.lacks_shape(e, kind, result, operands):
                    unsure = True
                else:
                    e = self.filled_to_be_summed(e, kind.shape, result, operands)
            e = self.reduced_to_shape(operand, e, kind.shape, result, unsure)
            new = replace(kind, dtype=mine.dtype, weak=False, buffers=frozenset(), active=True)
            # A sum over all axes is a number, also where the operand is an array without axes.
            return self.with_kind(e, replace(new, array=bool(kind.shape)))
        if not (complete or spans or self.is_complete(e, result)):
            e = self.filled(e, result, operands)
        e = quote("unbroadcast({g}, {x})", g=e, x=self.available(self.shaped_like(operand)))
        new = replace(mine, shape=kind.shape, array=kind.array, buffers=frozenset())
        return self.with_kind(e, new)

    def fitted(self, operand: Any, e: Any) -> Any:
        """What a rule sums to the shape of the operand, whatever that is: as is known here, or not at all."""
        match e:
            case gast.Call(func=gast.Name(id="$unbroadcast"), args=[inner, _], keywords=[]):
                kind, whole = self.kind(operand), self.number(inner)
                if (
                    isinstance(kind, Num)
                    and kind.array
                    and whole.array
                    and _may_be_summed(kind, whole)
                ):
                    return self.reduced(operand, inner, whole, (operand,), complete=True)
        return e

    def as_large(self, operand: Any, e: Any, result: Num, complete: bool) -> Any:
        """What comes to an operand with the shape of the result, which has it too, or is thin for sure."""
        mine, kind = self.number(e), self.number(operand)
        if not (complete or _is_equal(mine.shape, result.shape)):
            return e if _is_thin(mine, result) else self.filled(e, kind, (operand,))
        if same_shape(mine.shape, kind.shape) or same_shape(kind.shape, result.shape):
            return e
        mine = replace(mine, shape=kind.shape, array=kind.array, buffers=frozenset())
        return self.named(e.id, mine) if type(e) is gast.Name else self.with_kind(e, mine)

    def filled_to_be_summed(
        self, e: Any, shape: Shape, result: Num, operands: Sequence[Any]
    ) -> Any:
        exact = same_shape(shape, result.shape)
        if exact or _is_equal(self.number(e).shape, result.shape):
            return e
        return self.filled(e, result, operands)

    def as_often(self, e: Any, kind: Num, result: Num, operands: Sequence[Any]) -> Any | None:
        """The gradient of a number that an array is computed with, the same for each of its elements."""
        mine = self.number(e)
        if kind.shape or not (mine.is_scalar and result.shape and result.is_double):
            return None
        whole = [other for other in operands if stands_for(self.facts.kinds.get(other), result)]
        if not whole and not isinstance(self.current, gast.AST):
            return None
        like = self.as_many(whole[0] if whole else self.current, result)
        return self.with_kind(quote("{e} * {x}.size", e=e, x=like), mine)

    def as_many(self, node: Any, result: Num) -> Any:
        """What has as many elements as the result: a name in the expression, or the expression."""
        for part in ir.walk(node):
            if ir.is_own_name(part):
                kind = self.facts.kinds.get(part)
                if isinstance(kind, Num) and kind.array and same_shape(kind.shape, result.shape):
                    return part
        return self.available(self.same_size(node))

    def lacks_shape(self, e: Any, kind: Num, result: Num, operands: Sequence[Any]) -> bool:
        """Whether the result would have to be recorded for its shape, so that a gradient can be filled up."""
        have = self.number(e).shape
        if same_shape(kind.shape, result.shape) or same_shape(have, result.shape):
            return False
        if self.current is None or self.current in self.temporaries:
            return False
        of_result = self.current is self.root and self.value_written() is not None
        return not of_result and not any(
            stands_for(self.facts.kinds.get(other), result) for other in operands
        )

    def reduced_to_shape(
        self, operand: Any, e: Any, shape: Shape, result: Num, unsure: bool
    ) -> Any:
        if unsure:
            return quote("unbroadcast({g}, {x})", g=e, x=self.available(self.shaped_like(operand)))
        assert result.shape is not None
        lead = len(result.shape) - len(shape)
        pairs = list(zip(shape, result.shape[lead:], strict=True))
        axes = [*range(lead), *(lead + k for k, (a, b) in enumerate(pairs) if a == 1 != b)]
        scalars = self.takes_axes_off(operand)
        return self.summed(e, axes, lead, result.shape, scalars)

    def takes_axes_off(self, operand: Any) -> bool:
        """Whether the gradient of an operand has axes which vanish in the next step: of `x[:, None]`, if of any."""
        parts = ir.parts_of(operand.slice) if isinstance(operand, gast.Subscript) else ()
        return not all(isinstance(p, gast.Slice) or is_integer(self.kind(p)) for p in parts)

    def summed(self, e: Any, axes: Sequence[int], lead: int, shape: Shape, scalars: bool) -> Any:
        """The sum, with a minus and factors that are the same along these axes taken out of it."""
        if leads_with_minus(e, self.kind):
            inner = negated(e, self.kind)
            return negated(self.summed(inner, axes, lead, shape, scalars), self.kind)
        match e:
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right) if (
                axes
                and same_shape(self.number(left).shape, shape)
                and self.is_same_along(right, () if scalars else axes, lead, len(shape))
            ):
                return gast.BinOp(self.summed(left, axes, lead, shape, scalars), op, right)
        if lead == len(shape) == 1:
            return self.inner_product(e) or _summed(e, axes, lead, 1, self.kind)
        return _summed(e, axes, lead, len(shape), self.kind)

    def is_same_along(self, e: Any, axes: Sequence[int], lead: int, rank: int) -> bool:
        """Whether a factor is a scalar, or has length 1 along these axes, if there are any, and none that vanishes."""
        kind = self.number(e)
        if not kind.known or not kind.shape:
            return kind.known
        skipped = rank - len(kind.shape)
        apart = bool(axes) and skipped >= lead
        return apart and all(a < skipped or kind.shape[a - skipped] == 1 for a in axes)

    def inner_product(self, e: Any) -> Any | None:
        """`a @ b` for the sum of `a * b`, of two vectors of one length and type."""
        match e:
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                a, b = self.number(left), self.number(right)
                vectors = a.rank == b.rank == 1 and same_shape(a.shape, b.shape)
                if vectors and a.array and b.array and a.dtype is not None and a.has_dtype_of(b):
                    return gast.BinOp(left, gast.MatMult(), right)
        return None

    def as_kind(self, e: Any, operand: Any) -> Any:
        """What a structural rule gives has the operand's shape; of a number it is one."""
        kind = self.kind(operand)
        if not (isinstance(kind, Num) and isinstance(e, gast.AST)):
            return e
        mine = self.number(e)
        known = mine.dtype or (None if self.complex_numbers else kind.dtype)
        if kind.is_scalar and mine.is_scalar:
            return e
        if kind.is_scalar and not (self.walk.device or is_number_made(e)):
            # an array without axes may be a view of another's gradient, to which more would be added
            number = quote("{e}[()]" if mine.array else "np.sum({e})", e=e)
            return self.with_kind(number, replace(kind, dtype=known, active=True))
        if isinstance(e, gast.Name) and mine.known:
            return e
        # on a device what reaches a number may be an array of no axes, of which another holds a part
        array = True if self.walk.device and kind.is_scalar else kind.array
        array = False if kind.shape == () and mine.is_scalar else array
        new = replace(mine, shape=kind.shape, array=array, dtype=known, active=True)
        return self.with_kind(e, new)


def _is_equal(shape: Shape | None, whole: Shape | None) -> bool:
    """Whether what broadcasts to a shape has that shape."""
    if shape is None or whole is None or len(shape) != len(whole):
        return False
    pairs = zip(shape, whole, strict=True)
    return all(same_length(a, b) or is_longer_than_one(a) for a, b in pairs)


def _is_thin(kind: Num, result: Num) -> bool:
    """Whether what broadcasts to the result is known to be either as large or of length 1 along each axis."""
    if not kind.known or kind.shape is None or result.shape is None:
        return False
    pairs = zip(reversed(kind.shape), reversed(result.shape), strict=False)
    return all(a == 1 or same_length(a, b) for a, b in pairs)


def _is_unsure(kind: Num, result: Num) -> bool:
    """Whether it can't be told over which axes the gradient of a result is summed for an operand.

    Over none that is known to be longer than one, since the operand broadcast to the result.
    """
    if not (kind.known and result.known) or kind.shape is None or result.shape is None:
        return True
    lead = len(result.shape) - len(kind.shape)
    if lead < 0:  # it does not broadcast to the result: this line raises, where it is reached
        return True
    pairs = zip(kind.shape, result.shape[lead:], strict=True)
    return None in result.shape[:lead] or not all(
        a == 1 or same_length(a, b) or is_longer_than_one(a) for a, b in pairs
    )


def _summed(e: Any, axes: Sequence[int], lead: int, rank: int, kind: Callable[[Any], Any]) -> Any:
    """The sum over leading axes, which vanish, and over others, which stay with length 1."""
    if not axes:
        return e
    if leads_with_minus(e, kind):
        return negated(_summed(negated(e, kind), axes, lead, rank, kind), kind)
    if len(axes) == rank and lead == rank:
        return quote("np.sum({g})", g=e)
    axis = constant(axes[0]) if len(axes) == 1 else template(repr(tuple(axes)), {})
    if list(axes) == list(range(lead)):
        return quote("np.sum({g}, axis={a})", g=e, a=axis)
    if lead == 0:
        return quote("np.sum({g}, axis={a}, keepdims=True)", g=e, a=axis)
    inner = _summed(e, list(range(lead)), lead, rank, kind)
    return _summed(inner, [a - lead for a in axes if a >= lead], 0, rank - lead, kind)


def _may_be_summed(kind: Num, whole: Num) -> bool:
    """Whether what has one shape is summed to another: not spread, as the gradient of such a sum is."""
    if kind.shape is None or whole.shape is None or len(kind.shape) > len(whole.shape):
        return False
    lead = len(whole.shape) - len(kind.shape)
    pairs = zip(kind.shape, whole.shape[lead:], strict=True)
    return all(a == 1 or is_longer_than_one(b) or same_shape((a,), (b,)) for a, b in pairs)
