"""Dataclasses that are compared by the `__eq__` which Python writes for them: as the tuples of their fields.

a == b    ->    (a.x, a.y) == (b.x, b.y)
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.starting_again import Instead
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Seq, Tup
from tangentish.language.placed import all_at

ORDERED = "ordered dicts are compared by the order of their keys, too, which is not followed: compare their entries"


class EqualFields(Walk):
    """The part of the walk that compares them."""

    def compare_fields(self, a: Kind, b: Kind, node: Any) -> Kind | None:
        """The kind of what compares the fields of two objects of one class, each of which may be written twice."""
        if self.made.get((node, "flat")) is self.facts.answers.get(node, self):
            del self.facts.answers[node]  # of an earlier trip
        match node:
            case gast.Compare(left=left, ops=[gast.Eq() | gast.NotEq()], comparators=[right]):
                pass
            case _:
                return None
        if any(isinstance(k, Tup) and k.type is OrderedDict for k in (a, b)) and _hold_entries(
            a, b
        ):
            self.refuse(ORDERED, node)
        if self.cached or not (isinstance(a, Tup) and isinstance(b, Tup) and a.type is b.type):
            return None
        names = _compared(a.type)
        if a.optional or b.optional:
            return None
        there = all(k.position(n) is not None for k in (a, b) for n in names)
        if names and there and _is_path(left) and _is_path(right):
            new = gast.Compare(_fields(left, names), node.ops, [_fields(right, names)])
            if self.loops_around and _may_become_another(self.function, (left, right)):
                return self.answered_by(node, lambda: all_at(new, node))
            raise Instead(node, all_at(new, node))
        return None


def _hold_entries(*kinds: Kind) -> bool:
    return all(isinstance(kind, (Tup, Seq)) for kind in kinds)


def _compared(cls: type | None) -> list[str]:
    """The fields that are compared: those of the class for which the method was written."""
    above = getattr(cls, "__mro__", ())[:-1]
    made_for = next((c for c in above if "__eq__" in vars(c)), None)
    if made_for is None or "__dataclass_fields__" not in vars(made_for):
        return []
    if any("__ne__" in vars(c) for c in above):
        return []
    return [f.name for f in dataclasses.fields(made_for) if f.compare]


def _may_become_another(function: ir.Function, paths: tuple[Any, ...]) -> bool:
    """Whether something else may stand there on a later trip of a loop: a name is bound twice, an attribute set."""
    lines = list(ir.walk_statements(function.body))
    bound = [name for line in lines for name in ir.defined_names(line)]
    set_here = {getattr(getattr(line, "target", None), "attr", None) for line in lines}
    parts = [part for path in paths for part in ir.walk(path)]
    names = {part.id for part in parts if isinstance(part, gast.Name)}
    attributes = {part.attr for part in parts if isinstance(part, gast.Attribute)}
    return any(bound.count(name) > 1 for name in names) or not attributes.isdisjoint(set_here)


def _is_path(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def _fields(owner: Any, names: list[str]) -> Any:
    values = [gast.Attribute(ir.duplicate(owner), name, gast.Load()) for name in names]
    return gast.Tuple(values, gast.Load())
