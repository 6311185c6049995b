"""Terms of a sum that differ in a number only are one term: `0.5 * g * x + g * (0.5 * x)` is `g * x`.

So of `0.5 * x * x`, whose factors have a term each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.expressions import outline, signed
from tangentish.ir.quote import constant

Factors = list[tuple[Any, Any]]  # (Mult or Div, factor)


class _Term(NamedTuple):
    number: float
    factors: Factors

    @property
    def outline(self) -> frozenset[Any]:
        """What terms that are like each other have in common, whatever else."""
        return frozenset([(type(op), outline(e)) for op, e in self.factors])

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(sorted(type(op).__name__ + ir.dump(e) for op, e in self.factors))


def with_like_terms_added(terms: Sequence[Any]) -> list[Any]:
    """The terms, those that are like another added to the first of them."""
    taken_apart = list(map(_taken_apart, terms))
    if len({parts.outline for parts in taken_apart}) == len(terms):
        return list(terms)
    found: dict[tuple[str, ...], list[tuple[Any, _Term]]] = {}
    for term, parts in zip(terms, taken_apart, strict=True):
        found.setdefault(parts.key, []).append((term, parts))
    return [e for same in found.values() for e in _added(same)]


def _taken_apart(term: Any) -> _Term:
    positive, sign = signed(term)
    number: float = sign
    factors: Factors = []
    for op, factor in _factors(positive, gast.Mult()):
        match factor:
            case gast.Constant(value=int() | float() as value) if isinstance(op, gast.Mult):
                number *= value
            case gast.UnaryOp(
                op=gast.USub(), operand=gast.Constant(value=int() | float() as value)
            ) if isinstance(op, gast.Mult):
                number *= -value
            case _:
                factors.append((op, factor))
    return _Term(number, factors)


def _factors(e: Any, op: Any) -> Factors:
    match op, e:
        case gast.Mult(), gast.BinOp(left=left, op=gast.Mult() | gast.Div() as then, right=right):
            return [*_factors(left, op), *_factors(right, then)]
    return [(op, e)]


def _added(same: Sequence[tuple[Any, _Term]]) -> list[Any]:
    number = sum(term.number for _, term in same)
    if len(same) == 1 or number == 0 or not same[0][1].factors:
        return [term for term, _ in same]
    (op, product), *others = same[0][1].factors
    if abs(number) != 1 or isinstance(op, gast.Div):
        product = gast.BinOp(constant(abs(number)), op, product)
    for then, factor in others:
        product = gast.BinOp(product, then, factor)
    return [gast.UnaryOp(gast.USub(), product) if number < 0 else product]
