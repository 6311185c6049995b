"""Lists that calls give, whose elements have names of their own, as lists: where they meet others, grow, are stored to.

ys = f(x) if c else [v for v in x]    ->    ys = [*f(x)] if c else [v for v in x]
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup

__all__ = ["ListsOfCalls"]


class ListsOfCalls(Walk):
    """The part of the walk that makes a list of what a call gives."""

    def as_list_here(self, kind: Kind, node: Any) -> Kind:
        """f(x)  ->  [*f(x)], where elements have no names."""
        if not (isinstance(node, gast.Call) and isinstance(kind, Tup) and kind.is_list):
            return kind
        told_apart = kind.sites.isdisjoint(self.dynamic)
        made = all(isinstance(site, Made) for site in kind.sites)
        if told_apart or not (kind.active and made and self.gets_a_name(node)):
            return kind
        if not self.keeps_nothing(node):
            return kind
        call = self.made_once(
            (node, "call"), lambda: gast.Call(node.func, node.args, node.keywords), node
        )
        for facts in (self.facts.callees, self.facts.lifted):
            facts.pop(node, None)
        return self.answered_by(
            node, lambda: gast.List([gast.Starred(call, gast.Load())], gast.Load())
        )

    def gets_a_name(self, call: Any) -> bool:
        """Whether the line at hand gives what a call gives a name of the user's, on one way or another."""
        match self.statement:
            case ir.Assign(gast.Name(id=name), gast.IfExp(body=body, orelse=orelse)):
                return call in (body, orelse) and "+" not in name
            case ir.Assign(gast.Name(id=name), value):
                return call is value and "+" not in name
        return False

    def keeps_nothing(self, call: Any) -> bool:
        """Whether no one but the caller has what a function of the user's gives."""
        callee = self.facts.callees.get(call)
        return callee is not None and callee.user is not None and callee.user.quiet
