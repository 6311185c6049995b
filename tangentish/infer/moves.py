"""Dicts and objects that go over to another name: `state = new`, where `new` is over then, and made anew on each trip.

state = new      ->      state = {"x": new["x"], "v": new["v"]}
ranks = new      ->      ranks = {k: v for k, v in new.items()}        of a dict whose keys are computed

Nobody else has it, so that the two can't be told apart; and each name has a dict or an object of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
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
        if all(self.asks_inside(old, s) for s in self.lines_besides(line)):
            form = self.place_of(line), name, old, getattr(kind, "keys", None)
            if form not in self.copies_made:
                made = self.moved(value, kind)
                self.copies_made[form] = made and all_at(made, value)
            if self.copies_made[form] is not None:
                raise Instead(value, self.copies_made[form])

    def place_of(self, line: ir.Statement) -> tuple[Hashable, int]:
        """The user's line, and which of the lines that it became: a loop may be written out trip by trip."""
        origin = origin_of(line)
        same = [s for s in ir.walk_statements(self.function.body) if origin_of(s) is origin]
        return origin, next(k for k, s in enumerate(same) if s is line)

    def moved(self, value: Any, kind: Kind) -> Any | None:
        """A copy of what holds the same."""
        match kind:
            case Seq(optional=False) if is_keyed_dict(kind) and self.has_one_default(kind):
                made = self.of_pairs(value)
                made.default = self.held_by_default(kind)
                return made
            case Tup(optional=False) if kind.is_dict or (kind.is_object and kind.virtual):
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

    def lines_besides(self, line: ir.Statement) -> Iterator[ir.Statement]:
        return (s for s in ir.walk_statements(self.function.body) if s is not line)

    def asks_inside(self, name: str, line: ir.Statement) -> bool:
        """Whether a line asks a container for nothing but what it holds, if it does not give the name to it."""
        for expression in filter(None, (*ir.expressions_of(line), getattr(line, "stop", None))):
            parts = list(ir.walk(expression))
            names = [n for n in parts if isinstance(n, gast.Name) and n.id == name]
            if not names or _is_bound(expression, line):
                continue
            asked = {id(d) for part in parts for d in self.asked_by(part)}
            called = (part.func for part in parts if isinstance(part, gast.Call))
            asked -= {id(f.value) for f in called if isinstance(f, gast.Attribute)}
            asked |= {id(d) for part in parts for d in self.run_over_in(part)}
            if isinstance(line, ir.For) and expression is line.iter:
                asked |= {id(d) for d in _viewed(expression)}
            if not all(isinstance(n.ctx, gast.Store) or id(n) in asked for n in names):
                return False
        return True

    def asked_by(self, node: Any) -> Iterator[Any]:
        """The containers that an expression asks for an entry."""
        match node:
            case gast.Subscript(value=d) | gast.Attribute(value=d):
                yield d
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[d]):
                yield d

    def run_over_in(self, node: Any) -> Iterator[Any]:
        """Those that it runs over on the spot, or asks by a method."""
        match node:
            case gast.comprehension(iter=d):
                yield from _viewed(d)
            case gast.Call(func=gast.Attribute(value=d, attr="get")):
                yield d
            case gast.Call(func=func, args=[d]) if self.called(func)[0] in _COUNTING:
                yield from _viewed(d)


_VIEWS = {"items", "values", "keys"}
_COUNTING: tuple[Any, ...] = (len, sum, list, tuple, sorted, max, min)  # what keeps no view


def _is_bound(expression: Any, statement: ir.Statement) -> bool:
    """Whether an expression is the name that a line binds."""
    return isinstance(expression, gast.Name) and expression is getattr(statement, "target", None)


def _viewed(node: Any) -> Iterator[Any]:
    """A dict that is run over, or d of d.items()"""
    yield node
    match node:
        case gast.Call(func=gast.Attribute(value=d, attr=view), args=[]) if view in _VIEWS:
            yield d
