"""Lists, tuples and dicts outside that hold texts, numbers and functions, where a loop over them has to know which.

SPEC = [("W", (2, 3)), ("b", (2,))]
for name, shape in SPEC: out[name] = ...    ->    name, shape = "W", (2, 3); out[name] = ...; name, shape = ...
for name, f in SHEET.items(): d[name] = f(d)    ->    name, f = "a", SHEET["a"]; d[name] = f(d); name, f = ...

What they hold is compared at every call (analysis/guards.py). That is said by their text, in which numbers of other
types, and other orders of keys, differ.
"""

from __future__ import annotations

import math
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.item_expressions import MOST_TRIPS_WRITTEN, VIEWS, ItemExpressions
from tangentish.infer.keyed_dicts import dict_mark
from tangentish.infer.starting_again import StartAnew
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Num, Tup, buffers_of
from tangentish.language.source import Source
from tangentish.language.ways_outside import ANY, Path, Step, found_at
from tangentish.rules.rule import ABSENT

_LITERALS = (str, int, float, bool, type(None))
_SINGLE = (str, int)  # what a key or the end of a slice may be


@dataclass
class LiteralsOutside(ItemExpressions):
    """The part of the walk that reads such containers.

    literals_there: the text of what stands at a place, None where that is not all literals.
    told_by_literals: the lines of loops and comprehensions that are written out for these: only where a dict with
    computed keys does not do.
    """

    literals_there: dict[Path, str | None] = field(default_factory=dict)
    told_by_literals: set[ir.Origin] = field(default_factory=set)

    def learn_from(self, other: Walk) -> None:
        super().learn_from(other)
        assert isinstance(other, LiteralsOutside)
        self.told_by_literals |= other.told_by_literals

    def seek_literals(self, place: Any) -> None:
        """Start anew with a dict whose keys are known, where literals outside tell which key is stored to."""
        loop = self.loop_that_says(place.slice)[0] if isinstance(place, gast.Subscript) else None
        if loop is None or loop.origin in self.told_by_literals or self.cached:
            return
        if self.items_of_literals(loop.iter) is not None:
            self.told_by_literals.add(loop.origin)
            sites = {buffer.site for buffer in buffers_of(self.kind(place.value))}
            self.dynamic -= set(map(dict_mark, sites))
            raise StartAnew

    def demand_keyed(self, kind: Tup, owner: Any, key: Any) -> None:
        """A dict is asked for a key that literals outside say, where that is not alike, or others ask for it."""
        self.write_out_for_keywords(owner, key)
        loop, _ = self.loop_that_says(key)
        if (
            loop is not None
            and kind.is_mapping
            and (_is_given_on(owner, loop) or not are_alike(kind.items))
        ):
            self.write_out_literals(loop)
        super().demand_keyed(kind, owner, key)

    def write_out_for_keywords(self, owner: Any, key: Any) -> None:
        """The entries of a dict are the keywords of a call: what literals outside say are its keys has to be known."""
        loop, _ = self.loop_that_says(key)
        if loop is not None and self.is_spread(owner):
            self.write_out_literals(loop)

    def write_out_literals(self, loop: ir.For) -> None:
        items = self.items_of_literals(loop.iter)
        if items is not None:
            self.write_out(loop, items)

    def is_spread(self, d: Any) -> bool:
        """Whether a call of this function gets the entries of a dict as its keywords: `func(**options)`."""
        calls = ir.nodes_within(self.function.body, gast.Call)
        spread = (k.value for call in calls for k in call.keywords if k.arg is None)
        return isinstance(d, gast.Name) and d.id in (getattr(e, "id", None) for e in spread)

    def items_of_literals(self, node: Any) -> list[Any] | None:
        """An expression for each item of what is run over, where that is known, or is all literals outside."""
        along: list[Any] = []
        items = self.items_along(node, along)
        return None if along else items

    def items_outside(self, node: Any) -> list[Any] | None:
        items = super().items_outside(node)
        return self.literals_outside(node) if items is None else items

    def literals_outside(self, node: Any) -> list[Any] | None:
        """The items of such a container, or of a view of one."""
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                pass
            case _:
                owner, name = node, "keys"
        held = self.literals_held(owner)
        if isinstance(held, dict):
            pairs = [(_written(k, owner), _written(v, _at(owner, k))) for k, v in held.items()]
            return [_of_pair(*pair, name) for pair in pairs]
        if held is None or owner is not node:
            return None
        return [_written(v, _at(owner, k)) for k, v in enumerate(held)]

    def literal_outside(self, node: Any) -> Any:
        """The integer or the text that stands outside under this name; ABSENT for all else, and what may change."""
        path = self.path_outside(node)
        if path is None or ANY in path or self.is_way_changed(path):
            return ABSENT
        if CHANGED_OUTSIDE in self.rebound and len(path) > 1:
            return ABSENT
        found = found_at(self.source, path) or ()
        if len(found) != 1 or type(found[0]) not in _SINGLE:
            return ABSENT
        self.literals_there[path] = repr(found[0])
        return found[0]

    def literals_held(self, node: Any) -> Any | None:
        """The container that stands outside under this name, where it is all literals and stays as it is."""
        path = self.path_outside(node)
        if path is None or self.is_way_changed(path):
            return None
        held = (found_at(self.source, path) or [None])[0]
        if type(held) in _SINGLE:
            return None
        if CHANGED_OUTSIDE in self.rebound and not _is_lasting(held, path):
            return None
        if path not in self.literals_there:
            self.literals_there[path] = text_found(self.source, path)
        return None if self.literals_there[path] is None else held


