"""Places that several lines compute, to index what carries a derivative, are computed once, and have one name.

a[k + 1, k] = x             index = k + 1
a[k, k + 1] = -x     ->     a[index, k] = x
                            a[k, index] = -x

Only of names and numbers by operators, in one block, and where nothing between binds these names or writes to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import names_made
from tangentish.analysis.named_indices import computed_indices, index_name
from tangentish.infer import Facts
from tangentish.language.webs import map_each, map_statement

__all__ = ["with_indices_once"]


def with_indices_once(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with names for such places; None where there are none."""
    naming = _Naming(facts, names_made(function))
    body = naming.block(function.body)
    if not naming.names:
        return None
    return replace(function, body=body)


@dataclass
class _Group:
    """The same places in several lines, of which nothing has changed so far."""

    first: int  # which line of the block computes them first
    origin: ir.Origin
    names: frozenset[str]
    parts: list[Any]
    lines: int = 1


class _Naming:
    def __init__(self, facts: Facts, count: int) -> None:
        self.facts = facts
        self.count = count
        self.names: dict[Any, str] = {}  # of the places, where they are computed

    def block(self, block: ir.Block) -> ir.Block:
        made: dict[int, list[ir.Statement]] = {}
        for group in self.groups(block):
            if group.lines > 1:
                made.setdefault(group.first, []).append(self.named(group))
        inner = map_each(block, self.block)
        if not self.names:
            return block
        return tuple(
            line
            for k, statement in enumerate(inner)
            for line in (*made.get(k, ()), self.with_names(statement))
        )

    def groups(self, block: ir.Block) -> Iterator[_Group]:
        open_groups: dict[str, _Group] = {}
        for k, line in enumerate(block):
            if isinstance(line, (ir.Assign, ir.Update)) and line in self.facts.before:
                for form, parts in self.computed(line).items():
                    group = open_groups.get(form)
                    if group is None:
                        names = frozenset(ir.names_in(parts[0]))
                        open_groups[form] = _Group(k, line.origin, names, parts)
                    else:
                        group.parts += parts
                        group.lines += 1
            changed = [form for form, g in open_groups.items() if self.is_changed(g.names, line)]
            yield from map(open_groups.pop, changed)
        yield from open_groups.values()

    def computed(self, line: ir.Statement) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for part in computed_indices(line, self.facts):
            if all(map(ir.is_value, ir.names_in(part))):
                found.setdefault(ir.dump(part), []).append(part)
        return found

    def is_changed(self, names: frozenset[str], line: ir.Statement) -> bool:
        """Whether a line binds one of the names, or writes to what they stand for."""
        sites = {site for name in names for site in self.facts.sites(name)}
        for inner in ir.walk_statements((line,)):
            written = self.facts.writes.get(inner, ())
            if not names.isdisjoint((*ir.defined_names(inner), *written)):
                return True
            if any(not sites.isdisjoint(self.facts.sites(name)) for name in written):
                return True
        return False

    def named(self, group: _Group) -> ir.Statement:
        self.count += 1
        first = group.parts[0]
        name = f"{index_name(self.facts.kind(first))}.+{self.count}"
        self.names |= dict.fromkeys(group.parts, name)
        return ir.Assign(
            gast.copy_location(ir.name(name), first), ir.duplicate(first), group.origin
        )

    def with_names(self, statement: ir.Statement) -> ir.Statement:
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return statement

        def change(node: Any) -> Any:
            name = self.names.get(node)
            return None if name is None else gast.copy_location(ir.name(name), node)

        return map_statement(statement, lambda e: ir.copy_expression(e, change), lambda b: b)
