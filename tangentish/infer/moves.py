"""Dicts and objects that go over to another name: `state = new`, where `new` is over then, and made anew on each trip.

state = new      ->      state = {"x": new["x"], "v": new["v"]}
ranks = new      ->      ranks = {k: v for k, v in new.items()}        of a dict whose keys are computed

Nobody else has it, so that the two can't be told apart; and each name has a dict or an object of its own.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.copies import shallow_copy
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.keyed_made import KeyedMade
from tangentish.infer.second_names import places_in
from tangentish.infer.starting_again import Instead
from tangentish.infer.walk import Walk
from tangentish.ir.origins import origin_of
from tangentish.kinds import UNKNOWN, Kind, Seq, Tup
from tangentish.language.placed import all_at

__all__ = ["Moves"]


@dataclass
class Moves(KeyedMade):
    """The part of the walk that finds such lines."""

    # by lines and kinds of containers: the copies, which are known by their nodes when all begins anew
    copies_made: dict[Hashable, Any] = field(default_factory=dict)

    def learn_from(self, other: Walk) -> None:
        super().learn_from(other)
        assert isinstance(other, Moves)
        self.copies_made |= other.copies_made

    def seek_move(self, line: ir.Assign) -> None:
        """`state = new`: start again with a copy, which is what Python's line comes to."""
        match line:
            case ir.Assign(gast.Name(id=name), gast.Name(id=old) as value):
                pass
            case _:
                return
        several = ir.statements.definitions(self.function.body)[name] > 1
        if self.cached or not several or old not in self.ends.get(line, ()):
            return
        kind = self.env.kinds.get(old, UNKNOWN)
        if not (kind.active or is_keyed_dict(kind)) or not self.is_nobody_elses(kind, {name, old}):
            return
        if all(_asks_inside(old, e) for e in self.expressions_besides(line)):
            form = origin_of(line), name, getattr(kind, "keys", None)
            if form not in self.copies_made:
                made = self.moved(value, kind)
                self.copies_made[form] = made and all_at(made, value)
            if self.copies_made[form] is not None:
                raise Instead(value, self.copies_made[form])

    def moved(self, value: Any, kind: Kind) -> Any | None:
        """A copy of what holds the same."""
        match kind:
            case Seq(optional=False) if is_keyed_dict(kind) and not self.held_by_default(kind):
                return self.of_pairs(value)
            case Tup(optional=False) if kind.type is dict or (kind.is_object and kind.virtual):
                return shallow_copy(value, kind)
        return None

    def is_nobody_elses(self, kind: Kind, names: set[str]) -> bool:
        """Whether a dict or an object was made here, and no other value is it, or holds it."""
        if isinstance(kind, Seq):
            return self.env.on(kind.buffers) <= names
        if not isinstance(kind, Tup) or not all(isinstance(s, (int, Made)) for s in kind.sites):
            return False
        others = (held for name, held in self.env.kinds.items() if name not in names)
        twice = (item for name in names for item in getattr(self.env.kinds.get(name), "items", ()))
        return not any(place for k in (*others, *twice) for place in places_in(k, kind.sites))

    def expressions_besides(self, line: ir.Statement) -> list[Any]:
        lines = (s for s in ir.walk_statements(self.function.body) if s is not line)
        return [e for s in lines for e in (*ir.expressions_of(s), getattr(s, "stop", None)) if e]


def _asks_inside(name: str, expression: Any) -> bool:
    """Whether an expression asks a container for nothing but its entries, if it does not give the name to it."""
    bases = {
        id(node.value)
        for node in ir.walk(expression)
        if isinstance(node, (gast.Subscript, gast.Attribute))
    }
    methods = {
        id(node.func.value)
        for node in ir.walk(expression)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
    }
    return all(
        isinstance(node.ctx, gast.Store) or id(node) in bases - methods
        for node in ir.walk(expression)
        if isinstance(node, gast.Name) and node.id == name
    )
