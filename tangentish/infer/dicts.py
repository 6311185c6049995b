"""Dicts with literal keys: displays, stores to them, and what `.items()` and `.values()` give."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.lists import Lists, StartAgain
from tangentish.infer.literals import literal_of
from tangentish.kinds import Kind, Num, Opaque, Tup
from tangentish.lifted import element_path
from tangentish.rules.rule import ABSENT

__all__ = ["DICT_VIEWS", "DictView", "Dicts"]

DICT_VIEWS = {"items", "keys", "values"}


@dataclass(frozen=True)
class DictView:
    """A method of a dict that gives its keys, its values or both."""

    name: str


class Dicts(Lists):
    """The part of the walk that knows dicts."""

    def dict_display(self, node: Any) -> Kind:
        """{"a": x, "b": y}"""
        keys = [ABSENT if key is None else literal_of(key) for key in node.keys]
        kinds = tuple(map(self.expression, node.values))
        for key in node.keys:
            if key is not None:
                self.expression(key)
        known = all(isinstance(key, (str, int, float, tuple)) for key in keys)
        if not known or len(set(keys)) < len(keys):
            if any(kind.active for kind in kinds):
                self.refuse("a dict of differentiated values has literal keys only", node)
            return Opaque(dict)
        self.kept.append(node)
        apart = id(node) in self.dynamic
        return Tup(kinds, False, frozenset({id(node)}), tuple(keys), dict, apart)

    def dict_view(self, name: str, receiver: Any, node: Any) -> Kind:
        """The elements that d.values(), d.items() or d.keys() gives, as a tuple."""
        kind = self.kind(receiver)
        assert isinstance(kind, Tup)
        if node not in self.instead:
            self.instead[node] = gast.copy_location(_as_tuple(name, receiver, kind, node), node)
        self.facts.as_arrays[node] = self.instead[node]
        return self.expression(self.instead[node])

    def is_entry(self, target: Any) -> bool:
        """Whether a store is to an entry of a dict that carries a derivative."""
        kind = self.expression(target.value)
        return isinstance(kind, Tup) and kind.is_mapping

    def store_entry(self, target: Any, value: Kind) -> None:
        """d["a"] = v"""
        kind, name, key = self.kind(target.value), target.value, literal_of(target.slice)
        assert isinstance(kind, Tup)
        if not (kind.active or value.active):
            self.store_inactive(target, kind, name, key, value)
            return
        if key is ABSENT or not isinstance(name, gast.Name) or not ir.is_value(name.id):
            self.refuse("a dict of differentiated values has literal keys, and a name", target)
            return
        if self.is_seen_elsewhere(name.id, kind):
            self.refuse("this dict has another name, or is the caller's: make a new one", target)
            return
        if not kind.active:
            self.dynamic |= kind.sites
            raise StartAgain
        self.expression(target.slice)
        self.bind_entry(name, kind, key, value)
        self.facts.kinds[target] = value

    def store_inactive(self, target: Any, kind: Tup, name: Any, key: Any, value: Kind) -> None:
        """An entry of a dict that carries no derivative, so far."""
        own = isinstance(name, gast.Name) and ir.is_value(name.id)
        if key is ABSENT or not own or self.is_seen_elsewhere(name.id, kind):
            self.store(target, value)
            return
        self.expression(target.slice)
        self.bind_entry(name, kind, key, value)
        assert self.statement is not None
        self.facts.effects.add(self.statement)

    def update_entry(self, target: Any, old: Kind, result: Kind) -> None:
        """d["a"] += v"""
        if isinstance(old, Num) and old.array is not False and (old.active or result.active):
            self.refuse("write d[k] = d[k] + v for an array in a dict", target)
            return
        self.store_entry(target, result)

    def is_seen_elsewhere(self, name: str, kind: Tup) -> bool:
        """Whether somebody else has the dict: another name, a container, or the caller of this function."""
        given = any(isinstance(site, tuple) and site[0] == "display" for site in kind.sites)
        if given and not self.own_signature:
            return True
        return any(
            other != name and _holds(held, kind.sites) for other, held in self.env.kinds.items()
        )

    def bind_entry(self, name: Any, kind: Tup, key: Hashable, value: Kind) -> None:
        position = kind.position(key)
        if position is None:
            new = replace(kind, items=(*kind.items, value), keys=(*(kind.keys or ()), key))
        else:
            items = tuple(value if k == position else old for k, old in enumerate(kind.items))
            new = replace(kind, items=items)
        new = replace(new, apart=kind.active or value.active)  # also where nothing active is left
        self.env.bind(name.id, new)
        self.facts.web_kinds[name.id] = new
        self.facts.kinds[name] = new


def _holds(kind: Kind, sites: frozenset[Hashable]) -> bool:
    return isinstance(kind, Tup) and (
        bool(kind.sites & sites) or any(_holds(item, sites) for item in kind.items)
    )


def _as_tuple(name: str, receiver: Any, kind: Tup, node: Any) -> Any:
    keys = [gast.copy_location(gast.Constant(key, None), node) for key in kind.keys or ()]
    values = [
        gast.copy_location(element_path(receiver, k, kind), node) for k in range(len(kind.items))
    ]
    parts = {"keys": keys, "values": values}.get(name)
    if parts is None:
        pairs = zip(keys, values, strict=True)
        parts = [gast.copy_location(gast.Tuple([k, v], gast.Load()), node) for k, v in pairs]
    return gast.Tuple(parts, gast.Load())
