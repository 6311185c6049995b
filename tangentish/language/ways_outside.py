"""The way to what stands outside of a function: the names, and the keys and places, that lead to it.

OPTIONS, settings.OPTIONS       ("OPTIONS",), ("settings", "OPTIONS")
cfg.dt, of an object            ("cfg", Held("dt"))
self.defaults, of its class     (OfClass(Model), "defaults")
LINKS[0], LINKS[i]              ("LINKS", Step(0)), ("LINKS", ANY)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MemberDescriptorType
from typing import Any

from tangentish.kinds.classes import has_plain_attributes, member_of
from tangentish.language.source import Source
from tangentish.rules.rule import ABSENT

MOST_FOUND = 1000


@dataclass(frozen=True)
class Step:
    """From a container to what it holds: under one key, or, where that is not known, under any."""

    key: Any = ABSENT

    def from_(self, held: Any) -> list[object] | None:
        """What is found there; None where that is not sure."""
        if type(held) not in (list, tuple, dict):
            return None
        if self.key is ABSENT:
            return list(held.values()) if isinstance(held, dict) else list(held)
        try:
            return [held[self.key]]
        except (LookupError, TypeError):
            return None


@dataclass(frozen=True)
class Held:
    """From an object to what it, or its class, has under a name; no property or __getattr__ is asked."""

    name: str

    def from_(self, held: Any) -> list[object] | None:
        """What is found there; None where that is not sure."""
        cls: Any = type(held)
        if not _is_plain(cls) or any("__getattr__" in vars(c) for c in cls.__mro__):
            return None
        found = member_of(cls, self.name, ABSENT)
        if type(found) is MemberDescriptorType:  # of a slot
            found = getattr(held, self.name, ABSENT)
        elif not hasattr(type(found), "__set__"):
            found = getattr(held, "__dict__", _NOTHING).get(self.name, found)
        return None if found is ABSENT or hasattr(type(found), "__get__") else [found]


@dataclass(frozen=True)
class OfClass:
    """The class of an object that the program makes: what it has is there before."""

    cls: type


_NOTHING: dict[str, object] = {}
_is_plain = lru_cache(256)(has_plain_attributes)  # asked at every call

ANY = Step()
Path = tuple[str | Step | Held | OfClass, ...]


def found_at(source: Source, path: Path) -> list[object] | None:
    """All that may stand at a place, None where that is not known."""
    first = path[0]
    try:
        found = [first.cls if isinstance(first, OfClass) else source.lookup(str(first))]
    except NameError:
        return None
    for step in path[1:]:
        if isinstance(step, str):
            found = [getattr(held, step, None) for held in found]
            continue
        assert not isinstance(step, OfClass)
        parts = [step.from_(held) for held in found]
        found = [value for part in parts for value in part or ()]
        if None in parts or len(found) > MOST_FOUND:
            return None
    return found
