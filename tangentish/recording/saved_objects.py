"""What a pullback keeps of the objects that its forward pass was given: copies, which later changes leave alone."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from tangentish.kinds.classes import attributes_held, has_plain_attributes
from tangentish.kinds.plain_containers import DICTS, LISTS_AND_DICTS
from tangentish.runtime import copy_shared, with_fields
from tangentish.runtime.copies import is_of_numbers


def copied(saved: Any) -> Any:
    """Copies of arrays, containers and objects of the user's classes; anything else is kept as it is.

    What stands in two places is one thing: a list that is saved, and that an object which is saved holds, too.
    """
    objects = _objects_in(saved)
    copies, *held = copy_shared(saved, *(attributes for _, attributes in objects))
    if not objects:
        return copies
    new = {id(value): with_fields(value) for value, _ in objects}
    done: set[int] = set()
    for (value, _), attributes in zip(objects, held, strict=True):
        for name, item in attributes.items():
            object.__setattr__(new[id(value)], name, _with_objects(item, new, done))
    return _with_objects(copies, new, done)


def _objects_in(saved: Any) -> list[tuple[Any, dict[str, Any]]]:
    """The objects of the user's classes, with what they hold; each once, though it may hold itself."""
    found: list[tuple[Any, dict[str, Any]]] = []
    pending, seen = [saved], set[int]()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) in (tuple, list):
            pending += () if is_of_numbers(value) else value
        elif type(value) in DICTS:
            pending += value.values()
        elif (attributes := _attributes(value)) is not None:
            found.append((value, attributes))
            pending += attributes.values()
    return found


def _with_objects(value: Any, new: dict[int, Any], done: set[int]) -> Any:
    """A copy of a container, with the new objects in the places of the old ones; `done`: the containers looked at."""
    if type(value) is tuple:
        return tuple(_with_objects(item, new, done) for item in value)
    if type(value) in LISTS_AND_DICTS and id(value) not in done:
        done.add(id(value))
        places = range(len(value)) if type(value) is list else list(value)
        for place in places:
            value[place] = _with_objects(value[place], new, done)
    return new.get(id(value), value)


def _attributes(value: Any) -> dict[str, Any] | None:
    """What an object of a class of the user's holds; None for anything else."""
    kind = type(value)
    lasting = isinstance(value, (type, np.generic, enum.Enum))  # a member of an Enum is itself only
    plain = lasting or callable(value) or not has_plain_attributes(kind)
    if plain or kind.__module__ == "builtins":
        return None
    return dict(attributes_held(value))
