"""The values whose tangents a function needs: those that the wanted results are computed from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.expressions import subscripts
from tangentish.infer import Facts

__all__ = ["Moving"]


@dataclass
class Moving:
    """Values that vary and matter, and the values that share memory with them."""

    facts: Facts

    def needed(self, function: ir.Function, wanted: Iterable[str]) -> frozenset[str]:
        """The values that have tangents, given those whose tangents are asked for."""
        found = self.with_memory(set(wanted))
        statements = [s for s in ir.walk_statements(function.body) if s in self.facts.before]
        while True:
            more = self.with_memory(found.union(*(self.read_for(s, found) for s in statements)))
            if more == found:
                return frozenset(v for v in found if self.facts.web_kinds[v].active)
            found = more

    def with_memory(self, values: set[str]) -> set[str]:
        sites = frozenset[Any]().union(*map(self.facts.sites, values))
        return values | {v for v in self.facts.web_kinds if self.facts.sites(v) & sites}

    def read_for(self, statement: ir.Statement, found: set[str]) -> set[str]:
        """The values that a statement reads to compute those that are needed."""
        if not found.isdisjoint(self.changed(statement)):
            return {
                n
                for e in ir.expressions_of(statement)
                for n in ir.names_in(e)
                if n in self.facts.web_kinds
            }
        return set()

    def changed(self, statement: ir.Statement) -> set[str]:
        """The values that a statement binds or writes to."""
        if ir.blocks_of(statement):
            return set()
        names = {*ir.defined_names(statement), *self.facts.writes.get(statement, ())}
        if isinstance(statement, (ir.Assign, ir.Update)):
            roots = map(ir.root_of, subscripts(statement.target))
            names |= {root.id for root in roots if isinstance(root, gast.Name)}
        return names
