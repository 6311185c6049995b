"""The entries of dicts that stand outside of the function, where they go into others: `{**DEFAULTS, "k": x}`.

Which keys such a dict has, and what kind of values, is looked up at every call (analysis/guards.py).
"""

from __future__ import annotations

import types
from collections.abc import Hashable, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.instances import Instances
from tangentish.kinds import Functions, Kind, Opaque
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.language.source import Source

__all__ = ["EntriesOutside", "kinds_of_entries"]

MOST_ENTRIES = 64


class EntriesOutside(Instances):
    """The part of the walk that looks into dicts outside."""

    def entries_outside(self, node: Any) -> Mapping[Hashable, Any] | None:
        """Key -> an expression for what a dict outside has under it; None for anything else, and for large dicts."""
        kind = self.expression(node)
        path = self.path_outside(node)
        if path is None or not (isinstance(kind, (Opaque, Functions)) and kind.type is dict):
            return None
        if CHANGED_OUTSIDE in self.rebound:
            return None
        if path not in self.entries:
            self.entries[path] = kinds_of_entries(self.source, path)
        kinds = self.entries[path]
        return None if kinds is None else {key: self.entry_read(node, key) for key in kinds}

    def entry_read(self, node: Any, key: Hashable) -> Any:
        def make() -> Any:
            return gast.Subscript(ir.duplicate(node), gast.Constant(key, None), gast.Load())

        return self.made_once((node, "entry", key), make, node)

    def entry_outside(self, node: Any) -> Kind | None:
        """The kind of `DEFAULTS["k"]`, where it was looked up which entries there are."""
        path = self.path_outside(node.value) if self.entries else None
        kinds = None if path is None else self.entries.get(path)
        return None if kinds is None else kinds.get(self.known_key(node.slice))

    def path_outside(self, node: Any) -> tuple[str, ...] | None:
        """The names of `DEFAULTS`, or `settings.DEFAULTS` of a module, that nothing in the program binds."""
        match node:
            case gast.Name(id=name) if not ir.is_value(name) and name not in self.scope:
                found = self.source.where(name) is not None and not self.is_rebound(name)
                return (name,) if found else None
            case gast.Attribute(value=gast.Name() as module, attr=attribute):
                owner = self.path_outside(module)
                held = None if owner is None else self.source.lookup(owner[0])
                return (*(owner or ()), attribute) if isinstance(held, types.ModuleType) else None
        return None


def kinds_of_entries(source: Source, path: tuple[str, ...]) -> dict[Hashable, Kind] | None:
    """Key -> the kind of what a dict outside has under it; None where this is no dict that is looked into."""
    try:
        held = source.lookup(path[0])
    except NameError:
        return None
    for attribute in path[1:]:
        held = getattr(held, attribute, None)
    if type(held) is not dict or len(held) > MOST_ENTRIES:
        return None
    if not all(type(key) in (str, int) for key in held):
        return None
    return {key: kind_of(value) for key, value in held.items()}
