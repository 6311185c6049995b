"""Dicts whose keys are known: displays, and what `.items()` and `.values()` give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.arrays_outside import ArraysOutside
from tangentish.infer.constants_apart import are_apart
from tangentish.infer.in_loops import seek_name
from tangentish.infer.lists_kept import holds_changed
from tangentish.kinds import Cell, Kind, Opaque, Tup, functions_in
from tangentish.language.lifted import element_path
from tangentish.rules.rule import ABSENT

PATHS = (
    gast.Name,
    gast.Attribute,
    gast.Subscript,
    gast.Dict,
)  # of which elements may be read twice


class Dicts(ArraysOutside):
    """The part of the walk that knows dicts."""

    def dict_display(self, node: Any) -> Kind:
        """{"a": x, "b": y}"""
        kinds = tuple(map(self.expression, node.values))
        if None in node.keys:
            merged = self.with_entries_of(list(zip(node.keys, node.values, strict=True)), node)
            if merged is not None:
                return merged
        for key in node.keys:
            if key is not None:
                self.expression(key)
        keys = [ABSENT if key is None else self.known_key(key) for key in node.keys]
        known = all(isinstance(key, (str, int, float, tuple)) for key in keys)
        if not known or len(set(keys)) < len(keys):
            if any(kind.active for kind in (*kinds, *map(self.kind, filter(None, node.keys)))):
                if None not in node.keys and not any(map(self.is_flag, node.keys)):
                    made = self.filled(node, kinds)
                    for key in node.keys:
                        self.note_key(self.kind(key), made.buffers, node)
                    return made
                self.refuse(
                    "a dict of differentiated values has keys that are known: use literals", node
                )
            return Opaque(dict)
        keyed = self.keyed_display(node, kinds)
        if keyed is not None:
            return keyed
        self.kept.append(node)
        apart = id(node) in self.dynamic or are_apart(self)
        return Tup(kinds, False, frozenset({id(node)}), tuple(keys), dict, apart)

    def cell(self, node: Any) -> Tup:
        """A variable that functions inside bind, too."""
        keys, kinds = tuple(key.value for key in node.keys), map(self.expression, node.values)
        self.kept.append(node)
        return Tup(tuple(kinds), False, frozenset({id(node)}), keys, Cell, True, True)

    def made_dict(self, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind | None:
        """dict(d, a=x)"""
        named = [
            (gast.copy_location(gast.Constant(name, None), node), value)
            for name, value in keywords.items()
        ]
        parts = (*args, *keywords.values())
        if not parts or any(functions_in(self.kind(a)) for a in parts):
            return None
        return self.with_entries_of([*((None, a) for a in args), *named], node)

    def with_entries_of(self, parts: list[tuple[Any, Any]], node: Any) -> Kind | None:
        """The same, which stays as it is written where nothing in it varies, nor may later."""
        kinds_given = [self.kind(value) for _, value in parts]
        varies = any(kind.active or holds_changed(kind) for kind in kinds_given)
        if varies or id(node) in self.dynamic or are_apart(self):
            return self.merged(parts, node)
        kinds: dict[Any, Kind] = {}
        for key, value in parts:
            found = self.kinds_in(key, value)
            if found is None:
                return None
            kinds |= found
        self.kept.append(node)
        return Tup(tuple(kinds.values()), False, frozenset({id(node)}), tuple(kinds), dict)

    def kinds_in(self, key: Any, value: Any) -> Mapping[Any, Kind] | None:
        """The kinds that a part of a display gives, by key; None where the keys are not known."""
        kind = self.kind(value)
        if key is not None:
            known = self.known_key(key)
            return {known: kind} if isinstance(known, (str, int, float, tuple)) else None
        if isinstance(kind, Tup) and kind.is_mapping:
            return dict(zip(kind.keys or (), kind.items, strict=True))
        entries = self.entries_outside(value)
        return None if entries is None else {k: self.expression(e) for k, e in entries.items()}

    def merged(self, parts: list[tuple[Any, Any]], node: Any) -> Kind | None:
        """A dict of entries, and of all entries of other dicts (under the key None)."""
        entries: dict[Any, Any] = {}
        for key, value in parts:
            if key is not None:
                known = self.known_key(key)
                entries[self.literal_outside(key) if known is ABSENT else known] = value
                continue
            found = self.entries_in(value)
            if found is None:
                return None
            entries |= found
        if ABSENT in entries:
            return None

        def make() -> Any:
            keys = [gast.copy_location(gast.Constant(key, None), node) for key in entries]
            return gast.Dict(keys, list(entries.values()))

        made = self.facts.as_arrays[node] = self.made_once((node, "merged", *entries), make, node)
        if id(node) in self.dynamic:
            self.dynamic.add(id(made))
        return self.expression(made)

    def entries_in(self, value: Any) -> Mapping[Any, Any] | None:
        """Key -> an expression for what a dict has under it; None where the keys are not known."""
        kind = self.kind(value)
        if not (isinstance(kind, Tup) and kind.is_mapping):
            return self.entries_outside(value)
        if not isinstance(value, PATHS):
            seek_name(self, value)
            return None
        pairs = enumerate(zip(kind.keys or (), kind.items, strict=True))
        return {name: self.element(value, k, item) for k, (name, item) in pairs}

    def dict_view(self, name: str, receiver: Any, node: Any) -> Kind:
        """The elements that d.values(), d.items() or d.keys() gives, as a tuple."""
        kind = self.kind(receiver)
        assert isinstance(kind, Tup)
        if isinstance(self.statement, ir.Assign) and _is_kept(node, self.statement.value):
            self.viewed |= kind.sites
        there = self.facts.as_arrays.get(receiver) or self.facts.answers.get(receiver, receiver)
        made = self.facts.as_arrays[node] = self.made_once(
            (node, there, kind.keys), lambda: _as_tuple(name, there, kind, node), node
        )
        return self.expression(made)


def _is_kept(node: Any, value: Any) -> bool:
    """Whether an expression is what a name gets, or stands in a display that it gets."""
    displays = (gast.Tuple, gast.List, gast.Dict)
    return value is node or (
        isinstance(value, displays) and any(_is_kept(node, part) for part in ir.children(value))
    )


def _as_tuple(name: str, receiver: Any, kind: Tup, node: Any) -> Any:
    keys = [gast.copy_location(gast.Constant(key, None), node) for key in kind.keys or ()]
    if isinstance(receiver, gast.Dict) and None not in receiver.keys:
        values = list(receiver.values)
    else:
        paths = (element_path(receiver, k, kind) for k in range(len(kind.items)))
        values = [gast.copy_location(path, node) for path in paths]
    parts = {"keys": keys, "values": values}.get(name)
    if parts is None:
        pairs = zip(keys, values, strict=True)
        parts = [gast.copy_location(gast.Tuple([k, v], gast.Load()), node) for k, v in pairs]
    return gast.Tuple(parts, gast.Load())
