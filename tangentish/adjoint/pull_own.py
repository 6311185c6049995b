"""Back through calls of functions with a rule of their user's own: the rule is called.

y = affine(w, x, n)    <-    dw, dx, _ = checked(affine_adjoint(dy, y, w, x, n), w, x, None)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import without_memory
from tangentish.adjoint.selections import Selections
from tangentish.algebra.expressions import element
from tangentish.infer import Callee
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, helper, quote
from tangentish.kinds import Kind, Num, Tup, is_number, replace
from tangentish.kinds.lengths import same_shape
from tangentish.rules.own import OwnRule


@dataclass
class OwnPull(Selections):
    """The part of the walk down an expression that calls rules of the user's own."""

    def pull(self, node: Any, g: Any) -> None:
        raise NotImplementedError

    def item(self, g: Any, k: int) -> Any:
        raise NotImplementedError

    def pull_own(self, node: Any, g: Any, callee: Callee, rule: OwnRule) -> None:
        arguments = list(callee.bound.values())
        call = self.adjoint_call(node, g, rule, arguments)
        wanted = [self.available(a) if self.kind(a).active else constant(None) for a in arguments]
        gradients = gast.Call(helper("checked"), [call, *wanted], [])
        if len(arguments) == 1:
            e = self.with_kind(gradients, self.gradient_kind(arguments[0]))
            self.deliver_own(arguments[0], e, node)
            return
        received = [self.received(name, a) for name, a in callee.bound.items()]
        target = gast.Tuple(list(received), gast.Store())
        self.emit(ir.Assign(target, gradients, NOWHERE))
        for argument, name in zip(arguments, received, strict=True):
            if self.kind(argument).active:
                e = self.named(name.id, self.gradient_kind(argument))
                self.deliver_own(argument, e, node)

    def deliver_own(self, argument: Any, e: Any, node: Any) -> None:
        """Pass on what a rule gave; where a value was not selected, it may be no number."""
        keeps = bool(self.guards) and self.may_guard(argument, self.result_number(node))
        with self.under(self.guards if keeps else ()):
            self.pull(argument, e)

    def adjoint_call(self, node: Any, g: Any, rule: OwnRule, arguments: Sequence[Any]) -> Any:
        """f_adjoint(dy, y, *args)"""
        given = [self.available(a) for a in arguments]
        y = self.result_of(node)
        if rule.saves:
            results = [element(y, 0), element(y, 1)]
            head = element(g, 0)
            kinds = self.kind(node)
            assert isinstance(kinds, Tup)
            first = kinds.items[0]
            head = (
                self.heads(head, results[0], first)
                if isinstance(first, Tup)
                else self.whole(head, results[0], first)
            )
            return gast.Call(helper(rule.adjoint_name), [head, *results, *given], [])
        kind = self.kind(node)
        head = self.heads(g, y, kind) if isinstance(kind, Tup) else self.full(g, node)
        return gast.Call(helper(rule.adjoint_name), [head, y, *given], [])

    def heads(self, g: Any, y: Any, kind: Tup) -> Any:
        """The gradients of several results, zeros where nothing comes back."""
        display = isinstance(g, gast.Tuple)
        heads = list(g.elts) if display else [self.item(g, k) for k in range(len(kind.items))]
        parts = [
            self.whole(head, element(y, k), one)
            for k, (head, one) in enumerate(zip(heads, kind.items, strict=True))
        ]
        return gast.Tuple(parts, gast.Load())

    def whole(self, g: Any, y: Any, kind: Kind) -> Any:
        """The gradient of one of several results in its full shape."""
        number = is_number(kind)
        if ir.is_none(g):
            return constant(0.0) if number else quote("np.zeros_like({y})", y=y)
        have = self.number(g)
        full = isinstance(kind, Num) and same_shape(have.shape, kind.shape) and have.array
        return g if number or full else quote("full({g}, {y})", g=g, y=y)

    def received(self, name: str, argument: Any) -> Any:
        active = self.kind(argument).active
        return ir.name(self.fresh(f"d{name.lstrip('_')}") if active else "_")

    def gradient_kind(self, argument: Any) -> Kind:
        kind = without_memory(self.kind(argument))
        return replace(kind, active=True, contiguous=False) if isinstance(kind, Num) else kind
