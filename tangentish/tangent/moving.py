"""The values whose tangents a function needs: those that the wanted results are computed from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import UNKNOWN


@dataclass
class Moving:
    """Values that vary and matter."""

    facts: Facts

    def needed(self, function: ir.Function, wanted: Iterable[str]) -> frozenset[str]:
        """The values that have tangents, given those whose tangents are asked for."""
        found = set(wanted)
        statements = [s for s in ir.walk_statements(function.body) if s in self.facts.before]
        while True:
            memory = frozenset[Any]().union(*map(self.facts.sites, found))
            hit = [s for s in statements if self.matters(s, found, memory)]
            more = found.union(*map(self.named_in, hit))
            if more == found:
                return frozenset(v for v in found if self.facts.web_kinds.get(v, UNKNOWN).active)
            found = more

    def matters(self, statement: ir.Statement, found: set[str], memory: frozenset[Any]) -> bool:
        """Whether a statement binds a value that is needed, or writes to memory of one."""
        if ir.blocks_of(statement):
            return False
        if not found.isdisjoint(ir.defined_names(statement)):
            return True
        written = set(self.facts.writes.get(statement, ()))
        if isinstance(statement, (ir.Assign, ir.Update)):
            roots = map(ir.root_of, ir.store_targets(statement.target))
            written |= {root.id for root in roots if isinstance(root, gast.Name)}
        return any(name in found or self.facts.sites(name) & memory for name in written)

    def named_in(self, statement: ir.Statement) -> set[str]:
        names = ir.mentioned(statement)
        return {n for n in names if n in self.facts.web_kinds}
