"""What led to the items of a loop that is written out, and may be something else before their trips.

for m in (h.a, h.b):      h.b = First(v); s += m.k      ->    t = (h.a, h.b), on a line before
for m in d.values():      d["a"] = First(v); s += m.k   ->    m = d["a"], at the head of each trip
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.item_expressions import VIEWS
from tangentish.infer.literals_outside import LiteralsOutside
from tangentish.infer.starting_again import NameFirst, StartAnew
from tangentish.infer.walk import Walk
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.kinds import Kind, Tup

Place = tuple[Hashable, Hashable]  # where a container was made, and a key


@dataclass
class WaysToItems(LiteralsOutside):
    """The part of the walk that knows by which names and keys the trips of a loop ask for their items.

    A trip has its own where the text says `h.b` or `d["a"]` for the name of its item, as long as nothing else is put
    there.

    ways_to_items: by the lines of loops that are written out, what leads to their items or is one, and the loop.
    named_first: the loops that run over what gets a name before them.
    named_on_trips: those whose items get their names at the head of each trip.
    """

    ways_to_items: dict[ir.Origin, dict[Place, tuple[ir.Origin, bool]]] = field(
        default_factory=dict
    )
    named_first: set[ir.Origin] = field(default_factory=set)
    named_on_trips: set[ir.Origin] = field(default_factory=set)

    def learn_from(self, other: Walk) -> None:
        super().learn_from(other)
        assert isinstance(other, WaysToItems)
        self.named_first |= other.named_first
        self.named_on_trips |= other.named_on_trips

    def name_what_leads(self, loop: ir.For) -> None:
        """What a loop runs over gets a name where a trip has put something else on the way to it."""
        if loop.origin not in self.named_first:
            return
        for node in self.iterated(loop.iter):
            over = _viewed(node)
            if not isinstance(over, gast.Name):
                raise NameFirst(loop, over)

    def note_ways(self, loop: ir.For) -> None:
        """What the trips of a loop must leave as it is, as long as they are written so."""
        lines = {origin_of(line) for line in ir.walk_statements(loop.body)} - {NOWHERE}
        for node in self.iterated(loop.iter):
            over = _viewed(node)
            before = {*self.places_along(self.facts.answers.get(over, over))}
            held = {*_places_in(self.kind(over))} if self.gives_what_it_holds(node) else set()
            for line in lines:
                ways = self.ways_to_items.setdefault(line, {})
                ways |= dict.fromkeys(held - before, (loop.origin, False))
                ways |= dict.fromkeys(before, (loop.origin, True))

    def gives_what_it_holds(self, node: Any) -> bool:
        """Whether the items are what a container holds, not its keys."""
        kind = self.kind(node)
        return node is not _viewed(node) or not (isinstance(kind, Tup) and kind.is_mapping)

    def places_along(self, node: Any) -> Iterator[Place]:
        """By which containers and keys an expression, or the elements of a display, are found."""
        match self.facts.given_back.get(node, node):  # what a property gives
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                for element in elts:
                    yield from self.places_along(element)
            case gast.Subscript(value=owner, slice=gast.Slice()):
                yield from _places_in(self.kind(owner))
                yield from self.places_along(owner)
            case gast.Attribute(value=owner) | gast.Subscript(value=owner) as place:
                kind = self.kind(owner)
                if isinstance(kind, Tup):
                    yield from ((site, self.key_of(place)) for site in kind.sites)
                yield from self.places_along(owner)

    def check_ways(self, kind: Tup, key: Hashable) -> None:
        """A line puts something into a container: where that led to an item, the loop is written out otherwise."""
        line: Any = self.at_hand
        ways = self.ways_to_items.get(line.origin, {})
        for site in kind.sites:
            loop, leads = ways.get((site, key), (None, False))
            noted = self.named_first if leads else self.named_on_trips
            if loop is not None and loop not in noted:
                noted.add(loop)
                raise StartAnew


def _places_in(kind: Kind) -> Iterator[Place]:
    if isinstance(kind, Tup):
        keys: Sequence[Hashable] = kind.keys or range(len(kind.items))
        yield from ((site, key) for site in kind.sites for key in keys)


def _viewed(node: Any) -> Any:
    """The dict of `d.values()`; any other node itself."""
    match node:
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if (
            name in VIEWS
        ):
            return owner
    return node
