"""Keys of arguments that cost next to nothing to make: calls are found again by them."""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np
from numpy import ndarray

from tangentish.kinds.devices import is_device_array

__all__ = ["exact_key"]

# Numbers whose type says all about their kind.
_NUMBERS = frozenset(
    {float, bool, complex, type(None), np.bool_}
    | {np.float16, np.float32, np.float64, np.complex64, np.complex128}
    | {np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64}
)

_IN_CONTAINERS = _NUMBERS | {int, str}
_CONTAINERS = {list, tuple, dict}
_OF_MEMBERS = {"_value_", "_name_", "__objclass__", "_sort_order_"}
"""What every member of an Enum has."""
_DEEPEST = 4  # levels of containers in containers


def exact_key(args: tuple[object, ...]) -> Hashable:
    """A key that is equal only for arguments of equal kinds, or None where it is not that simple.

    Every array adds its shape, dtype and layout, every number its type; the integers 0 and 1, which are
    lengths that broadcast in their own way, add themselves. A list, tuple or dict adds its form.
    """
    key: list[Any] = []
    for value in args:
        kind = type(value)
        if kind is ndarray:
            key.append(value.shape)  # type: ignore[attr-defined]
            key.append(value.dtype)  # type: ignore[attr-defined]
            key.append(value.flags.c_contiguous)  # type: ignore[attr-defined]
        elif kind in _NUMBERS:
            key.append(kind)
        elif kind is int:
            key.append(value if 0 <= value <= 1 else int)  # type: ignore[operator]
        elif is_device_array(value):
            key += (kind, value.shape, value.dtype, value.flags.c_contiguous)
        elif kind in _CONTAINERS and (form := _form(value, _DEEPEST)) is not None:
            key.append(form)
        else:
            return None
    return tuple(key)


def _form(value: Any, depth: int) -> Hashable | None:
    """What tells containers of equal kinds: theirs and their keys, and the types of numbers and forms of all else."""
    kind = type(value)
    keys, items = (tuple(value), value.values()) if kind is dict else (None, value)
    types = tuple(map(type, items))
    different = set(types)
    if different <= _IN_CONTAINERS:
        return kind, keys, types
    if different == {tuple}:  # rows of numbers, by the thousand
        forms = [tuple(map(type, row)) for row in items]
        if _IN_CONTAINERS.issuperset(chain.from_iterable(forms)):
            return kind, keys, "rows", _at_once(forms)
    if not depth:
        return None
    inner = [_form_inside(item, depth - 1) for item in items]
    return None if None in inner else (kind, keys, "forms", _at_once(inner))


def _at_once(forms: list[Any]) -> Hashable:
    """One form and how often it stands there, where all are the same."""
    first = forms[0]
    return (len(forms), first) if forms.count(first) == len(forms) else tuple(forms)


def _form_inside(item: Any, depth: int) -> Hashable | None:
    kind: Any = type(item)
    if kind in _IN_CONTAINERS:
        return (kind,)
    if kind is ndarray:
        return item.shape, item.dtype, item.flags.c_contiguous
    if isinstance(item, Enum):
        return _form_of_member(item)
    return _form(item, depth) if kind in _CONTAINERS else None


def _form_of_member(member: Enum) -> Hashable | None:
    """The class and the name of a member of an Enum that holds nothing but a number or a text, which never changes."""
    plain = vars(member).keys() <= _OF_MEMBERS and type(member._value_) in _IN_CONTAINERS
    return (type(member), member._name_) if plain else None
