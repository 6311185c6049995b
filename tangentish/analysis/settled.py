"""Expressions of which nothing is taken apart: numbers, arrays and what is known, by rules, as nearly all are.

They are told once, and stay what they are: none of the questions is asked that what may be taken apart needs.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, ListMethod
from tangentish.kinds import Known, Num

__all__ = ["Settled"]

_KINDS = frozenset((Num, Known))
_WITH_KINDS = frozenset(
    (gast.Attribute, gast.BinOp, gast.Call, gast.Compare, gast.Name, gast.Subscript, gast.UnaryOp)
)
_WITHOUT = frozenset((gast.Constant, gast.Slice, gast.keyword))


class Settled:
    """Whether an expression is one of these."""

    def __init__(self, facts: Facts) -> None:
        self.kinds, self.callees = facts.kinds, facts.callees
        self.found: dict[Any, bool] = {}
        self.others: set[Any] = set().union(
            facts.answers, facts.as_arrays, facts.choices, facts.columns, facts.filled, facts.given_back,
            facts.handed, facts.integers, facts.keyed, facts.lifted, facts.lowered, facts.made, facts.operands,
            facts.parts_of_calls, facts.raising, facts.unnamed, facts.unstarred,
        )  # fmt: skip

    def __call__(self, node: Any) -> bool:
        known = self.found.get(node)
        if known is None:
            known = self.stands_by_itself(node) and all(map(self, ir.children(node)))
            self.found[node] = known
        return known

    def stands_by_itself(self, node: Any) -> bool:
        if node in self.others:
            return False
        if node.__class__ not in _WITH_KINDS:
            return node.__class__ in _WITHOUT
        if self.kinds.get(node).__class__ not in _KINDS:
            return False
        callee = self.callees.get(node)
        return callee is None or (
            callee.user is None and not isinstance(callee.function, ListMethod)
        )
