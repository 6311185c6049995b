"""Named tuples of the user's whose class says itself what others do as tuples: `__add__`, `__iter__`, `__bool__`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import lru_cache

_WAYS_TO_ITEMS = ("__iter__", "__getitem__", "__len__", "__reversed__", "__getattribute__")


def answers_itself(cls: object, name: str) -> bool:
    """Whether a class of tuples has a method of its own where Python asks for it."""
    return isinstance(cls, type) and issubclass(cls, tuple) and _defines(cls, name)


def own_way_to_items(cls: type) -> str | None:
    """The method of a class of tuples by which its items are others than those that it was made of."""
    return _first_of(cls, _WAYS_TO_ITEMS)


def _first_of(cls: type, names: Iterable[str]) -> str | None:
    return next((name for name in names if answers_itself(cls, name)), None)


@lru_cache(1024)  # asked at every call
def _defines(cls: type, name: str) -> bool:
    return inspect.getattr_static(cls, name, None) is not inspect.getattr_static(tuple, name, None)
