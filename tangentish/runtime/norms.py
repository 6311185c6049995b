"""Slopes of norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.along_axes import share
from tangentish.runtime.elements import ratio
from tangentish.runtime.products import columns
from tangentish.runtime.types import Array


def norm_slope(x: Array, y: Array, ord: Any = None, axis: Any = None) -> Array:
    """The derivative of `y = np.linalg.norm(x, ord, axis)`, 0 at the origin; y has the axes of x."""
    rank = len(x.shape)
    if ord is None or ord == "fro":
        return ratio(x, y)
    if axis is None and rank == 2:
        axis = (0, 1)
    if isinstance(axis, tuple) and len(axis) == 2:
        return _matrix_norm_slope(x, y, ord, axis[0] % rank, axis[1] % rank)
    return vector_norm_slope(x, y, ord, axis)


def vector_norm_slope(x: Array, y: Array, ord: Any = 2, axis: Any = None) -> Array:
    """The derivative of `y = np.linalg.vector_norm(x, axis=axis, ord=ord)`, 0 at the origin."""
    if ord == 2:
        return ratio(x, y)
    if ord == 1:
        return np.sign(x)
    if ord == 0:
        return np.zeros_like(x)
    if np.isinf(ord):
        return np.sign(x) * share(np.abs(x), y, axis)
    return np.sign(x) * ratio(np.abs(x), y) ** (ord - 1)


def norm_curvature(x: Array, y: Array, ord: Any = 2) -> Array:
    """The derivative in `x` of `vector_norm_slope(x, y, ord)`, y left as it is."""
    if ord in (0, 1) or np.isinf(ord):
        return np.zeros_like(x)
    return (ord - 1) * ratio(np.ones_like(x), y) * ratio(np.abs(x), y) ** (ord - 2)


def cond_slope(x: Array, p: Any = None) -> Array:
    """The derivative of `np.linalg.cond(x, p)`."""
    if p is None or p in (2, -2):
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        top, bottom = (0, -1) if p != -2 else (-1, 0)
        weights = np.zeros_like(s)
        weights[..., top] = 1 / s[..., bottom]
        weights[..., bottom] -= s[..., top] / s[..., bottom] ** 2
        return (u * weights[..., None, :]) @ vt
    z = np.linalg.inv(x)
    sizes = [np.linalg.norm(m, p, (-2, -1), keepdims=True) for m in (x, z)]
    back = columns(z) @ norm_slope(z, sizes[1], p, (-2, -1)) @ columns(z)
    return norm_slope(x, sizes[0], p, (-2, -1)) * sizes[1] - sizes[0] * back


def _matrix_norm_slope(x: Array, y: Array, ord: Any, rows: int, columns: int) -> Array:
    if ord in (1, -1, np.inf, -np.inf):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = np.sum(np.abs(x), axis=summed, keepdims=True)
        return np.sign(x) * share(sums, y, kept)
    m = np.moveaxis(x, (rows, columns), (-2, -1))
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    if ord == "nuc":
        weights = (s > 0).astype(s.dtype)
    else:
        extreme = np.max(s, -1, keepdims=True) if ord == 2 else np.min(s, -1, keepdims=True)
        weights = share(s, extreme, -1) * (s > 0)
    return np.moveaxis((u * weights[..., None, :]) @ vt, (-2, -1), (rows, columns))
