"""Adding to, and taking back from, places of an array: gathering, sorting, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def last_stored(dx: Array, index: Any) -> Array:
    """The gradient of `v` in `x[index] = v`: of values stored to the same element, the last one counts."""
    g = dx[index]
    order = np.arange(np.size(g)).reshape(np.shape(g))
    last = np.empty(dx.shape, int)
    last[index] = order
    return np.where(last[index] == order, g, 0)[()]


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
