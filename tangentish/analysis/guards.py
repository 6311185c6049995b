"""What was looked up when a derivative was generated, and has to be the same at every call."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tangentish.infer.arrays_outside import kind_found
from tangentish.infer.defaults import empty_dicts
from tangentish.infer.entries_outside import kinds_of_entries
from tangentish.infer.literals_outside import text_found
from tangentish.kinds import Functions, Kind, Num, Opaque, Tup, replace
from tangentish.kinds.kinds_of_values import kind_of, may_differ_inside, may_hide_methods
from tangentish.language.imported import object_of
from tangentish.language.source import Source
from tangentish.language.ways_outside import Path, found_at


@dataclass(frozen=True, eq=False, slots=True)
class Guard:
    """A global or closure value that was looked up when the derivative was generated."""

    source: Source
    name: str
    kind: Kind
    value: object
    space: dict[str, object] | None  # the globals it was found in; None for a closure
    stays: bool  # whether that very value is always of that kind, while it holds the same
    held: object = None  # a copy of a list or dict of functions

    @classmethod
    def of(cls, source: Source, name: str, kind: Kind, space: dict[str, object] | None) -> Guard:
        value = source.lookup(name)
        changes = may_differ_inside(kind) or may_hide_methods(kind) or _holds_tables(kind)
        stays = type(value) is not np.ndarray and not changes
        held = copy.copy(value) if isinstance(kind, Functions) else None
        return cls(source, name, kind, value, space, stays, held)

    def holds(self) -> bool:
        """Whether the name still has a value of that kind; fast where it still has that very value."""
        space = self.space
        same = self.stays and space is not None and space.get(self.name) is self.value
        if same and (self.held is None or self.held == self.value):
            return True
        return self.is_of_its_kind()

    def is_of_its_kind(self) -> bool:
        """The same, whatever its value was."""
        try:
            value = self.source.lookup(self.name)
        except NameError:
            return False
        return _are_alike(kind_of(getattr(value, "__tangentish__", value)), self.kind)


@dataclass(frozen=True, eq=False, slots=True)
class CodeGuard:
    """The code and the defaults of a function that was read."""

    function: types.FunctionType
    code: types.CodeType
    defaults: tuple[object, ...] | None
    kwdefaults: dict[str, object] | None
    empty: tuple[dict[Any, Any], ...] = ()  # those that are empty dicts

    @classmethod
    def of(cls, function: types.FunctionType) -> CodeGuard:
        kwdefaults = function.__kwdefaults__
        named = None if kwdefaults is None else dict(kwdefaults)
        empty = empty_dicts(function)
        return cls(function, function.__code__, function.__defaults__, named, empty)

    def holds(self) -> bool:
        function = self.function
        return (
            function.__code__ is self.code
            and function.__defaults__ is self.defaults
            and (self.kwdefaults is None or function.__kwdefaults__ == self.kwdefaults)
            and not any(self.empty)
        )


@dataclass(frozen=True, eq=False, slots=True)
class AttributeGuard:
    """What an attribute of a module or a class was when the derivative was generated."""

    owner: Any
    name: str
    value: Any
    kind: Kind

    def holds(self) -> bool:
        value = getattr(self.owner, self.name, None)
        if isinstance(value, types.MethodType) and isinstance(self.value, types.MethodType):
            return value.__func__ is self.value.__func__ and value.__self__ is self.value.__self__
        if isinstance(self.value, property):
            return value is self.value
        same = value is self.value and type(value) not in (np.ndarray, list, dict, tuple)
        same = same and not may_hide_methods(self.kind)
        return same or _are_alike(kind_of(value), self.kind)


@dataclass(frozen=True, eq=False, slots=True)
class EntriesGuard:
    """The keys of a dict outside, and what kind of values it had under them, when the derivative was generated."""

    source: Source
    path: Path
    kinds: Mapping[Hashable, Kind] | None

    def holds(self) -> bool:
        found = kinds_of_entries(self.source, self.path)
        if found is self.kinds:
            return True
        if found is None or self.kinds is None:
            return False
        return list(found) == list(self.kinds) and all(
            _are_alike(found[key], kind) for key, kind in self.kinds.items()
        )


@dataclass(frozen=True, eq=False, slots=True)
class NumberGuard:
    """The types of the numbers that dicts and objects outside held at a place."""

    source: Source
    path: Path
    types: frozenset[type]

    def holds(self) -> bool:
        found = found_at(self.source, self.path)
        return bool(found) and self.types.issuperset(map(type, found or ()))


@dataclass(frozen=True, eq=False, slots=True)
class ArrayGuard:
    """The kind of the arrays, or of what indexes, that dicts and objects outside held at a place."""

    source: Source
    path: Path
    kind: Kind

    def holds(self) -> bool:
        found = kind_found(self.source, self.path)
        return found is not None and _are_alike(found, self.kind)


@dataclass(frozen=True, eq=False, slots=True)
class LiteralsGuard:
    """The text of a list, tuple or dict of texts and numbers that a loop was written out for."""

    source: Source
    path: Path
    text: str

    def holds(self) -> bool:
        return text_found(self.source, self.path) == self.text


@dataclass(frozen=True, eq=False, slots=True)
class ImportGuard:
    """What an import found when the derivative was generated."""

    node: Any
    value: object

    def holds(self) -> bool:
        return object_of(self.node) is self.value


@dataclass(frozen=True, eq=False, slots=True)
class FrozenGuard:
    """What was compiled in: it has to be what is looked up again."""

    read: Callable[[], object]
    value: object

    def holds(self) -> bool:
        try:
            return self.read() is self.value
        except (KeyError, ValueError):
            return False


@dataclass(frozen=True, eq=False, slots=True)
class AbsentGuard:
    """A name that was not there, as that of a module that is not installed."""

    source: Source
    name: str

    def holds(self) -> bool:
        return self.source.where(self.name) is None


@dataclass(frozen=True, slots=True)
class LengthsGuard:
    """Which lengths of the arguments are 2: that is looked up with the kinds of these, at no other place."""

    def holds(self) -> bool:
        return True


LENGTHS = LengthsGuard()

AnyGuard = (
    Guard
    | CodeGuard
    | ImportGuard
    | AttributeGuard
    | EntriesGuard
    | NumberGuard
    | ArrayGuard
    | LiteralsGuard
    | AbsentGuard
    | FrozenGuard
    | LengthsGuard
)


def _holds_tables(kind: Kind) -> bool:
    """Whether it holds lists or dicts of functions: others may be in these at the next call."""
    inner = kind.items if isinstance(kind, Tup) else ()
    return any(isinstance(item, Functions) or _holds_tables(item) for item in inner)


def _are_alike(now: Kind, before: Kind) -> bool:
    """Whether two kinds are the same wherever what they are of lies in memory."""
    return now is before or now == before or _bare(now) == _bare(before)


def _bare(kind: Kind) -> Kind:
    """The kind without its place in memory, and without that of what objects hold."""
    match kind:
        case Num():
            return replace(kind, buffers=frozenset())
        case Opaque(parts=parts, item=item) if parts or item is not None:
            inner = tuple((name, _bare(part)) for name, part in parts)
            return replace(kind, parts=inner, item=None if item is None else _bare(item))
    return kind
