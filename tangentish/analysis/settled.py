"""Expressions and lines of which nothing is taken apart: numbers, arrays and what is known, by rules: nearly all.

They are told once, and stay what they are: none of the questions is asked that what may be taken apart needs.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, ListMethod
from tangentish.kinds import Known, Num, is_array

_KINDS = frozenset((Num, Known))
_WITH_KINDS = frozenset(
    (gast.Attribute, gast.BinOp, gast.Call, gast.Compare, gast.Name, gast.Subscript, gast.UnaryOp)
)
_WITHOUT = frozenset((gast.Constant, gast.Slice, gast.keyword))
_INDICES = frozenset((gast.Constant, gast.Name, gast.Slice))


class Settled:
    """Whether an expression, or a line, is one of these."""

    def __init__(self, facts: Facts) -> None:
        self.kinds, self.callees, self.web_kinds = facts.kinds, facts.callees, facts.web_kinds
        self.acting = bool(facts.changes or facts.acting or facts.handed)
        self.found: dict[Any, bool] = {}
        self.others: set[Any] = set().union(
            facts.answers, facts.as_arrays, facts.choices, facts.columns, facts.filled, facts.given_back,
            facts.handed, facts.integers, facts.keyed, facts.lifted, facts.lowered, facts.made, facts.operands,
            facts.parts_of_calls, facts.raising, facts.unnamed, facts.unstarred,
        )  # fmt: skip

    def __call__(self, node: Any) -> bool:
        known = self.found.get(node)
        if known is None:
            known = self.found[node] = all(map(self.stands_by_itself, ir.walk(node)))
        return known

    def only_computes(self, line: ir.Statement) -> bool:
        """Whether a line gives a name, or a place of an array, a number or an array computed from such."""
        if not isinstance(line, ir.Assign | ir.Update) or self.acting or line in self.others:
            return False
        target, value = line.target, line.value
        kind = (
            self.web_kinds.get(target.id)
            if target.__class__ is gast.Name
            else self.kinds.get(target)
        )
        if kind.__class__ is not Num or ir.is_none(value):
            return False
        return self(value) and self(target) and not any(map(self.is_mask, ir.nodes_in(line)))

    def is_mask(self, node: Any) -> bool:
        """Whether this is a place by an array that is computed there, which may get a name (named_indices.py)."""
        if node.__class__ is not gast.Subscript or node.slice.__class__ in _INDICES:
            return False
        return is_array(self.kinds.get(node.slice))

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
