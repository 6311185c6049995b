"""Keys of arguments that cost next to nothing to make: calls are found again by them."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Hashable
from enum import Enum, EnumMeta
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy import ndarray

from tangentish.kinds.classes import (
    attributes_held,
    has_plain_attributes,
    holds_attributes,
    slots_of,
)
from tangentish.kinds.devices import is_device_array
from tangentish.kinds.plain_containers import DICTS, LISTS_AND_DICTS

# Numbers whose type says all about their kind.
_NUMBERS = frozenset(
    {float, complex, type(None), np.bool_}
    | {np.float16, np.float32, np.float64, np.complex64, np.complex128}
    | {np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64}
)

_FLAGS = {bool, str}  # of which a derivative may be for one
_LONGEST = 100  # characters of texts that are kept
_IN_CONTAINERS = _NUMBERS | {int, bool, str}
_CONTAINERS = {tuple, *LISTS_AND_DICTS}
_OF_CLASSES = {type, ABCMeta, EnumMeta}
_OF_MEMBERS = {"_value_", "_name_", "__objclass__", "_sort_order_"}
"""What every member of an Enum has."""
Classes = dict[type, tuple[str, ...] | None]
_DEEPEST = 8  # levels of containers in containers


def exact_key(args: tuple[object, ...]) -> Hashable:
    """A key that is equal only for arguments of equal kinds, or None where it is not that simple.

    Every array adds its shape, dtype and layout, every number its type; the integers 0 and 1, which are
    lengths that broadcast in their own way, add themselves, as flags and short texts do. A list, tuple,
    dict or object adds its form.
    """
    key: list[Any] = []
    classes: Classes = {}
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
        elif kind in _FLAGS:
            if kind is str and len(value) > _LONGEST:  # type: ignore[arg-type]
                return None
            key.append((kind, value))
        elif is_device_array(value):
            key += (kind, value.shape, value.dtype, value.flags.c_contiguous)
        elif (form := _form_inside(value, _DEEPEST, classes)) is not None:
            key.append(form)
        else:
            return None
    return tuple(key)


def form_with_classes(value: object, classes: Classes) -> Hashable | None:
    """The form of an object, or None; the classes of all objects that were looked into are noted."""
    return _form_inside(value, _DEEPEST, classes)


def _form(value: Any, depth: int, classes: Classes) -> Hashable | None:
    """What tells containers and objects of equal kinds: theirs, keys, types of numbers, forms of all else."""
    kind = type(value)
    items: Any = value
    keys: tuple[Hashable, ...] | None = None
    if kind in DICTS:
        keys, items = tuple(value), value.values()
    elif isinstance(value, tuple) and kind is not tuple:
        keys = getattr(kind, "_fields", None)
        if keys is None:
            return None
    elif kind not in _CONTAINERS:
        slots = _slots_of_object(kind, classes)
        if slots is None:
            return None
        held = attributes_held(value) if slots else value.__dict__
        keys, items = tuple(held), held.values()
    types = tuple(map(type, items))
    different = set(types)
    if different <= _IN_CONTAINERS:
        return kind, keys, types
    alike = _forms_alike(items, types[0], classes) if len(different) == 1 else None
    if alike is not None or not depth:
        return alike and (kind, keys, types[0], alike)
    inner = [_form_inside(item, depth - 1, classes) for item in items]
    return None if None in inner else (kind, keys, "forms", _at_once(inner))


def _slots_of_object(kind: type, classes: Classes) -> tuple[str, ...] | None:
    """The slots of a class whose attributes are what its objects hold; asked once a call: a class may change."""
    if kind not in classes:
        plain = holds_attributes(kind) and has_plain_attributes(kind)
        classes[kind] = slots_of(kind) if plain else None
    return classes[kind]


def _forms_alike(items: Any, kind: type, classes: Classes) -> Hashable | None:
    """The forms of rows, or of objects of one class, by the thousand; None where they hold more than numbers."""
    keys: Any = repeat(None)
    if kind is tuple:
        forms = [tuple(map(type, row)) for row in items]
    elif kind in _CONTAINERS or isinstance(kind, EnumMeta) or issubclass(kind, tuple):
        return None
    elif (slots := _slots_of_object(kind, classes)) is not None:
        held = [attributes_held(item) if slots else item.__dict__ for item in items]
        keys, forms = map(tuple, held), [tuple(map(type, own.values())) for own in held]
    else:
        return None
    all_said = _IN_CONTAINERS.issuperset(chain.from_iterable(forms))
    return _at_once([*zip(keys, forms, strict=False)]) if all_said else None


def _at_once(forms: list[Any]) -> Hashable:
    """One form and how often it stands there, where all are the same."""
    first = forms[0]
    return (len(forms), first) if forms.count(first) == len(forms) else tuple(forms)


def _form_inside(item: Any, depth: int, classes: Classes) -> Hashable | None:
    kind: Any = type(item)
    if kind in _IN_CONTAINERS:
        return kind  # type: ignore[no-any-return]
    if kind is ndarray:
        return item.shape, item.dtype, item.flags.c_contiguous
    if isinstance(item, Enum) and vars(item).keys() <= _OF_MEMBERS:  # which never changes
        if isinstance(item, str):
            return kind, item._name_  # a text that the program may ask for
        inner = _form_inside(item._value_, depth - 1, classes) if depth else None
        return None if inner is None else (kind, inner)
    return (kind, item) if kind in _OF_CLASSES else _form(item, depth, classes)
