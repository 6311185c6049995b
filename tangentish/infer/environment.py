"""What is known at one point of the program, and how that of two ways is joined."""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass, field, replace
from typing import Any

from tangentish.kinds import UNKNOWN, Buffer, Dim, Kind, Length, Num, Tup, buffers_of, join

__all__ = ["Environment", "join_environments"]


@dataclass
class Environment:
    """The kinds of names, the views that they stand for and the writes that made them stale."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    paths: dict[str, Any] = field(default_factory=dict)
    stale: dict[str, frozenset[str]] = field(default_factory=dict)
    maybe: frozenset[str] = frozenset()  # bound on some ways only
    dead: bool = False
    held: dict[Hashable, set[str]] = field(default_factory=dict)  # site -> names that ever held it

    def copy(self) -> Environment:
        return Environment(
            dict(self.kinds), dict(self.paths), dict(self.stale), self.maybe, self.dead, self.held
        )

    def bind(self, name: str, kind: Kind) -> None:
        self.kinds[name] = kind
        for buffer in buffers_of(kind):
            self.held.setdefault(buffer.site, set()).add(name)

    def is_bound(self, name: str) -> None:
        """From here on `name` has a value for sure."""
        self.maybe -= {name}

    def forget(self, name: str) -> None:
        """`name` is bound anew: views found through it are no longer known by it."""
        self.stale.pop(name, None)
        self.is_bound(name)
        self.paths = {
            view: path for view, path in self.paths.items() if view != name and name not in path[1]
        }

    def age(self, site: int) -> None:
        """An array is made at `site` once more: what is held from there is old."""
        new, old = Buffer(site), Buffer(site, old=True)
        names = [n for n in self.held.get(site, ()) if n in self.kinds]
        held = [n for n in names if new in buffers_of(self.kinds[n])]
        if held:
            self.kinds = {**self.kinds, **{n: _aged(self.kinds[n], new, old) for n in held}}

    def next_trip(self, symbols: Set[int]) -> Environment:
        """What one trip hands to the next: lengths measured inside it are other lengths there."""
        env = self.copy()
        env.kinds = {name: _without_symbols(kind, symbols) for name, kind in env.kinds.items()}
        return env


def _aged(kind: Kind, new: Buffer, old: Buffer) -> Kind:
    match kind:
        case Num(buffers=buffers) if new in buffers:
            return replace(kind, buffers=buffers - {new} | {old})
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(_aged(item, new, old) for item in items), is_list)
    return kind


def _without_symbols(kind: Kind, sites: Set[int]) -> Kind:
    def known(length: Length) -> Length:
        return None if _is_measured_at(length, sites) else length

    match kind:
        case Num(shape=shape, value=value):
            return replace(
                kind, shape=None if shape is None else tuple(map(known, shape)), value=known(value)
            )
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(_without_symbols(item, sites) for item in items), is_list)
    return kind


def _is_measured_at(length: Length, sites: Set[int]) -> bool:
    symbol = length.symbol if isinstance(length, Dim) else None
    return isinstance(symbol, tuple) and symbol[0] == "new" and symbol[1] in sites


def join_environments(a: Environment, b: Environment) -> Environment:
    """What is known after either way."""
    if a.dead:
        return b
    if b.dead:
        return a
    kinds = {
        name: join(a.kinds[name], b.kinds[name]) if name in a.kinds and name in b.kinds
        else a.kinds.get(name, b.kinds.get(name, UNKNOWN))
        for name in a.kinds | b.kinds
    }  # fmt: skip
    paths = {
        name: path
        for name, path in (b.paths | a.paths).items()
        if (name not in a.kinds or a.paths.get(name) == path)
        and (name not in b.kinds or b.paths.get(name) == path)
    }
    stale = {
        name: a.stale.get(name, frozenset()) | b.stale.get(name, frozenset())
        for name in a.stale | b.stale
    }
    maybe = a.maybe | b.maybe | (a.kinds.keys() ^ b.kinds.keys())
    return Environment(kinds, paths, stale, frozenset(maybe), held=a.held)
