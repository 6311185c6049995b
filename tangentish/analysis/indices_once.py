"""Places that several lines compute, to index what carries a derivative, are computed once, and have one name.

a[k + 1, k] = x             index = k + 1
a[k, k + 1] = -x     ->     a[index, k] = x
                            a[k, index] = -x

Only of names and numbers by operators, in one block, and where nothing between binds these names or writes to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import names_made
from tangentish.analysis.named_indices import computed_indices, index_name
from tangentish.analysis.same_values import Group, groups_of
from tangentish.infer import Facts
from tangentish.ir.origins import origin_of
from tangentish.language.webs import map_each, map_nodes, names_instead


def with_indices_once(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with names for such places; None where there are none."""
    naming = _Naming(facts, names_made(function))
    body = naming.block(function.body)
    if not naming.names:
        return None
    return replace(function, body=body)


class _Naming:
    def __init__(self, facts: Facts, count: int) -> None:
        self.facts = facts
        self.count = count
        self.names: dict[Any, str] = {}  # of the places, where they are computed

    def block(self, block: ir.Block) -> ir.Block:
        made: dict[int, list[ir.Statement]] = {}
        for group in groups_of(block, self.facts, self.computed):
            first = group.lines[0]
            if group.lines[-1] > first:
                made.setdefault(first, []).append(self.named(group, origin_of(block[first])))
        inner = map_each(block, self.block)
        if not self.names:
            return block
        return tuple(
            line
            for k, statement in enumerate(inner)
            for line in (*made.get(k, ()), self.with_names(statement))
        )

    def computed(self, line: ir.Assign | ir.Update) -> Iterator[Any]:
        for part in computed_indices(line, self.facts):
            if all(map(ir.is_value, ir.names_in(part))):
                yield part

    def named(self, group: Group, origin: ir.Origin) -> ir.Statement:
        self.count += 1
        first = group.parts[0]
        name = f"{index_name(self.facts.kind(first))}.+{self.count}"
        self.names |= dict.fromkeys(group.parts, name)
        return ir.Assign(gast.copy_location(ir.name(name), first), ir.duplicate(first), origin)

    def with_names(self, statement: ir.Statement) -> ir.Statement:
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return statement
        return map_nodes(statement, names_instead(self.names))
