"""Adding to, and taking back from, places of an array: gathering, sorting, diagonals."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import Any

import numpy as np

from tangentish.runtime.shapes import shape_of
from tangentish.runtime.types import Array


def add_at(x: Array, index: Any, v: Any) -> None:
    """`np.add.at(x, index, v)`, which arrays of cupy refuse where index is a list or a tuple; cupy's own takes them."""
    library: Any = np if isinstance(x, np.ndarray) else sys.modules["cupy"]
    library.add.at(x, index, v)


def integer(index: Any) -> Any:
    """An index of which nothing is known beforehand, and which has to be an integer; TypeError for anything else."""
    if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
        return index
    raise TypeError(
        "an index of which nothing is known beforehand has to be an integer, "
        f"and this one is of type {type(index).__name__}: write int(i) for an integer, np.array(i) for places"
    )


def places(index: Any) -> Array:
    """An index that is a list of which nothing else is known: the integers in it; TypeError for anything else."""
    found = np.array(index, dtype=None if len(index) else int)
    if found.ndim == 1 and found.dtype.kind in "iu":
        return found
    raise TypeError(
        "a list of which nothing is known beforehand has to hold integers to be an index: write np.array(i) for others"
    )


def places_beside(index: Any) -> Array:
    """The same of an index that stands beside places, where an integer is a place for each of them."""
    return places(np.atleast_1d(index))


def number(value: Any) -> Any:
    """What an object outside holds, and is updated by what varies: a real number; TypeError for anything else."""
    if isinstance(value, (int, float, np.integer, np.floating)):
        return value
    raise TypeError(
        "what comes out of an object of which nothing is known beforehand is updated by a differentiated value, "
        f"so that it has to be a real number, and this one is of type {type(value).__name__}: "
        "write y = y * x for y *= x, or copy it"
    )


_NUMBERS = {float, np.float64, int, bool, type(None)}
_ODD = (
    "what meets a differentiated value, and of which nothing is known beforehand, has to be a number or a plain array, "
    "and this one is of type {}: write float(k) or np.asarray(k)"
)
_SPARSE = (
    "a sparse matrix meets a differentiated value, and that was not known beforehand: give it to the function as an "
    "argument, or by a name of the module, and write L @ x"
)
_COMPLEX = (
    "a complex number meets a real one whose type was not known beforehand: write it so that it shows, z + 0j, "
    "or z.real where only that is meant"
)


