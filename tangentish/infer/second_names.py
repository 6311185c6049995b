"""Dicts and objects that have a name and stand in another one, too: where one is always the other, one is used.

s = self.state; s["x"] -= dt         ->   self.state["x"] -= dt
fit = Fit(model); model.w = w        ->   fit = Fit(model); fit.model.w = w
bodies = [sun, earth]; sun.x += dx   ->   bodies = [sun, earth]; bodies[0].x += dx
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import BoundEntry
from tangentish.infer.records_made import is_one_by_one, parts_in
from tangentish.infer.starting_again import OneByOne, OneName, StartAnew
from tangentish.infer.walk import Walk
from tangentish.ir.origins import origin_of
from tangentish.kinds import UNKNOWN, Cell, Kind, Num, Tup
from tangentish.kinds.sites import display_at
from tangentish.language.ways import Way, way_of

_BOUND_ANEW = "a call puts something else where a dict or an object stands that has another name: use one name for it"


@dataclass
class SecondNames(Walk):
    """The part of the walk that asks for one name where there are two."""

    # names and the ways that lead to the same, after lines on which calls stored what has the name
    held_since: list[tuple[str, Way, ir.Statement]] = field(default_factory=list)
    tried: set[tuple[str, Way]] = field(default_factory=set)  # of these what was asked to be one
    second_names: set[tuple[Way, ir.Origin]] = field(default_factory=set)  # where it is, by its way
    # the lists that such ways lead through, and the lines from which on; and those of these lines where the list
    # has turned out to be one whose elements have no names of their own
    led_through: dict[Hashable, set[ir.Origin]] = field(default_factory=dict)
    two_names: set[ir.Origin] = field(default_factory=set)

    def learn_from(self, other: Walk) -> None:
        super().learn_from(other)
        assert isinstance(other, SecondNames)
        self.two_names |= other.two_names

    def demand_records(self, kind: Kind, of: type, keys: Sequence[Hashable]) -> None:
        """An element of such a list may be another after any change: it is no second name."""
        for site in kind.sites if isinstance(kind, Tup) else ():
            if site in self.led_through:
                self.two_names |= self.led_through[site]
                raise StartAnew
        super().demand_records(kind, of, keys)

    def seek_one_name(self, kind: Tup) -> None:
        """A dict or an object with two names is stored to: start again with one, where they are always the same."""
        variable = (
            kind.type is Cell
        )  # functions that bind it hold it, and are not asked for by ways
        for name, way, line in () if self.cached or variable else self.names_held():
            held = self.env.kinds.get(name, UNKNOWN)
            origin = origin_of(line)
            known = (name, way) in self.tried or origin in self.two_names
            if any(places_in(held, kind.sites)) and not known:
                self.tried.add((name, way))
                for site in self.lists_along(way):
                    self.led_through.setdefault(site, set()).add(origin)
                raise OneName(line, name, way, self.second_names)
        self.seek_lines_of_names(kind)
        if len(kind.sites) > 1 and not self.cached:
            self.seek_list_of(kind)

    def lists_along(self, way: Way) -> Iterator[Hashable]:
        """The places of the lists that a way leads through."""
        kind = self.env.kinds.get(way.root, UNKNOWN)
        for _, key in way.steps:
            position = kind.position(key) if isinstance(kind, Tup) else None
            if not isinstance(kind, Tup) or position is None:
                return
            if kind.is_list:
                yield from kind.sites
            kind = kind.items[position]

    def seek_list_of(self, kind: Tup) -> None:
        """One of several objects of a list is stored to: which one it is shows by its index (records.md)."""
        kinds = [part for held in self.env.kinds.values() for _, part in _ways_in(Way(""), held)]
        for part in kinds:
            known = part.items if isinstance(part, Tup) and part.is_list else ()
            if any(isinstance(item, Tup) and item.sites & kind.sites for item in known):
                self.seek_records_told_apart(part)  # type: ignore[arg-type]

    def seek_lines_of_names(self, kind: Tup) -> None:
        """`p, q = ps` gives names to what is stored to: each gets a line of its own."""
        for line in () if self.cached else ir.walk_statements(self.function.body):
            if not (isinstance(line, ir.Assign) and isinstance(line.target, gast.Tuple)):
                continue
            held = (self.env.kinds.get(name, UNKNOWN) for name in ir.target_names(line.target))
            if not any(place for one in held for place in places_in(one, kind.sites)):
                continue
            values = self.values_unpacked(line)
            if values is not None and is_one_by_one(self.function, line.target, values):
                raise OneByOne(line, values)

    def values_unpacked(self, line: ir.Assign) -> Sequence[Any] | None:
        """What the names on the left of a line get, one by one."""
        if isinstance(line.value, gast.Tuple):
            values: Sequence[Any] = line.value.elts
            return values
        kind, way = self.kind(line.value), way_of(line.value)
        if way is None or not (isinstance(kind, Tup) and kind.keys is None):
            return None
        if self.owner_of_entries(line.value) is None:
            return None
        return [way.to("key", k, ()).node(line.value) for k in range(len(kind.items))]

    def names_held(self) -> Iterator[tuple[str, Way, ir.Statement]]:
        """Names, the ways that lead to what they are, and the lines after which that is so."""
        for line in ir.walk_statements(self.function.body):
            match line:
                case ir.Assign(target, gast.List() | gast.Tuple() | gast.Dict() as display):
                    way = way_of(target)
                    yield from () if way is None else _names_put_in(display, way, line)
                case ir.Assign(gast.Name(id=str(name)), value):
                    way = self.way_there(value)
                    if way is not None and way.root != name and ir.is_value(way.root):
                        yield name, way, line
                case ir.Assign(
                    gast.Attribute() | gast.Subscript() as target, gast.Name(id=str(name))
                ):
                    way = way_of(target)
                    if way is not None and way.root != name:
                        yield name, way, line
        yield from self.held_since

    def way_there(self, value: Any) -> Way | None:
        """The way to where it stands what a value is; of what a property gives, one in its object."""
        way = way_of(value)
        if way is None or self.facts.user_of(value) is None:
            return way
        kind, holder = self.kind(value), way_of(value.value)
        if holder is None or not isinstance(kind, Tup):
            return None
        held = _ways_in(holder, self.kind(value.value))
        found = [to for to, part in held if isinstance(part, Tup) and part.sites == kind.sites]
        return found[0] if len(found) == 1 else None

    def note_held(
        self, owner: Way | None, form: str, entry: BoundEntry, containers: Mapping[str, Any]
    ) -> None:
        """A call has stored this: where it is what the call was given under a name, that is known from here on."""
        if owner is None or self.statement is None:
            return
        for way, part in _ways_in(owner.to(form, entry.key, ()), entry.kind):
            sites = part.sites if isinstance(part, Tup) else ()
            given = [containers.get(display_at(site) or "") for site in sites]
            if len(given) == 1 and isinstance(given[0], gast.Name) and given[0].id != way.root:
                held = given[0].id, way, self.statement
                if held not in self.held_since:
                    self.held_since.append(held)

    def check_bound_anew(self, owner: Any, key: Hashable, value: Kind, node: Any) -> None:
        """A call puts something else where something stands that another name was used for."""
        holder, origin = way_of(owner), getattr(self.statement, "origin", None)
        if holder is None or isinstance(value, Num):
            return
        named = (way for way, line in self.second_names if line == origin)
        if any(way.leads_through(holder, key) for way in named):
            self.refuse(_BOUND_ANEW, node)


def _ways_in(way: Way, kind: Kind) -> Iterator[tuple[Way, Kind]]:
    """A value and what stands in it, elements of lists included, and the ways there."""
    for to, part in parts_in(way, kind):
        yield to, part
        if isinstance(part, Tup) and part.keys is None:
            for k, item in enumerate(part.items):
                yield from _ways_in(to.to("key", k, range(len(part.items))), item)


def _names_put_in(
    display: Any, way: Way, line: ir.Statement
) -> Iterator[tuple[str, Way, ir.Statement]]:
    """The names in a list, a tuple or a dict that is written down, and the ways that lead to what they are."""
    if isinstance(display, gast.Dict):
        keys: Sequence[Hashable] = [getattr(key, "value", None) for key in display.keys]
        parts = display.values
        if None in keys or len({*keys}) < len(keys):
            return
    else:
        keys, parts = range(len(display.elts)), display.elts
    for key, part in zip(keys, parts, strict=True):
        if isinstance(part, gast.Starred):
            return
        if isinstance(part, gast.Name) and part.id != way.root and ir.is_value(part.id):
            yield part.id, way.to("key", key, keys), line


def places_in(kind: Kind, sites: frozenset[Hashable]) -> Iterator[Tup]:
    """Where in a value a container from one of the sites stands."""
    if isinstance(kind, Tup):
        if kind.sites & sites:
            yield kind
        for item in kind.items:
            yield from places_in(item, sites)
