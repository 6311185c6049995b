"""Objects whose class says which comes first, by their fields: these are given by a key.

@dataclass(order=True)                     def __lt__(self, other):
class Job: ...                                 return self.due < other.due

sorted(jobs)    ->    sorted(jobs, key=lambda item: (item.due, item.cost))
jobs.sort()     ->    jobs.sort(key=lambda item: (item.due, item.cost))
min(jobs)       ->    min(jobs, key=lambda item: (item.due, item.cost))
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.starting_again import Instead
from tangentish.infer.walk import Walk
from tangentish.language.binding import parameter_names
from tangentish.language.getters import reader
from tangentish.language.source import read_source
from tangentish.language.ways import Way

_COMPARING = (sorted, min, max)


class OwnOrders(Walk):
    """The part of the walk that finds such orders."""

    def seek_own_order(self, way: Way, of: type, statement: ir.Statement) -> None:
        """Start again with a key where a line puts a list of such objects in order."""
        names = [] if self.cached or way.keyed else _fields_in_order(of)
        calls = (n for n in ir.nodes_in(statement) if names)
        for call in filter(lambda n: self.compares_items(n, way), calls):
            self.note_member(of, "__lt__")
            self.in_entries.discard(way)  # the lines are written by the lists of entries again
            key = gast.keyword("key", reader(names, call))
            raise Instead(call, ir.with_fields(call, {"keywords": [*call.keywords, key]}))

    def compares_items(self, call: Any, way: Way) -> bool:
        """Whether its elements are compared themselves: there is no key."""
        match call:
            case gast.Call(func=gast.Attribute(value=xs, attr="sort"), args=[]):
                comparing = way.is_at(xs)
            case gast.Call(func=gast.Name() as func, args=[xs]) if way.is_at(xs):
                comparing = any(self.called(func)[0] is one for one in _COMPARING)
            case _:
                return False
        return comparing and {k.arg for k in call.keywords} <= {"reverse"}


def _fields_in_order(cls: type) -> list[str]:
    """The fields that are compared where one of these objects is asked whether it comes first."""
    if getattr(vars(cls).get("__dataclass_params__"), "order", False):
        return [f.name for f in dataclasses.fields(cls) if f.compare]
    method = getattr(cls, "__lt__", None)
    others = any("__gt__" in vars(c) for c in cls.__mro__[:-1])  # max asks it first
    if not isinstance(method, types.FunctionType) or others:
        return []
    itself, other = parameter_names(method)
    match read_source(method).tree.body:
        case [gast.Return(value=gast.Compare(left=left, ops=[gast.Lt()], comparators=[right]))]:
            names = _fields_of(left, itself)
            return names if names == _fields_of(right, other) else []
    return []


def _fields_of(compared: Any, owner: str) -> list[str]:
    """The names of `owner.due` and `(owner.due, owner.cost)`."""
    parts = ir.parts_of(compared)
    owners = {getattr(getattr(part, "value", None), "id", None) for part in parts}
    plain = owners == {owner} and all(isinstance(part, gast.Attribute) for part in parts)
    return [part.attr for part in parts] if plain else []
