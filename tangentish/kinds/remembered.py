"""What was found of containers outside that hold the very same numbers, texts and rows of these: it is so still."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

__all__ = ["Remembered"]

T = TypeVar("T")

_MOST = 64
_PLAIN = {int, float, bool, complex, str, type(None)}


class Remembered(Generic[T]):
    """What was found of each container, with what it held then."""

    def __init__(self) -> None:
        self._found: dict[tuple[type, int], tuple[list[Any], T]] = {}

    def of(self, container: object, items: list[Any]) -> T | None:
        """What was found of a container that held the very same items; None where that is not known."""
        held, found = self._found.get((type(container), id(container)), _NOTHING)
        same = len(held) == len(items) and all(map(operator.is_, held, items))
        return found if same else None

    def keep(self, container: object, items: list[Any], found: T) -> None:
        """Remember what was found where no item can change itself."""
        if not _never_change(items):
            return
        if len(self._found) >= _MOST:
            self._found.clear()
        self._found[type(container), id(container)] = items, found


_NOTHING: tuple[list[Any], Any] = [], None


def _never_change(items: Sequence[Any]) -> bool:
    types = set(map(type, items))
    if types == {tuple}:
        types = set(map(type, chain.from_iterable(items)))
    return types <= _PLAIN
