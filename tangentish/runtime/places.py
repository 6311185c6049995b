"""Adding to, and taking back from, places of an array: gathering, sorting, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.shapes import shape_of
from tangentish.runtime.types import Array


def scatter_add(dx: Array, index: Any, g: Array) -> None:
    """`dx[index] += g`, also right where an array of integers names an element twice."""
    parts = index if isinstance(index, tuple) else (index,)
    if all(_names_once(part) for part in parts):
        dx[index] += g
    else:
        np.add.at(dx, index, g)


def _names_once(part: Any) -> bool:
    if isinstance(part, list):
        return False
    return (
        not shape_of(part) or part.dtype == bool
        if hasattr(part, "dtype")
        else not isinstance(part, range)
    )


def unique_adjoint(g: Array | None, x: Array) -> Array:
    """The gradient of `np.unique(x)`: to the first of equal elements."""
    dx = np.zeros_like(x)
    if g is not None:
        dx.reshape(-1)[np.unique(x, return_index=True)[1]] = g
    return dx


def sort_adjoint(g: Array, x: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.sort(x, axis)`: each element's goes back to where it came from."""
    if axis is None:
        return sort_adjoint(g, x.ravel(), 0).reshape(x.shape)
    dx = np.empty_like(x)
    np.put_along_axis(dx, np.argsort(x, axis=axis, kind="stable"), g, axis)
    return dx


def take_adjoint(g: Array, x: Array, indices: Any, axis: int | None = None) -> Array:
    """The gradient of `np.take(x, indices, axis)`."""
    dx = np.zeros_like(x)
    if axis is None:
        np.add.at(dx.reshape(-1), indices, g)
    else:
        np.add.at(dx, (slice(None),) * (axis % dx.ndim) + (indices,), g)
    return dx


def take_along_axis_adjoint(g: Array, x: Array, indices: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.take_along_axis(x, indices, axis)`."""
    dx = np.zeros_like(x)
    if axis is None:
        np.add.at(dx.reshape(-1), indices, g)
        return dx
    places: list[Any] = list(np.ix_(*(np.arange(n) for n in indices.shape)))
    places[axis] = indices
    np.add.at(dx, tuple(places), g)
    return dx


def diagonal_adjoint(g: Array, x: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Zeros like `x` with `g` on its diagonal."""
    dx = np.zeros_like(x)
    m = np.moveaxis(dx, (axis1, axis2), (-2, -1))
    i = np.arange(max(0, min(m.shape[-2] + min(offset, 0), m.shape[-1] - max(offset, 0))))
    m[..., i - min(offset, 0), i + max(offset, 0)] = g
    return dx