def text_found(source: Source, path: Path) -> str | None:
    """The text of what stands at a place; None where it is, or holds, anything but literals."""
    found = found_at(source, path)
    held: Any = found[0] if found is not None and len(found) == 1 else None
    if type(held) in _SINGLE:
        return repr(held)
    if type(held) in (set, frozenset):
        return repr(held) if len(held) < 2 and all(type(v) in _LITERALS for v in held) else None
    if type(held) not in (list, tuple, dict) or len(held) > MOST_TRIPS_WRITTEN:
        return None
    items = held.items() if isinstance(held, dict) else held
    if not all(map(_is_told, items)):
        return None
    if isinstance(held, dict):
        return repr({key: _shown(value) for key, value in held.items()})
    return repr(type(held)(map(_shown, held)))


def _is_given_on(d: Any, loop: ir.For) -> bool:
    """Whether the lines of a loop give a dict to what is known on each trip: `d[name] = formula(d)`."""
    named = set(ir.target_names(loop.target))
    parts = ir.nodes_in(*ir.walk_statements(loop.body))
    calls = (p for p in parts if isinstance(p, gast.Call) and named & {*ir.names_in(p.func)})
    given = (arg for call in calls for arg in call.args if isinstance(arg, gast.Name))
    return isinstance(d, gast.Name) and any(arg.id == d.id for arg in given)


def are_alike(values: Sequence[Kind]) -> bool:
    """Whether values are all numbers, or arrays of one known shape, as a dict whose keys are computed holds."""
    numbers = [value for value in values if isinstance(value, Num) and value.known]
    shapes = {value.shape for value in numbers}
    known = all(None not in (shape or ()) for shape in shapes)
    return len(numbers) == len(values) and len(shapes) < 2 and known


def _is_told(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_told, value))
    finite = not isinstance(value, float) or math.isfinite(value)
    return (type(value) in _LITERALS and finite) or isinstance(value, types.FunctionType)


def _is_lasting(held: object, path: Path) -> bool:
    """Whether this is a tuple that no list or dict on the way to it holds: only another may come in its place."""
    return type(held) is tuple and not any(isinstance(step, Step) for step in path)


def _shown(value: Any) -> Any:
    """A value without its functions: which these are is asked where they are called."""
    if type(value) is tuple:
        return tuple(map(_shown, value))
    return ... if isinstance(value, types.FunctionType) else value


def _at(owner: Any, key: Any) -> Any:
    """owner[key]"""
    return gast.Subscript(ir.duplicate(owner), _written(key, owner), gast.Load())


def _of_pair(key: Any, value: Any, view: str) -> Any:
    """What a view of a dict gives for an entry."""
    return {"keys": key, "values": value}.get(view) or gast.Tuple([key, value], gast.Load())


def _written(value: Any, place: Any) -> Any:
    """The text of what stands at a place; a function by the way to it."""
    if isinstance(value, types.FunctionType):
        return place
    if isinstance(value, Sequence) and not isinstance(value, str):
        parts = [_written(item, _at(place, k)) for k, item in enumerate(value)]
        return gast.Tuple(parts, gast.Load())
    below = isinstance(value, (int, float)) and math.copysign(1.0, value) < 0
    written = gast.Constant(-value if below else value, None)
    return gast.UnaryOp(gast.USub(), written) if below else written
