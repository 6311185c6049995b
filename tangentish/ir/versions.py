"""Maps that are cheap to copy and to compare: what is known before every statement, without a dict for each.

Versions of a map share a dict, that of the version asked last; every other version knows in what it differs from its
neighbour on the way there (Baker's trick). Asking another version turns the way around, so that a walk over
neighbouring versions costs what changed between them. Where the way is long (from a loop's end back to its head, and
again for each of its lines), the version asked takes a dict of its own, and both ends are at hand from then on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")

_MISSING: Any = object()
A_LONG_WAY = 32  # steps
ENTRIES_FOR_A_STEP = 16  # are copied in the time that a step takes


class _Version:
    """One state of a map: in full, or as what one key holds that holds something else in the next version."""

    __slots__ = ("content", "key", "next", "value")

    def __init__(self, content: dict[Any, Any]) -> None:
        self.content: dict[Any, Any] | None = content
        self.next: _Version | None = None
        self.key: Any = None
        self.value: Any = None

    def in_full(self) -> dict[Any, Any]:
        if self.content is not None:
            return self.content
        way = []
        version = self
        while version.next is not None:
            way.append(version)
            version = version.next
        content = cast("dict[Any, Any]", version.content)
        if len(way) > max(A_LONG_WAY, len(content) // ENTRIES_FOR_A_STEP):
            return self.apart(content.copy(), way)
        version.content = None
        for nearer in reversed(way):  # a long way, often: without a call for each step
            key, value = nearer.key, nearer.value
            version.key, version.value, version.next = key, content.get(key, _MISSING), nearer
            if value is _MISSING:
                del content[key]
            else:
                content[key] = value
            version = nearer
        version.content, version.next = content, None
        return content

    def apart(self, content: dict[Any, Any], way: list[_Version]) -> dict[Any, Any]:
        """All of this version in a dict of its own, made of a copy of what is at the way's end."""
        for version in reversed(way):
            if version.value is _MISSING:
                content.pop(version.key, None)
            else:
                content[version.key] = version.value
        self.content, self.next = content, None
        return content


class Versions(Mapping[K, V]):
    """A map that can be changed; a copy costs nothing and does not change with it."""

    __slots__ = ("version",)
    version: _Version

    def __init__(self, content: Mapping[K, V] | None = None) -> None:
        self.version = _Version(dict(content or {}))

    def copy(self) -> Versions[K, V]:
        new: Versions[K, V] = Versions.__new__(Versions)
        new.version = self.version
        return new

    def __getitem__(self, key: K) -> V:
        return cast("V", self.content()[key])

    def content(self) -> dict[Any, Any]:
        """All that the map holds, as long as it does not change."""
        content = self.version.content  # which most often is here already
        return self.version.in_full() if content is None else content

    def get(self, key: K, default: Any = None) -> Any:
        content = self.version.content  # asked most: here without a call
        return (self.version.in_full() if content is None else content).get(key, default)

    def __contains__(self, key: object) -> bool:
        content = self.version.content
        return key in (self.version.in_full() if content is None else content)

    def __iter__(self) -> Iterator[K]:
        return iter(tuple(self.content()))

    def __len__(self) -> int:
        return len(self.content())

    def __setitem__(self, key: K, value: V) -> None:
        content = self.version.content
        content = self.version.in_full() if content is None else content
        old = content.get(key, _MISSING)
        if old is not value:
            self.change(content, key, old, value)

    def discard(self, key: K) -> None:
        content = self.version.content
        content = self.version.in_full() if content is None else content
        if key in content:
            self.change(content, key, content[key], _MISSING)

    def change(self, content: dict[Any, Any], key: K, old: Any, value: Any) -> None:
        """The next version has the content from now on; it differs in what `key` holds, which is `old` before it."""
        if value is _MISSING:
            del content[key]
        else:
            content[key] = value
        before, self.version = self.version, _Version(content)
        before.content, before.key, before.value, before.next = None, key, old, self.version

    def differences(self, other: Versions[K, V]) -> dict[K, tuple[V | None, V | None]]:
        """What those keys hold here and there that do not hold the same; None where there is nothing."""
        there = other.content()
        here: dict[Any, Any] = {}
        version = self.version
        while version.next is not None:  # what is nearest on the way there holds here
            here.setdefault(version.key, None if version.value is _MISSING else version.value)
            version = version.next
        if version is not other.version:  # no versions of one map, or each at hand in full
            here = {key: self.get(key) for key in (*self, *there)}
        return {key: (a, b) for key, a in here.items() if a is not (b := there.get(key))}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Versions):
            return NotImplemented
        return all(a == b for a, b in self.differences(other).values())

    __hash__ = None  # type: ignore[assignment]
