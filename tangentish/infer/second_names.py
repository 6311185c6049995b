"""Dicts and objects that have a name and stand in another one, too: where one is always the other, one is used.

s = self.state; s["x"] -= dt         ->   self.state["x"] -= dt
fit = Fit(model); model.w = w        ->   fit = Fit(model); fit.model.w = w
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import BoundEntry
from tangentish.infer.records_made import parts_in
from tangentish.infer.starting_again import OneName
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Num, Tup
from tangentish.kinds.sites import display_at
from tangentish.language.ways import Way, way_of

__all__ = ["SecondNames"]

_BOUND_ANEW = "a call puts something else where a dict or an object stands that has another name: use one name for it"


class SecondNames(Walk):
    """The part of the walk that asks for one name where there are two."""

    def seek_one_name(self, kind: Tup) -> None:
        """A dict or an object with two names is stored to: start again with one, where they are always the same."""
        for name, way, line in () if self.cached else self.names_held():
            held = self.env.kinds.get(name)
            if isinstance(held, Tup) and held.sites & kind.sites and (name, way) not in self.tried:
                self.tried.add((name, way))
                raise OneName(line, name, way, self.second_names)

    def names_held(self) -> Iterator[tuple[str, Way, ir.Statement]]:
        """Names, the ways that lead to what they are, and the lines after which that is so."""
        for line in ir.walk_statements(self.function.body):
            match line:
                case ir.Assign(gast.Name(id=str(name)), value):
                    way = way_of(value)
                    if way is not None and way.root != name and ir.is_value(way.root):
                        yield name, way, line
                case ir.Assign(
                    gast.Attribute() | gast.Subscript() as target, gast.Name(id=str(name))
                ):
                    way = way_of(target)
                    if way is not None and way.root != name:
                        yield name, way, line
        yield from self.held_since

    def note_held(
        self, owner: Way | None, form: str, entry: BoundEntry, containers: Mapping[str, Any]
    ) -> None:
        """A call has stored this: where it is what the call was given under a name, that is known from here on."""
        if owner is None or self.statement is None:
            return
        for way, part in parts_in(owner.to(form, entry.key, ()), entry.kind):
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
