"""What objects outside hold that may be called: a model its layers, a layer the function that it applies.

The class of such an object is known, and so is what it holds as far as that leads to a function or a method; numbers
and arrays are asked for when they are read.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Sequence

import numpy as np

from tangentish.kinds import UNKNOWN, Functions, Kind, Known, Num, Opaque, Tup
from tangentish.kinds.arrays_outside import kind_in_object
from tangentish.kinds.classes import (
    has_plain_attributes,
    hides_a_method,
    is_of_a_library,
    member_of,
)
from tangentish.kinds.joins import join, one_of
from tangentish.kinds.plain_containers import LISTS_AND_DICTS
from tangentish.kinds.several_classes import MOST_CLASSES
from tangentish.rules.own import is_ruled

MOST_HELD = 64  # elements of a list that an object holds
DEEPEST = 4  # objects in objects that are looked into
_LASTING = (types.BuiltinFunctionType, np.ufunc, type(np.sum))


def object_outside(value: object, depth: int = 0) -> Opaque:
    """The kind of an object of a class."""
    if depth >= DEEPEST or not has_plain_attributes(type(value)):
        return Opaque(type(value))
    held: dict[str, object] = getattr(value, "__dict__", {})
    names = (name for name in held if not _is_given_by_class(type(value), name))
    parts = ((name, _part(held[name], depth + 1)) for name in names)
    return Opaque(
        type(value), parts=tuple((name, kind) for name, kind in parts if kind is not None)
    )


def _is_given_by_class(cls: type, name: str) -> bool:
    """Whether the class has something under a name that gives what is read, whatever the object holds."""
    return hasattr(type(member_of(cls, name)), "__set__")


def object_of_known_class(items: Sequence[object], depth: int = 0) -> Kind | None:
    """What each of these is, where they are objects of classes of the user's, whose methods can be looked up."""
    classes = dict.fromkeys(map(type, items))
    if not 0 < len(classes) <= MOST_CLASSES or not all(map(_is_object, items)):
        return None
    if len(items) > MOST_HELD:
        kinds: list[Kind] = [Opaque(cls) for cls in classes]
    else:
        kinds = [object_outside(item, depth) for item in items]
    met = functools.reduce(join, kinds)
    return None if met == UNKNOWN else met


def _is_object(value: object) -> bool:
    """Whether this is an object of a class of the user's, which has the methods of that class."""
    known = callable(value) and (not is_called_by_a_method(value) or is_ruled(value))
    return has_plain_attributes(type(value)) and not (known or hides_a_method(value))


def _part(value: object, depth: int) -> Kind | None:
    """What leads to a function or a method, arrays, and what indexes; None of anything else."""
    index = kind_in_object(value)
    if index is not None:
        return index
    match value:
        case list() | dict() | tuple() if type(value) is tuple or type(value) in LISTS_AND_DICTS:
            items = [*value.values()] if isinstance(value, dict) else [*value]
            cls = LISTS_AND_DICTS.get(type(value), tuple)
            return _of_container(cls, items, depth) if len(items) <= MOST_HELD else None
        case types.FunctionType():  # one that has a name lasts: others may be made anew for each call
            return Known(value) if _has_a_name(value) else None
    if isinstance(value, _LASTING):
        return Known(value)
    return object_outside(value, depth) if _is_object(value) else None


def _has_a_name(function: types.FunctionType) -> bool:
    """Whether a module has a function under its name: what a decorator gives was made in another module."""
    home = getattr(sys.modules.get(str(function.__module__)), "__dict__", {})
    return any(s.get(function.__name__) is function for s in (function.__globals__, home))


def _of_container(cls: type, items: Sequence[object], depth: int) -> Kind | None:
    kinds = [_part(item, depth) for item in items]
    known = [kind for kind in kinds if kind is not None]
    if cls is tuple:
        return Tup(tuple(kind or UNKNOWN for kind in kinds)) if known else None
    if not kinds or len(known) < len(kinds):
        return None
    if all(isinstance(kind, Known) for kind in known):
        several = one_of(items, sure=False)
        return None if several is None else Functions(cls, several)
    item = functools.reduce(join, known)
    said = (Opaque, Tup, Num) if cls is dict else (Opaque, Tup)
    return Opaque(cls, item) if isinstance(item, said) and item != UNKNOWN else None


def is_called_by_a_method(value: object) -> bool:
    """Whether this is an object of a class of the user's, which calls one of its methods: it may hold anything."""
    cls = type(value)
    own = isinstance(vars(cls).get("__call__"), types.WrapperDescriptorType)  # of a compiled class
    return not own and not is_of_a_library(cls) and not cls.__module__.startswith("tangentish.")
