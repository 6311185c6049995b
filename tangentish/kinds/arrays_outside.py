"""The kinds of arrays that stand outside of a function: of their lengths only those are told that are 0 or 1."""

from __future__ import annotations

from collections.abc import Hashable, Set

import numpy as np

from tangentish.kinds import Buffer, Kind, Num, Opaque, Tup, replace, scalar
from tangentish.kinds.lengths import Dim
from tangentish.kinds.sites import array_outside, is_global

_BY_OBJECTS = "outside", "held by objects"
"""The place of all arrays that objects hold: objects of one class are of one kind."""


def array_kind(value: np.ndarray, place: Hashable = None) -> Num:
    """The kind of an array that lies at a place, that of a global if nothing else is said."""
    shape = tuple(n if n < 2 else None for n in value.shape)
    site = array_outside(value) if place is None else place
    return Num(value.dtype, shape, True, buffers=frozenset({Buffer(site)}))


def measured(kind: Kind, place: Hashable) -> Kind:
    """The kind of the one number or array at a place outside, whose lengths are the same wherever it is read."""
    if not isinstance(kind, Num) or kind.shape is None:
        return kind
    if kind.weak and kind.array is False and kind.value is None and kind.dtype == np.dtype(int):
        return replace(kind, value=Dim(("outside", place)))
    if None not in kind.shape:
        return kind
    shape = (Dim(("long", place, k)) if n is None else n for k, n in enumerate(kind.shape))
    return replace(kind, shape=tuple(shape))


def kind_in_object(value: object) -> Kind | None:
    """The same as index_kind(value) of what an object holds, and the kind of a number."""
    if type(value) in (int, float):
        return Num(np.dtype(type(value)), (), False, weak=True)
    if isinstance(value, (np.floating, np.integer)):
        return Num(value.dtype, (), False)
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return array_kind(value, _BY_OBJECTS)
    return index_kind(value)


def index_kind(value: object) -> Kind | None:
    """The kind of an array of numbers, of a slice, or of a list of places; None of anything else."""
    if type(value) is np.ndarray:
        return array_kind(value) if value.dtype.kind in "biufc" else None
    if type(value) is slice:
        return Opaque(slice)
    if type(value) is list and value and set(map(type, value)) == {int}:
        return Opaque(list, scalar(int))
    return None


def are_arrays_changed(changed: Set[Hashable]) -> bool:
    """Whether the program writes to an array outside, which may be any of them at the next call."""
    return any(map(is_global, changed))


def holds_arrays(kind: Kind) -> bool:
    """Whether this is an array, or a container of some; objects are asked for what they hold."""
    match kind:
        case Num(array=array):
            return array is not False
        case Tup(items=items):
            return any(map(holds_arrays, items))
        case Opaque(item=item) if item is not None:
            return holds_arrays(item)
    return False
