"""What was found of containers outside that hold the very same numbers, texts and rows of these: it is so still.

What lists and dicts hold that lie in others is compared as well, all of one depth at once.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_MOST = 64
_LARGEST = 100_000  # items at one depth
_DEEPEST = 8  # lists in lists, which may hold themselves
_PLAIN = {int, float, bool, complex, str, type(None)}


class Remembered(Generic[T]):
    """What was found of each container, with what it held then."""

    def __init__(self) -> None:
        self._found: dict[tuple[type, int], tuple[_Held, T]] = {}

    def of(self, container: object, items: list[Any]) -> T | None:
        """What was found of a container that held the very same items; None where that is not known."""
        then = self._found.get((type(container), id(container)))
        return None if then is None or not _are_same(then[0], items) else then[1]

    def keep(self, container: object, items: list[Any], found: T) -> None:
        """Remember what was found where all that can change is a list or dict of what cannot."""
        held = _held(items)
        if held is None:
            return
        if len(self._found) >= _MOST:
            self._found.clear()
        self._found[type(container), id(container)] = held, found


_Held = list[tuple[list[Any], list[Any], list[int]]]
"""What was held, one depth after the other: the items, the containers among them, and the lengths of these."""


def _held(items: list[Any]) -> _Held | None:
    """What is held at each depth; None where that may change itself, or is too much."""
    held: _Held = []
    while len(held) < _DEEPEST:
        inner = [item for item in items if type(item) in _WAYS_IN]
        if len(inner) < len(items) and not _PLAIN.union(_WAYS_IN).issuperset(map(type, items)):
            return None
        lengths = [*map(len, inner)]
        held.append((items, inner, lengths))
        if sum(lengths) > _LARGEST:
            return None
        if not inner:
            return held
        items = _inside(inner)
    return None


def _are_same(held: _Held, items: list[Any]) -> bool:
    for before, inner, lengths in held:
        if len(before) != len(items) or not all(map(operator.is_, before, items)):
            return False
        if lengths != [*map(len, inner)]:
            return False
        items = _inside(inner)
    return True


def _inside(containers: Sequence[Any]) -> list[Any]:
    """What containers hold, one after the other; dicts their keys as well."""
    if dict not in set(map(type, containers)):
        return [*chain.from_iterable(containers)]
    return [*chain.from_iterable(_WAYS_IN[type(each)](each) for each in containers)]


def _keys_and_values(held: dict[Any, Any]) -> Iterable[Any]:
    return chain(held, held.values())


_WAYS_IN: dict[type, Any] = {list: iter, tuple: iter, dict: _keys_and_values}
