"""What is known at one point of the program, and how that of two ways is joined."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.ir.versions import Versions
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Kind,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    replace,
    with_parts,
)
from tangentish.kinds.lengths import Dim, Length
from tangentish.language.lifted import element_name

Path = tuple[Any, frozenset[str]]
"""An expression, and the values that it depends on."""


class Changes(NamedTuple):
    """What the trips of a loop do: in what their end differs from the loop's start; None where nothing is there.

    entered: the kinds with which the loop was entered, of all that it mentions.
    """

    entered: Mapping[str, Kind]
    kinds: Mapping[str, Kind | None]
    paths: Mapping[str, Any]
    stale: Mapping[str, frozenset[str] | None]
    maybe: Mapping[str, bool | None]


@dataclass
class Seen:
    """Where to look: names by what they held or depended on at any time."""

    holders: dict[Hashable, set[str]] = field(default_factory=dict)  # by the site of a buffer
    readers: dict[Hashable, set[str]] = field(default_factory=dict)  # without those let go
    ended: set[str] = field(default_factory=set)  # what nothing reads again before it is bound anew
    measured: dict[int, set[str]] = field(default_factory=dict)  # by the node that made a symbol
    views: dict[str, set[str]] = field(default_factory=dict)  # by a value in their path
    no_numbers: set[str] = field(default_factory=set)  # held something else than numbers and arrays
    let_go: dict[str, set[Hashable]] = field(default_factory=dict)  # the sites, by name
    of_another_class: set[str] = field(default_factory=set)  # objects whose place such took

    def note_kind(self, name: str, kind: Kind, before: Kind | None) -> None:
        """`before`: the kind that the name had, whose sites are noted: a list that grows has many."""
        buffers = buffers_of(kind)
        let_go = self.let_go.get(name)
        if let_go:
            let_go.difference_update(buffer.site for buffer in buffers)
        elif before is not None and buffers:
            buffers -= buffers_of(before)
        for buffer in buffers:
            self.holders.setdefault(buffer.site, set()).add(name)
            self.readers.setdefault(buffer.site, set()).add(name)
        for site in _measured_in(kind):
            self.measured.setdefault(site, set()).add(name)
        if type(kind) is Tup and type(before) is Tup and kind is not before:
            self.of_another_class.update(_of_another_class(name, before, kind))


@dataclass
class Environment:
    """The kinds of names, the views that they stand for and the writes that made them stale."""

    kinds: Versions[str, Kind] = field(default_factory=Versions)
    paths: Versions[str, Any] = field(default_factory=Versions)
    stale: Versions[str, frozenset[str]] = field(default_factory=Versions)
    maybe: Versions[str, bool] = field(default_factory=Versions)  # bound on some ways only
    dead: bool = False
    seen: Seen = field(default_factory=Seen)

    def copy(self) -> Environment:
        return Environment(
            self.kinds.copy(), self.paths.copy(), self.stale.copy(), self.maybe.copy(), self.dead, self.seen
        )  # fmt: skip

    def bind(self, name: str, kind: Kind) -> None:
        before = self.kinds.get(name)
        self.know(name, kind)
        self.seen.note_kind(name, kind, before)

    def know(self, name: str, kind: Kind) -> None:
        """What `name` holds already is of this kind."""
        self.kinds[name] = kind
        if not isinstance(kind, Num):
            self.seen.no_numbers.add(name)

    def is_bound(self, name: str) -> None:
        """From here on `name` has a value for sure."""
        self.maybe.discard(name)

    def forget(self, name: str) -> None:
        """`name` is bound anew: views found through it are no longer known by it."""
        self.seen.ended.discard(name)
        self.stale.discard(name)
        self.is_bound(name)
        self.paths.discard(name)
        for view in self.seen.views.get(name, ()):
            path = self.paths.get(view)
            if path is not None and name in path[1]:
                self.paths.discard(view)

    def keep_path(self, view: str, path: Path) -> None:
        """`view` stands for a place in another array until one of the values in the path is bound anew."""
        self.paths[view] = path
        for name in path[1]:
            self.seen.views.setdefault(name, set()).add(view)

    def forget_elements(self, changed: frozenset[Buffer]) -> None:
        """A list was changed: what stands at a place of it may be something else; of lists around it nothing is."""
        for view, (path, _) in dict(self.paths).items():
            root = ir.root_of(path)
            kind = self.kinds.get(root.id) if isinstance(root, gast.Name) else None
            if root is not path and self._may_lead_through(path, kind, changed):
                self.paths.discard(view)

    def _may_lead_through(self, path: Any, kind: Kind | None, changed: frozenset[Buffer]) -> bool:
        """Whether one of the containers along a path may be a list that was changed."""
        for _ in ir.links_of(path):
            if isinstance(kind, Num):
                return False
            if not (isinstance(kind, Seq) and kind.buffers and changed) or kind.buffers & changed:
                return True
            kind = kind.item
        return False

    def on(self, buffers: frozenset[Buffer]) -> set[str]:
        """The names that may be on one of the buffers."""
        return self._in(buffers, self.seen.holders)

    def touched_by(self, buffers: frozenset[Buffer]) -> set[str]:
        """The names to which a write to one of the buffers matters."""
        return self._in(buffers, self.seen.readers)

    def holding(self, buffers: frozenset[Buffer]) -> dict[str, Kind]:
        """The names that may hold one of the buffers, and are no arrays themselves, of which there may be many."""
        names: set[str] = set()
        for buffer in buffers:
            names |= self.seen.holders.get(buffer.site, set()) & self.seen.no_numbers
        kinds = {n: self.kinds.get(n, UNKNOWN) for n in names}
        others = {n: kind for n, kind in kinds.items() if not isinstance(kind, Num)}
        return {n: kind for n, kind in others.items() if buffers & buffers_of(kind)}

    def _in(self, buffers: frozenset[Buffer], by_site: Mapping[Hashable, Set[str]]) -> set[str]:
        names = {n for b in buffers for n in by_site.get(b.site, ())}
        kinds = self.kinds.content()
        return {n for n in names if n in kinds and buffers & buffers_of(kinds[n])}

    def let_go(self, name: str, buffers: frozenset[Buffer]) -> None:
        """No write to the buffers matters to `name` any more, until it is bound anew."""
        sites = {buffer.site for buffer in buffers}
        self.seen.let_go.setdefault(name, set()).update(sites)
        for site in sites:
            self.seen.readers.get(site, set()).discard(name)

    def age(self, site: Hashable) -> None:
        """An array is made at `site` once more: what is held from there is old."""
        new, old = Buffer(site), Buffer(site, old=True)
        for name in self.on(frozenset({new})):
            self.know(name, _aged(self.kinds[name], new, old))

    def changes_since(self, start: Environment, names: Iterable[str]) -> Changes:
        pairs = zip(self.versions(), start.versions(), strict=True)
        changed = ({k: now for k, (now, _) in a.differences(b).items()} for a, b in pairs)
        return Changes({name: start.kinds.get(name, UNKNOWN) for name in names}, *changed)

    def joined_with(self, changes: Changes, met: Callable[[Kind, Kind], Kind]) -> Environment:
        """What is known here, or where these changes have been made."""
        other = self.copy()
        for versions, changed in zip(other.versions(), changes[1:], strict=True):
            for key, value in changed.items():
                if value is None:
                    versions.discard(key)
                else:
                    versions[key] = value
        return join_environments(self, other, met)

    def is_entered_like(self, changes: Changes) -> bool:
        """Whether a loop comes here to what it came to before, but for the memory that arrays lie in."""
        return all(
            _differ_in_memory(kind, self.kinds.get(name, UNKNOWN))
            for name, kind in changes.entered.items()
        )

    def versions(self) -> tuple[Versions[str, Any], ...]:
        return self.kinds, self.paths, self.stale, self.maybe

    def next_trip(self, symbols: Set[int]) -> Environment:
        """What one trip hands to the next: lengths measured inside it are other lengths there."""
        env = self.copy()
        for name in {n for site in symbols for n in self.seen.measured.get(site, ())}:
            if name in env.kinds:
                env.know(name, _without_symbols(env.kinds[name], symbols))
        return env


def _of_another_class(name: str, before: Tup, after: Tup) -> Iterator[str]:
    """The elements that are objects now, and of another class, or none, before."""
    for k, item in enumerate(after.items):
        position = before.position(k if after.keys is None else after.keys[k])
        old = None if position is None else before.items[position]
        if old is None or not isinstance(item, Tup):
            continue
        element = element_name(name, k, after)
        if item.is_object and item.type is not getattr(old, "type", None):
            yield element
        if isinstance(old, Tup):
            yield from _of_another_class(element, old, item)


def _differ_in_memory(a: Kind, b: Kind) -> bool:
    """Whether kinds are the same, or differ in nothing but the memory of arrays."""
    if isinstance(a, Num) and isinstance(b, Num) and a.buffers != b.buffers:
        return replace(a, buffers=b.buffers) == b
    return a is b or a == b


def _aged(kind: Kind, new: Buffer, old: Buffer) -> Kind:
    match kind:
        case Num(buffers=buffers) | Opaque(buffers=buffers) if new in buffers:
            return replace(kind, buffers=buffers - {new} | {old})
        case Seq(buffers=buffers) if new in buffers:
            kind = replace(kind, buffers=buffers - {new} | {old})
    return with_parts(kind, lambda part: _aged(part, new, old))


def _without_symbols(kind: Kind, sites: Set[int]) -> Kind:
    def known(length: Length) -> Length:
        return length if sites.isdisjoint(_nodes_of(length)) else None

    if sites.isdisjoint(_measured_in(kind)):
        return kind
    match kind:
        case Num(shape=shape, value=value):
            return replace(
                kind, shape=None if shape is None else tuple(map(known, shape)), value=known(value)
            )
        case Seq(length=length):
            kind = replace(kind, length=known(length))
    return with_parts(kind, lambda part: _without_symbols(part, sites))


def _measured_in(kind: Kind) -> Iterator[int]:
    """The nodes that made the lengths in a kind."""
    match kind:
        case Num(shape=shape, value=value):
            for length in (*(shape or ()), value):
                if length.__class__ is Dim:
                    yield from _nodes_of(length)
        case Tup(items=items):
            for item in items:
                yield from _measured_in(item)
        case Seq(item=item, length=length):
            yield from _nodes_of(length)
            if item is not None:
                yield from _measured_in(item)


def _nodes_of(part: object) -> Iterator[int]:
    """The nodes that made the symbols in a length."""
    match part:
        case Dim(("new", int(node), *_)):
            yield node
        case Dim(tuple() as parts) | tuple(parts):
            for inner in parts:
                if isinstance(inner, tuple):
                    yield from _nodes_of(inner)


def join_environments(
    a: Environment, b: Environment, met: Callable[[Kind, Kind], Kind]
) -> Environment:
    """What is known after either way."""
    if a.dead:
        return b
    if b.dead:
        return a
    result = a.copy()
    for view, path in _common_paths(a, b).items():
        if path is None:
            result.paths.discard(view)
        else:
            result.paths[view] = path
    for name in b.maybe.differences(a.maybe):
        result.maybe[name] = True
    for name, (one, other) in a.stale.differences(b.stale).items():
        result.stale[name] = (one or frozenset()) | (other or frozenset())
    for name, (kind, also) in a.kinds.differences(b.kinds).items():
        if kind is None or also is None:
            result.maybe[name] = True
        result.know(name, met(kind or also or UNKNOWN, also or kind or UNKNOWN))
    return result


def _common_paths(a: Environment, b: Environment) -> dict[str, Path | None]:
    """What the names that may stand for different views stand for after both ways."""
    differences = a.paths.differences(b.paths)
    bound_in_a = {name for name in differences if name in a.kinds}
    bound_in_b = {name for name in differences if name in b.kinds}
    common: dict[str, Path | None] = {}
    for name, (one, other) in differences.items():
        path = other if one is None else one
        agree = (name not in bound_in_a or one == path) and (
            name not in bound_in_b or other == path
        )
        common[name] = path if agree else None
    return common
