"""The tangent of a call that has a rule of its user's own.

    y = sigmoid(x)    ->    y = sigmoid(x)
                            y_dot = sigmoid_tangent(np.zeros_like(y), y, x, x_dot)

Where the user gave no tangent, it follows from the adjoint: that is linear in dy, and the tangent is
the same map the other way round, which is the pullback of the adjoint with respect to dy. It does
not depend on dy, of which only the shape and type are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import element
from tangentish.algebra.tangents import Tangents
from tangentish.errors import NotDifferentiable, Refusal
from tangentish.infer import Callee
from tangentish.ir.quote import constant, helper, quote
from tangentish.kinds import Kind, Num, Tup, is_number, with_parts
from tangentish.rules import Rule
from tangentish.rules.own import OwnRule


@dataclass(frozen=True)
class TurnedRule:
    """The function that an adjoint becomes the other way round.

    keywords: the names by which it takes tangents, where they can't be given by position.
    listed: it takes one list of all tangents.
    """

    name: str
    keywords: tuple[str, ...] = ()
    listed: bool = False


TurnedRound = Callable[[OwnRule, tuple[Kind, ...], tuple[bool, ...]], TurnedRule]
"""Turns an adjoint round for kinds of arguments, some of which move."""


class Unable(Exception):
    """Why an adjoint gives no tangent."""


@dataclass
class OwnTangents(Tangents):
    """The part of the walk down an expression that calls tangents of the user's own rules."""

    turned_round: TurnedRound = field(kw_only=True)

    def of_rule(self, node: Any, callee: Callee, rule: Rule) -> Any | None:
        if not isinstance(rule, OwnRule):
            return super().of_rule(node, callee, rule)
        assert not rule.saves
        return self.of_own(node, callee, rule, [self.result_of(node)])

    def of_own(self, node: Any, callee: Callee, rule: OwnRule, results: list[Any]) -> Any | None:
        """The tangent of the result; `results` is that, and the residuals."""
        arguments = list(callee.bound.values())
        if all(self.tangent(a) is None for a in arguments):
            return None
        dots = [self.dot_of_argument(a) for a in arguments]
        given = [*results, *map(self.available, arguments)]
        e = self.called_tangent(node, rule, arguments, dots, given)
        if e is not None:
            self.with_kind(e, self.kind_of_moving(node, rule))
            self.filling.add(e)
        return e

    def dot_of_argument(self, argument: Any) -> Any:
        """The tangent of an argument in full, zeros where it does not move; None where it can't."""
        kind = self.kind(argument)
        if not (isinstance(kind, Num) and kind.is_float):
            return constant(None)
        e = self.tangent_or_zero(argument)
        return e if isinstance(e, gast.Constant) else self.shared(e)

    def called_tangent(
        self, node: Any, rule: OwnRule, arguments: list[Any], dots: list[Any], given: list[Any]
    ) -> Any | None:
        kind = self.kind_of_moving(node, rule)
        if rule.tangent_function is not None:
            first = dots[0] if len(dots) == 1 else gast.Tuple(dots, gast.Load())
            call = gast.Call(helper(rule.tangent_name), [first, *given], [])
            return (
                call
                if isinstance(kind, Tup)
                else gast.Call(helper("checked_tangent"), [call, given[0]], [])
            )
        kinds = (kind, *self.kinds_given(node, rule), *map(self.kind, arguments))
        moving = tuple(self.tangent(a) is not None for a in arguments)
        try:
            turned = self.turned_round(rule, kinds, moving)
        except NotDifferentiable as error:
            self.refuse_own(rule, error.msg, node)
            return None
        except Unable as error:
            self.refuse_own(rule, str(error), node)
            return None
        name = ir.name(f"${turned.name}")
        zeros = self.zeros_like(given[0], kind)
        dots = [gast.List(dots, gast.Load())] if turned.listed else dots
        if not turned.keywords:
            return gast.Call(name, [zeros, *given, *dots], [])
        named = [gast.keyword(k, dot) for k, dot in zip(turned.keywords, dots, strict=True)]
        return gast.Call(name, [zeros, *given], named)

    def zeros_like(self, y: Any, kind: Kind) -> Any:
        """What the tangent takes for dy, of which it reads only the shape."""
        if isinstance(kind, Tup):
            parts = [self.zeros_like(element(y, k), one) for k, one in enumerate(kind.items)]
            return gast.Tuple(parts, gast.Load())
        number = is_number(kind)
        return constant(0.0) if number else quote("np.zeros_like({y})", y=y)

    def refuse_own(self, rule: OwnRule, why: str, node: Any) -> None:
        name = getattr(rule.adjoint_function, "__name__", "its adjoint")
        message = (
            f"{rule.title} has no tangent: {name} can't be turned round ({why}); give one: "
            f"@adjoint({rule.title}, tangent=...)"
        )
        self.missing.append(Refusal(message, node))

    def kinds_given(self, node: Any, rule: OwnRule) -> tuple[Kind, ...]:
        kind = self.kind(node)
        return kind.items if rule.saves and isinstance(kind, Tup) else (kind,)

    def kind_of_moving(self, node: Any, rule: OwnRule) -> Kind:
        """The kind of the tangent: that of the result."""
        kind = self.kinds_given(node, rule)[0]
        return self.moving(kind)

    def moving(self, kind: Kind) -> Kind:
        if isinstance(kind, Num):
            return Num(kind.dtype, kind.shape, kind.array, active=True, weak=kind.weak)
        return with_parts(kind, self.moving)
