"""A place is the same one after lines that change nothing which its index reads.

dx[i] = 0; x[i] = x_old; dx[i] += dt          one place, where i is an integer
dx[c[0]] = 0; c[0] = c_old; dx[c[0]] += dt    two places; and c may have another name
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.kinds import Num
from tangentish.kinds.numbers import is_integer


def is_same_place(place: Any, between: Iterable[ir.Statement], kind: Callable[[Any], Any]) -> bool:
    """Whether the index of a place of a gradient is after these lines what it was before them."""
    read = {n for e in _indices(place) for n in ir.names_in(e)}
    if not read:
        return True
    in_memory = any(_reads_memory(e, kind) for e in _indices(place))
    for line in between:
        changed = ir.changed_in_place(line)
        if not read.isdisjoint((*ir.defined_names(line), *changed)):
            return False
        if in_memory and any(_may_hold_indices(n, kind) for n in changed):
            return False
    return True


def are_alike(target: Any, place: Any) -> bool:
    """Whether two targets, or one and what is read, are the same name or place."""
    match target, place:
        case gast.Name(id=one), gast.Name(id=other):
            return bool(one == other)
        case gast.Subscript(), gast.Subscript():
            arrays, indices = (target.value, place.value), (target.slice, place.slice)
            return ir.alike(*arrays) and ir.alike(*indices)
    return False


def array_of(place: Any) -> str | None:
    """The gradient of which this is a place, or a place of a place."""
    if not isinstance(place, gast.Subscript):
        return None
    while isinstance(place, gast.Subscript):
        place = place.value
    return place.id if isinstance(place, gast.Name) and "~" in place.id else None


def _indices(place: Any) -> list[Any]:
    """The indices of `dx[i][j]`."""
    found: list[Any] = []
    while isinstance(place, gast.Subscript):
        found.append(place.slice)
        place = place.value
    return found


def _reads_memory(index: Any, kind: Callable[[Any], Any]) -> bool:
    """Whether an index reads what may have another name, under which it changes."""
    parts = any(isinstance(n, (gast.Subscript, gast.Attribute)) for n in ir.walk(index))
    values = filter(ir.is_value, ir.names_in(index))
    return parts or not all(is_integer(kind(ir.name(n))) for n in values)


def _may_hold_indices(name: str, kind: Callable[[Any], Any]) -> bool:
    """Whether what has this name may be what an index reads: gradients, and arrays of floats, are not."""
    if "~" in name:
        return False
    found = kind(ir.name(name))
    return not (isinstance(found, Num) and found.dtype is not None and found.is_float)