def plain(value: Any) -> Any:
    """What meets a differentiated value, and of which nothing is known beforehand: a real number or a plain array.

    Lists and tuples come as arrays. TypeError for what has operators of its own, and for complex numbers.
    """
    cls = type(value)
    if cls in _NUMBERS or isinstance(value, IntEnum):
        return value
    if isinstance(value, (list, tuple)):
        return plain(np.array(value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    arrays = cls in (np.ndarray, getattr(np, "memmap", None)) or isinstance(value, np.generic)
    if (arrays or cls.__module__ == "cupy") and kind in "biuf":
        return value
    if kind == "c" or isinstance(value, complex):
        raise TypeError(_COMPLEX)
    if hasattr(cls, "tocsr"):
        raise TypeError(_SPARSE)
    raise TypeError(_ODD.format(cls.__name__))


def last_stored(dx: Array, index: Any) -> Array:
    """The gradient of `v` in `x[index] = v`: of values stored to the same element, the last one counts."""
    g = dx[index]
    order = np.arange(np.size(g), like=dx).reshape(np.shape(g))
    last = np.empty_like(dx, int)
    last[index] = order
    return np.where(last[index] == order, g, 0)[()]


def unique_adjoint(g: Array | None, x: Array) -> Array:
    """The gradient of `np.unique(x)`: to the first of equal elements."""
    dx = np.zeros_like(x, order="C")
    if g is not None:
        dx.reshape(-1)[np.unique(x, return_index=True)[1]] = g
    return dx


def sort_adjoint(g: Array, x: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.sort(x, axis)`: each element's goes back to where it came from."""
    if axis is None:
        return sort_adjoint(g, np.ravel(x), 0).reshape(np.shape(x))
    dx = np.empty_like(x)
    np.put_along_axis(dx, np.argsort(x, axis=axis, kind="stable"), g, axis)
    return dx


def take_adjoint(g: Array, x: Array, indices: Any, axis: int | None = None) -> Array:
    """The gradient of `np.take(x, indices, axis)`."""
    dx = np.zeros_like(x, order="C")
    to = dx.reshape(-1) if axis is None else dx
    place = (slice(None),) * ((axis or 0) % to.ndim) + (indices,)
    if isinstance(indices, (int, np.integer)):
        to[place] = g
    else:
        add_at(to, place, g)
    return dx


def take_along_axis_adjoint(g: Array, x: Array, indices: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.take_along_axis(x, indices, axis)`."""
    dx = np.zeros_like(x, order="C")
    if axis is None:
        np.add.at(dx.reshape(-1), indices, g)
        return dx
    places: list[Any] = list(
        np.ix_(*(np.arange(n, like=x) for n in x.shape))
    )  # indices may broadcast
    places[axis] = indices
    add_at(dx, tuple(places), g)
    return dx


def diagonal_adjoint(g: Array, x: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Zeros like `x` with `g` on its diagonal."""
    dx = np.zeros_like(x, order="C")
    m = np.moveaxis(dx, (axis1, axis2), (-2, -1))
    n = max(0, min(m.shape[-2] + min(offset, 0), m.shape[-1] - max(offset, 0)))
    i = np.arange(n, like=m)
    m[..., i - min(offset, 0), i + max(offset, 0)] = g
    return dx


def positions(x: Array) -> Array:
    """The place of each element of `x` in the order of memory of a contiguous array."""
    shape = shape_of(x)
    return np.arange(int(np.prod(shape))).reshape(shape)


def laid_out(v: Array, n: int) -> Array:
    """What `x.flat = v` stores to n elements: those of `v` in C order, begun anew where they end; nothing raises."""
    return np.take(v, np.arange(n), mode="wrap")


def strided_positions(x: Array, shape: Any = None, strides: Any = None) -> Array:
    """The place in `x` of each element of `np.lib.stride_tricks.as_strided(x, shape, strides)`."""
    shape = x.shape if shape is None else shape
    strides = x.strides if strides is None else strides
    own, wanted = np.ravel(_offsets(x.shape, x.strides)), _offsets(shape, strides)
    order = np.argsort(own, kind="stable")
    if not np.all(np.isin(wanted, own)):
        raise ValueError("as_strided reaches memory that is not of its argument")
    return order[np.searchsorted(own[order], wanted)]


def _offsets(shape: Any, strides: Any) -> Array:
    """How many bytes behind the first element each one stands."""
    lengths = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    steps = np.reshape(np.array(strides, dtype=int), (-1,) + (1,) * len(lengths))
    return np.sum(steps * np.indices(lengths), axis=0, dtype=int)


def scattered(g: Array, at: Array, x: Array) -> Array:
    """Zeros like `x`, and each element of `g` added at its place in `at` (where that is not negative)."""
    shape = shape_of(x)
    places, values = np.ravel(at), np.ravel(g)
    if np.any(places < 0):
        places, values = places[places >= 0], values[places >= 0]
    dx = np.zeros_like(values, shape=int(np.prod(shape)))
    np.add.at(dx, places, values)
    return dx.reshape(shape)


def taken_at(x: Array, at: Array) -> Array:
    """The elements of `x` at these places, 0 for a negative one."""
    found = np.ravel(x)[np.maximum(at, 0)] if np.size(x) else np.zeros(np.shape(at), x.dtype)
    return np.where(np.asarray(at) < 0, 0, found)


def nonzero_span(x: Array, trim: str = "fb") -> slice:
    """What `np.trim_zeros` leaves of a vector."""
    places = np.flatnonzero(x)
    start, stop = (places[0], places[-1] + 1) if len(places) else (0, 0)
    sides = trim.lower()
    return slice(start if "f" in sides else 0, stop if "b" in sides else len(x))


def first_of_values(x: Array, y: Array) -> Array:
    """The place in `x` of the first element that equals each of `y`."""
    order = np.argsort(np.ravel(x), kind="stable")
    return order[np.searchsorted(np.ravel(x)[order], y)]
