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

    for k in range(n):
        v = v.copy()                # so it is where arrays take turns (analysis/rotating.py)
        v[1:-1] = ... u ...
        u, v = v, u
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
from tangentish.kinds import buffers_of, is_array, sites_of_buffers
from tangentish.recording.written_places import sites_before

SitesByNode = Mapping[Hashable, Mapping[Hashable, Set[str]]]
"""The memory that is made at a node, by its id, and the values that may lie there."""


class OfTrip(NamedTuple):
    """Of the memory that is made at a site, that which the trip at hand made."""

    site: Hashable


class HandedOn(NamedTuple):
    """An array that a trip makes, and finishes before another name knows it."""

    name: str  # by which the trip makes it
    carriers: frozenset[str]  # the other names by which later trips find it


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
            self._gone[loop] = frozenset((*self._own(loop), *map(OfTrip, self._handed_on_by(loop))))
        return self._gone[loop]

    @cached_property
    def handed_on(self) -> Mapping[Hashable, HandedOn]:
        """By the sites at which trips make them."""
        loops = (s for s in self._statements if isinstance(s, (ir.For, ir.While)))
        return {site: array for loop in loops for site, array in self._handed_on_by(loop).items()}

    def _own(self, loop: ir.For | ir.While) -> Iterator[Hashable]:
        """The sites at which each trip makes an array that is gone when the next one begins."""
        carried = self.carried.get(loop, frozenset())
        for node in ir.nodes_in(*ir.walk_statements(loop.body)):
            for site, names in self._made_at.get(id(node), {}).items():
                if carried.isdisjoint(names):
                    yield site

    def _handed_on_by(self, loop: ir.For | ir.While) -> dict[Hashable, HandedOn]:
        carried = self.carried.get(loop, frozenset())
        found: dict[Hashable, HandedOn] = {}
        for position, statement in enumerate(loop.body):
            name, site = self._made_by(statement)
            carriers = carried.intersection(self.holders.get(site, ())) - {name}
            if carriers and self._is_finished(name, site, loop.body[position:], carriers):
                found[site] = HandedOn(name, carriers)
        return found

    def _made_by(self, statement: ir.Statement) -> tuple[str, Hashable]:
        """The name of an array that lies in memory which is made here, and the site of that."""
        match statement:
            case ir.Assign(gast.Name(id=name), value) if self.is_made(statement):
                kind = self.facts.kind(value)
                sites = sites_of_buffers(buffers_of(kind)) if is_array(kind) else ()
                if len(sites) == 1 and statement in self.facts.before:
                    return name, next(iter(sites))
        return "", None

    def _is_finished(
        self, name: str, site: Hashable, lines: Sequence[ir.Statement], carriers: Set[str]
    ) -> bool:
        """Whether all that is written to an array under its name comes before another trip's name for it is bound."""
        inside = [list(ir.walk_statements((line,))) for line in lines]
        writing = [
            k for k, line in enumerate(inside) if any(self._writes(s, name, site) for s in line)
        ]
        until = [s for line in inside[: max(writing, default=0) + 1] for s in line]
        bound = {n for s in until for n in ir.defined_names(s)}
        again = [s for s in until[1:] if s in self._assigned.get(name, ())]
        everywhere = sum(self._writes(s, name, site) for s in self._statements)
        return (
            everywhere == sum(self._writes(s, name, site) for line in inside for s in line)
            and not again
            and carriers.isdisjoint(bound)
            and all(is_array(self.facts.web_kinds.get(n)) for n in carriers)
        )

    def _writes(self, statement: ir.Statement, name: str, site: Hashable) -> bool:
        """Whether a line writes under this name to what is made there, and to nothing else."""
        in_place = isinstance(statement, ir.Update) and name in ir.defined_names(statement)
        if not in_place and name not in self.facts.writes.get(statement, ()):
            return False
        here = sites_before(statement, name, self.facts) or self.facts.sites(name)
        return here == {site}

    @cached_property
    def _statements(self) -> Sequence[ir.Statement]:
        return list(ir.walk_statements(self.function.body))

    @cached_property
    def _assigned(self) -> Mapping[str, Sequence[ir.Statement]]:
        """The statements that bind names, updates aside."""
        found: dict[str, list[ir.Statement]] = defaultdict(list)
        for statement in self._statements:
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


def _node_of(site: Hashable) -> Hashable:
    """Of memory that is made at a node, the id of that (infer/walk.py)."""
    return site[1] if isinstance(site, tuple) and site[:1] == ("result",) else site
