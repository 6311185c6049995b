"""The entries of dicts that stand outside of the function, where they go into others: `{**DEFAULTS, "k": x}`.

So do the elements of lists that are given on one by one: `f(*ARGS[:2], v, *ARGS[3:])`. Which keys such a dict has,
how long such a list is, and what kind of values they hold, is looked up at every call (analysis/guards.py). One of
several dicts (`f(q, **link)` for link in LINKS) is known where all of them have the same keys.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.places_outside import PlacesOutside
from tangentish.kinds import UNKNOWN, Functions, Kind, Num, Opaque
from tangentish.kinds.joins import join
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.kinds.remembered import Remembered
from tangentish.language.source import Source
from tangentish.language.ways_outside import Path, found_at

MOST_ENTRIES = 64


class Place(NamedTuple):
    """The key of an element of a list, which no dict has."""

    number: int


class EntriesOutside(PlacesOutside):
    """The part of the walk that looks into dicts and lists outside."""

    def entries_outside(self, node: Any) -> Mapping[Hashable, Any] | None:
        """Key -> an expression for what a dict outside has under it; None for anything else, and for large dicts."""
        kinds = self.kinds_outside(node, dict)
        return None if kinds is None else {key: self.entry_read(node, key) for key in kinds}

    def elements_outside(self, node: Any) -> list[Any] | None:
        """An expression for each element of a list outside; None for anything else, and for long lists."""
        kinds = self.kinds_outside(node, list)
        return None if kinds is None else [self.entry_read(node, k) for k in range(len(kinds))]

    def kinds_outside(self, node: Any, container: type) -> Mapping[Hashable, Kind] | None:
        kind = self.expression(node)
        path = self.path_outside(node)
        if path is None or not (
            isinstance(kind, (Opaque, Functions)) and kind.type in (container, None)
        ):
            return None
        if CHANGED_OUTSIDE in self.rebound:
            return None
        if path not in self.entries:
            self.entries[path] = kinds_of_entries(self.source, path)
        kinds = self.entries[path]
        return kinds if kinds is not None and _are_of(kinds, container) else None

    def entry_read(self, node: Any, key: Hashable) -> Any:
        def make() -> Any:
            return gast.Subscript(ir.duplicate(node), gast.Constant(key, None), gast.Load())

        return self.made_once((node, "entry", key), make, node)

    def entry_outside(self, node: Any) -> Kind | None:
        """The kind of `DEFAULTS["k"]`, where it was looked up which entries there are."""
        path = self.path_outside(node.value) if self.entries else None
        kinds = None if path is None else self.entries.get(path)
        if kinds is None:
            return None
        key = self.known_key(node.slice)
        return kinds.get(Place(key), kinds.get(key))


def _are_of(kinds: Mapping[Hashable, Kind], container: type) -> bool:
    return all(isinstance(key, Place) == (container is list) for key in kinds)


def kinds_of_entries(source: Source, path: Path) -> dict[Hashable, Kind] | None:
    """Key -> the kind of what a dict or a list outside has under it; None for what is not looked into.

    Where several may stand there, they have the same keys.
    """
    found = found_at(source, path)
    if not found or any(type(held) not in (dict, list) for held in found):
        return None
    dicts = [_by_key(held) for held in found]
    if len(dicts) > 1:
        return _entries_of(dicts)
    items = [*dicts[0], *dicts[0].values()]
    kinds = _seen.of(found[0], items)
    if kinds is None:
        kinds = _entries_of(dicts)
        if kinds is not None:
            _seen.keep(found[0], items, kinds)
    return kinds


_seen: Remembered[dict[Hashable, Kind]] = Remembered()


def _by_key(held: Any) -> dict[Hashable, object]:
    return held if isinstance(held, dict) else {Place(k): v for k, v in enumerate(held)}


def _entries_of(dicts: Sequence[dict[Hashable, object]]) -> dict[Hashable, Kind] | None:
    keys = list(dicts[0])
    if len(keys) > MOST_ENTRIES or not all(type(key) in (str, int, Place) for key in keys):
        return None
    if any(list(held) != keys for held in dicts):
        return None
    return {key: kind_of_any([held[key] for held in dicts]) for key in keys}


def kind_of_any(values: Sequence[object]) -> Kind:
    """The kind of what is one of these values."""
    kinds = set(map(kind_of, values))
    if len(kinds) == 1:
        return kinds.pop()
    numbers = all(isinstance(kind, Num) for kind in kinds)
    return functools.reduce(join, kinds) if numbers else UNKNOWN
