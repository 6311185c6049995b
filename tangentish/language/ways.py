"""The way to a container: the name of it, or of what holds it, and the names and literal keys from there.

ps      self.bodies      model["layers"]
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import at

Step = tuple[str, Hashable]


@dataclass(frozen=True, slots=True)
class Way:
    """A value of the function, and attributes ("attr") and keys ("key") from there.

    beside: for each step what else is known to stand there; another attribute may be a method or a property, which
    asks for anything that its object holds.
    keyed: a dict of dicts or objects is there, whose entries are asked for as its attributes.
    """

    root: str
    steps: tuple[Step, ...] = ()
    beside: tuple[frozenset[Hashable], ...] = field(default=(), compare=False)
    keyed: bool = field(default=False, compare=False)

    @property
    def base(self) -> str:
        """A name for it, as the user would choose one."""
        last = self.steps[-1][1] if self.steps else ir.base_name(self.root)
        return str(last)

    @property
    def dotted(self) -> str:
        """The names on it, as they are written where they are attributes: itertools.combinations."""
        return ".".join((self.root, *(str(key) for _, key in self.steps)))

    def to(self, form: str, key: Hashable, keys: Sequence[Hashable]) -> Way:
        """The way to what this holds, among others."""
        return Way(self.root, (*self.steps, (form, key)), (*self.beside, frozenset(keys)))

    def is_at(self, node: Any) -> bool:
        """Whether an expression is this way."""
        if not self.steps:
            return node.__class__ is gast.Name and node.id == self.root
        return way_of(node) == self

    def is_bound_by(self, target: Any) -> bool:
        """Whether a store to a target puts something else here: it is this, or what holds it."""
        way = way_of(target)
        return (
            way is not None and self.root == way.root and self.steps[: len(way.steps)] == way.steps
        )

    def leads_through(self, holder: Way, key: Hashable) -> bool:
        """Whether it goes by what another leads to, and what that holds under a key."""
        return self.goes_on_from(holder) and self.steps[len(holder.steps)][1] == key

    def goes_on_from(self, holder: Way) -> bool:
        """Whether it leads to something inside of what another leads to."""
        count = len(holder.steps)
        through = self.root == holder.root and self.steps[:count] == holder.steps
        return through and len(self.steps) > count

    def asked(self, node: Any) -> int:
        """How often an expression asks for what is here, or for what holds it."""
        if not self.steps:
            return ir.names_in(node).count(self.root)
        found, nodes = 0, [node]
        while nodes:
            one = nodes.pop()
            way = way_of(one)
            if way is None:
                nodes += ir.children(one)
            else:
                found += way.root == self.root and self._may_meet(way.steps)
        return found

    def _may_meet(self, steps: tuple[Step, ...]) -> bool:
        """Whether other steps from the same root may lead to what is here, or to what holds it."""
        for k, (mine, other) in enumerate(zip(self.steps, steps, strict=False)):
            if mine != other:
                return k >= len(self.beside) or other[1] not in self.beside[k]
        return True

    def node(self, like: Any) -> Any:
        """The expression, at the place of another."""
        found = at(ir.name(self.root), like)
        for form, key in self.steps:
            if form == "attr":
                found = at(gast.Attribute(found, str(key), gast.Load()), like)
            else:
                constant = at(gast.Constant(key, None), like)
                found = at(gast.Subscript(found, constant, gast.Load()), like)
        return found


def way_of(node: Any) -> Way | None:
    """The way that an expression is, if it is one."""
    steps: list[Step] = []
    while True:
        match node:
            case gast.Attribute(value=inner, attr=name):
                steps.append(("attr", name))
            case gast.Subscript(value=inner, slice=gast.Constant(value=key)):
                steps.append(("key", key))
            case gast.Name(id=root):
                return Way(root, tuple(reversed(steps)))
            case _:
                return None
        node = inner


def binds(statement: ir.Statement, way: Way) -> bool:
    """Whether a line puts something else where a way leads."""
    bound = way.root in ir.defined_names(statement)
    return bound or any(map(way.is_bound_by, targets_of(statement)))


def targets_of(statement: ir.Statement) -> list[Any]:
    """What a line stores to."""
    target = getattr(statement, "target", None)
    return ir.parts_of(target)
