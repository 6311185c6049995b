"""Arrays that take turns in a loop, where each trip writes to one of them: that trip gets an array of its own.

    for _ in range(n):                         for _ in range(n):
        new[1:] = f(now)               ->          new = new.copy()
        now, new = new, now                        new[1:] = f(now)
                                                   now, new = new, now

Which array a name stands for does not matter then: no other name sees what is written to the copy.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.several_arrays import Bindings, Group, TooMuch, pairs_of
from tangentish.infer import Facts
from tangentish.ir.names_live import NamesLive
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import Num, buffers_of
from tangentish.kinds.sites import is_from_outside
from tangentish.language.webs import map_blocks

Loop = ir.For | ir.While


def with_trips_apart(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function whose trips write to copies of their own; None where no arrays take turns."""
    names = {name for c in facts.conflicts for name in (c.name, c.writer)}
    names |= {name for call in facts.lent_together for name in ir.names_in(call)}
    bindings = Bindings(function, facts)
    for name in sorted(names & facts.web_kinds.keys()):
        try:
            turns = _Turns.of(bindings, name)
        except TooMuch:
            continue
        if turns is not None and turns.copied:
            body = turns.block(function.body)
            return replace(function, body=body)
    return None


@dataclass
class _Turns:
    """Names that hand on arrays to each other, which nothing else sees."""

    function: ir.Function
    group: Group
    facts: Facts

    @classmethod
    def of(cls, bindings: Bindings, name: str) -> _Turns | None:
        function, facts = bindings.function, bindings.facts
        group = Group.of(bindings, name)
        if len(group.arrays) < 2 or group.given:
            return None
        turns = cls(function, group, facts)
        for expression in (e for line in turns.lines for e in ir.expressions_of(line)):
            group.reads(expression)
        if turns.is_seen():
            return None
        group.follow(function.body)
        return turns

    def is_seen(self) -> bool:
        """Whether any other name, or what is not followed, may stand for one of the arrays, or two of them overlap."""
        kinds = self.facts.web_kinds
        mine = {b.site for n in self.group.names for b in buffers_of(kinds[n])}
        others = (
            {b.site for b in (*buffers_of(kind), *self.facts.untold.get(n, ()))}
            for n, kind in kinds.items()
            if n not in self.group.names
        )
        return (
            self.overlap()
            or any(map(is_from_outside, mine))
            or not mine.isdisjoint(self.facts.let_out)
            or not all(map(mine.isdisjoint, others))
        )

    def overlap(self) -> bool:
        """Whether two of the arrays may lie in the same memory: a, b = t[1:], t[:-1]; rows of an array do not."""
        found: dict[int, set[Hashable]] = {}
        for target in (array.target for array in self.group.arrays):
            sites = {b.site for b in buffers_of(self.facts.kind(target))}
            found.setdefault(id(self.unpacked.get(target, target)), set()).update(sites)
        return sum(map(len, found.values())) > len(set().union(*found.values()))

    @cached_property
    def unpacked(self) -> dict[Any, Any]:
        """The arrays whose rows these targets are: a, b = m."""
        assigned = (line for line in self.lines if isinstance(line, ir.Assign))
        pairs = (pair for line in assigned for pair in pairs_of(line))
        return {
            row: value
            for target, value in pairs
            if isinstance(target, gast.Tuple) and isinstance(self.facts.kind(value), Num)
            for row in target.elts
        }

    @property
    def lines(self) -> tuple[ir.Statement, ...]:
        return ir.walk_statements(self.function.body)

    @cached_property
    def live(self) -> Mapping[ir.Statement, frozenset[str]]:
        """What is read later, at the start of every trip."""
        walk = NamesLive()
        walk.block(self.function.body, frozenset())
        return walk.at_head

    @cached_property
    def copied(self) -> dict[ir.Statement, list[str]]:
        """The names of what each trip of a loop writes to."""
        loops = (line for line in self.lines if isinstance(line, Loop))
        found = {loop: self.written_in(loop) for loop in loops}
        return {loop: names for loop, names in found.items() if names}

    def written_in(self, loop: Loop) -> list[str]:
        """The names, at the start of a trip, of what it writes to, if arrays take turns in it."""
        now = {name: name for name in self.group.names}
        written, large, turned = set(), False, False
        for line in loop.body:
            for inner in ir.walk_statements((line,)):
                names = {now[n] for n in self.facts.writes.get(inner, ()) if n in now}
                written |= names
                large |= bool(names) and (inner is not line or not _is_of_element(inner))
            handed = self.handed_on(line)
            turned |= bool(handed)
            now |= {target: now[value] for target, value in handed.items()}
            if any(self.handed_on(s) for b in ir.blocks_of(line) for s in ir.walk_statements(b)):
                return []
        apart = all(self.is_alone(name, loop) for name in written)
        return sorted(written) if turned and apart and large else []

    def handed_on(self, line: ir.Statement) -> dict[str, str]:
        pairs = pairs_of(line) if isinstance(line, ir.Assign) else ()
        return {
            target.id: value.id
            for target, value in pairs
            if isinstance(target, gast.Name) and self.group.is_handed_on(value)
        }

    def is_alone(self, name: str, loop: Loop) -> bool:
        """Whether no other name stands for the same array at the start of a trip."""
        order = self.group.order
        place = order.index(name)
        others = [k for k, n in enumerate(order) if n in self.live[loop] and k != place]
        states = self.group.states[loop.body[0]]
        return all(s[place] != -1 and s[place] not in [s[k] for k in others] for s in states)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, old: ir.Statement) -> ir.Statement:
        new = map_blocks(old, self.block)
        if old not in self.copied:
            return new
        assert isinstance(new, Loop)
        lines = (self.copy(name) for name in self.copied[old])
        return replace(new, body=(*lines, *new.body))

    def copy(self, name: str) -> ir.Statement:
        return ir.Assign(ir.name(name), quote("{x}.copy()", x=ir.name(name)), NOWHERE)


def _is_of_element(line: ir.Statement) -> bool:
    """Whether a single element is stored: a copy of all takes long where a trip does no more than that."""
    match line:
        case (
            ir.Assign(target=gast.Subscript(slice=index))
            | ir.Update(target=gast.Subscript(slice=index))
        ):
            return not any(isinstance(part, gast.Slice) for part in ir.walk(index))
    return False
