"""Arrays made to index others: how long they are, and which name no element twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.infer.indices import as_array
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, is_number, replace
from tangentish.kinds.lengths import Length

INTEGER = np.dtype(np.intp)

# Permutations of the positions along an axis, and parts of them.
_ORDERS = {np.argsort, np.argpartition, np.lexsort}

# Tuples of places.
_TRIANGLES = {
    np.triu_indices, np.tril_indices, np.triu_indices_from, np.tril_indices_from,
    np.diag_indices, np.diag_indices_from,
}  # fmt: skip

# Where something is true or not zero.
_PLACES = {np.nonzero, np.flatnonzero, np.argwhere, np.where}

# What has to be places.
_ASKED = {runtime.places, runtime.places_beside}


def is_index_maker(function: Any, count: int) -> bool:
    """Whether the result of a function of that many arguments is told by `kind_of_indices`."""
    if function in _PLACES or function is np.indices:
        return count == 1
    return function in (np.ix_, np.setdiff1d, *_ASKED)


def count_of(function: Any, arguments: Sequence[Kind]) -> Length:
    """The length that np.sum(mask) is: how many of its elements are true."""
    match arguments:
        case [Num(array=True, dtype=dtype, value=count)] if dtype == np.dtype(bool):
            return count if function in (np.sum, np.count_nonzero, sum) else None
    return None


def made_together(function: Any, kind: Kind) -> Kind:
    """The kind of np.triu_indices(n) and the like: what they give names no element twice."""
    if function in _TRIANGLES and isinstance(kind, Tup):
        return parts_of_one([item for item in kind.items if isinstance(item, Num)])
    return kind


def kind_of_indices(function: Any, arguments: Sequence[Kind]) -> Kind | None:
    """The kind of np.nonzero(mask), np.ix_(rows, columns) and the like."""
    if function in _ASKED:
        return places(None, False)
    if function is np.ix_:
        return _open_mesh(arguments)
    if function is np.setdiff1d:
        return _without_others(arguments[0])
    if function is np.indices:
        return _grid(arguments[0])
    (found,) = arguments
    if not isinstance(found, Num):
        return None
    count = found.value if found.dtype == np.dtype(bool) and found.array else None
    if function is np.argwhere:
        return Num(INTEGER, (count, found.rank), True)
    if function is np.flatnonzero:
        return places(count, True)
    if found.rank is None:  # one for each axis, however many there are
        return Seq(places(None, False), is_tuple=True)
    return parts_of_one([places(count, found.rank == 1)] * found.rank)


def places(count: Length, distinct: bool) -> Num:
    return Num(INTEGER, (count,), True, contiguous=True, distinct=distinct)


def parts_of_one(arrays: Sequence[Num]) -> Tup:
    """The kind of arrays of places that name no element twice together."""
    return Tup(tuple(replace(a, part=(k, len(arrays))) for k, a in enumerate(arrays)))


def _open_mesh(arguments: Sequence[Kind]) -> Kind | None:
    items = []
    for axis, argument in enumerate(arguments):
        places = _along(argument)
        if places is None or places.shape is None:
            return None
        before, after = (1,) * axis, (1,) * (len(arguments) - axis - 1)
        items.append(replace(places, shape=(*before, *places.shape, *after), contiguous=False))
    return Tup(tuple(items))


def _grid(shape: Kind) -> Num | None:
    """The kind of np.indices((n, m)): an array of places for each axis, in one."""
    match shape:
        case Tup(items=items) if shape.is_counted and all(map(_is_length, items)):
            lengths = (k.value if isinstance(k, Num) else None for k in items)
            return Num(INTEGER, (len(items), *lengths), True, contiguous=True)
    return None


def _is_length(kind: Kind) -> bool:
    return is_number(kind) and not kind.optional


def _without_others(found: Kind) -> Kind | None:
    """The kind of np.setdiff1d(found, others)."""
    array = as_array(found)
    if array is None or array.rank is None or array.dtype is None:
        return None
    return Num(array.dtype, (None,), True, contiguous=True, distinct=array.distinct)


def _along(argument: Kind) -> Num | None:
    """The places along an axis that an argument of np.ix_ stands for."""
    match argument:
        case Opaque(type=kind) if kind is range:
            return places(None, True)
    array = as_array(argument)
    if array is None or array.rank != 1 or array.dtype is None:
        return None
    if array.dtype.kind == "b":
        return places(array.value, True)
    return replace(array, buffers=frozenset(), part=None)


def kind_drawn(function: Any, arguments: Sequence[Kind]) -> Num | None:
    """The kind of np.random.permutation(n)."""
    if function is not np.random.permutation or len(arguments) != 1:
        return None
    (count,) = arguments
    if not is_number(count):
        return None
    return places(count.value, True)


def are_distinct(function: Any, arguments: Sequence[Kind], result: Num) -> bool:
    """Whether the integers that a function gives all differ, and none is negative."""
    if result.rank != 1:
        return False
    if function in (np.array, np.asarray) and arguments:
        array = as_array(arguments[0])
        return array is not None and array.distinct
    if function is np.arange:
        return result.dtype is not None and result.dtype.kind in "iu" and _counts_up(arguments)
    return function in _ORDERS


def stay_distinct(op: str, operands: Sequence[Kind], result: Num) -> bool:
    """Whether integers that all differ still do so, and none is negative: `k + 1`, `2 * k`."""
    if result.dtype != INTEGER or op not in _LEAST:
        return False
    match operands:
        case (Num(distinct=True), Num(array=False, value=int(by))):
            return by >= _LEAST[op]
        case (Num(array=False, value=int(by)), Num(distinct=True)):
            return by >= _LEAST[op]
    return False


_LEAST = {"Add": 0, "Mult": 1}


def _counts_up(arguments: Sequence[Kind]) -> bool:
    """Whether a range counts up from zero or a literal above."""
    bounds = [a.value if isinstance(a, Num) else None for a in arguments]
    start = 0 if len(bounds) == 1 else bounds[0]
    step = bounds[2] if len(bounds) == 3 else 1
    return isinstance(start, int) and isinstance(step, int) and start >= 0 and step > 0


def says_places(function: Any, kind: Kind) -> bool:
    """Whether an argument says axes or places: a list, as what is an operand is an array by now, or a slice."""
    types = (list, slice) if function is np.delete else (list,)
    return isinstance(kind, Opaque) and kind.type in types and not kind.buffers
