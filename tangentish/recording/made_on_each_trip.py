"""Memory that each trip of a loop makes for itself.

    for k in range(n):
        lap = np.zeros(m)           # no other trip knows it
        lap[1:-1] = ...
        u += dt * lap

The walk back over a trip need not bring back what this array held at first: earlier trips had arrays of their own.

    for k in range(n):
        v = np.zeros(m)             # handed on to the next trip when it is finished
        v[1:-1] = ... u ...
        u = v

Nor what this one held at first: where a trip reads `u`, that is what an earlier trip made. So reads of such memory are
told apart: those that may be of the array of the trip at hand (OfTrip), and those that are of any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import Num

__all__ = ["HandedOn", "MadeOnEachTrip", "OfTrip"]

SitesByNode = Mapping[Hashable, Mapping[Hashable, Set[str]]]
"""The memory that is made at a node, by its id, and the values that may lie there."""


class OfTrip(NamedTuple):
    """Of the memory that is made at a site, that which the trip at hand made."""

    site: Hashable


class HandedOn(NamedTuple):
    """An array that a trip makes, and finishes before another name knows it."""

    site: Hashable
    carriers: frozenset[str]  # the names by which later trips find it


@dataclass
class MadeOnEachTrip:
    """The arrays that trips of one function's loops make."""

    function: ir.Function
    facts: Facts
    carried: Mapping[
        ir.Statement, frozenset[str]
    ]  # the values a trip may find as another left them
    holders: Mapping[Any, Set[str]]  # the values that may lie in the memory of a site
    is_made: Callable[[ir.Statement], bool]  # whether what it binds lies in memory that it makes
    _gone: dict[ir.Statement, frozenset[Hashable]] = field(default_factory=dict)

    def gone(self, loop: ir.For | ir.While) -> frozenset[Hashable]:
        """The memory that a trip makes and no other reads, as far as it reads what the trip at hand has made."""
        if loop not in self._gone:
            handed_on = (OfTrip(array.site) for array in self._handed_on_by(loop).values())
            self._gone[loop] = frozenset((*self._own(loop), *handed_on))
        return self._gone[loop]

    @cached_property
    def handed_on(self) -> Mapping[str, HandedOn]:
        """By the names under which trips make them."""
        statements = ir.walk_statements(self.function.body)
        loops = (s for s in statements if isinstance(s, (ir.For, ir.While)))
        return {n: array for loop in loops for n, array in self._handed_on_by(loop).items()}

    def _own(self, loop: ir.For | ir.While) -> Iterator[Hashable]:
        """The sites at which each trip makes an array that is gone when the next one begins."""
        carried = self.carried.get(loop, frozenset())
        for node in _nodes(loop.body):
            for site, names in self._made_at.get(id(node), {}).items():
                if carried.isdisjoint(names):
                    yield site

    def _handed_on_by(self, loop: ir.For | ir.While) -> dict[str, HandedOn]:
        carried = self.carried.get(loop, frozenset())
        found: dict[str, HandedOn] = {}
        for position, statement in enumerate(loop.body):
            name = self._made_by(statement)
            if name is None or name in carried:
                continue
            sites = self.facts.sites(name)
            carriers = carried.intersection(*(self.holders.get(site, ()) for site in sites))
            if len(sites) == 1 and carriers and self._is_finished(name, loop, position, carriers):
                found[name] = HandedOn(next(iter(sites)), carriers)
        return found

    def _made_by(self, statement: ir.Statement) -> str | None:
        """The name of an array that is bound here only, and lies in memory that is made here."""
        match statement:
            case ir.Assign(gast.Name(id=name)) if self._assigned[name] == [statement]:
                return str(name) if self._is_array(name) and self.is_made(statement) else None
        return None

    def _is_finished(
        self, name: str, loop: ir.For | ir.While, position: int, carriers: Set[str]
    ) -> bool:
        """Whether all that is written to an array under its name comes before another trip's name for it is bound."""
        lines = [ir.walk_statements((line,)) for line in loop.body[position:]]
        writing = [k for k, line in enumerate(lines) if any(self._writes(s, name) for s in line)]
        until = lines[: max(writing, default=0) + 1]
        bound = {n for line in until for s in line for n in ir.defined_names(s)}
        everywhere = sum(self._writes(s, name) for s in ir.walk_statements(self.function.body))
        inside = sum(self._writes(s, name) for line in lines for s in line)
        return (
            everywhere == inside
            and carriers.isdisjoint(bound)
            and all(map(self._is_array, carriers))
        )

    def _writes(self, statement: ir.Statement, name: str) -> bool:
        in_place = isinstance(statement, ir.Update) and name in ir.defined_names(statement)
        return in_place or name in self.facts.writes.get(statement, ())

    def _is_array(self, name: str) -> bool:
        kind = self.facts.web_kinds.get(name)
        return isinstance(kind, Num) and kind.array is True

    @cached_property
    def _assigned(self) -> Mapping[str, Sequence[ir.Statement]]:
        """The statements that bind names, updates aside."""
        found: dict[str, list[ir.Statement]] = defaultdict(list)
        for statement in ir.walk_statements(self.function.body):
            if not isinstance(statement, ir.Update):
                for name in ir.defined_names(statement):
                    found[name].append(statement)
        return found

    @cached_property
    def _made_at(self) -> SitesByNode:
        found: dict[Hashable, dict[Hashable, Set[str]]] = defaultdict(dict)
        for site, names in self.holders.items():
            found[_node_of(site)][site] = names
        return found


def _nodes(block: ir.Block) -> Iterator[Any]:
    for statement in ir.walk_statements(block):
        for expression in ir.expressions_of(statement):
            yield from ir.walk(expression)


def _node_of(site: Hashable) -> Hashable:
    """Of memory that is made at a node, the id of that (infer/walk.py)."""
    return site[1] if isinstance(site, tuple) and site[:1] == ("result",) else site
