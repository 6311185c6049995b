"""What a pullback keeps of the objects that its forward pass was given: copies, which later changes leave alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.kinds.kinds_of_values import has_plain_attributes
from tangentish.runtime import copy_shared, with_fields

__all__ = ["copied"]


def copied(saved: Any) -> Any:
    """Copies of arrays, containers and objects of the user's classes; anything else is kept as it is."""
    return _with_objects_copied(copy_shared(saved)[0], {})


def _with_objects_copied(value: Any, done: dict[int, Any]) -> Any:
    """`done`: the copies of objects met before, by identity; an object may hold itself.

    The containers here are copies already, and stay themselves: what stands in two places is one thing.
    """
    if id(value) in done:
        return done[id(value)]
    if type(value) is tuple:
        return tuple(_with_objects_copied(item, done) for item in value)
    if type(value) is list:
        value[:] = [_with_objects_copied(item, done) for item in value]
        return value
    if type(value) is dict:
        value.update({key: _with_objects_copied(item, done) for key, item in value.items()})
        return value
    attributes = _attributes(value)
    if attributes is None:
        return value
    new = done[id(value)] = with_fields(value)
    for name, held in attributes.items():
        object.__setattr__(new, name, _with_objects_copied(copy_shared(held)[0], done))
    return new


def _attributes(value: Any) -> dict[str, Any] | None:
    """What an object of a class of the user's holds; None for anything else."""
    kind = type(value)
    plain = (
        isinstance(value, (type, np.generic)) or callable(value) or not has_plain_attributes(kind)
    )
    if plain or kind.__module__ == "builtins":
        return None
    slots = (name for c in kind.__mro__ for name in _slots(c) if hasattr(value, name))
    return {name: getattr(value, name) for name in slots} | dict(getattr(value, "__dict__", {}))


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))
