"""Slopes of norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.along_axes import share
from tangentish.runtime.elements import ratio
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
    if ord == 2:
        return ratio(x, y)
    if ord == 1:
        return np.sign(x)
    if ord == 0:
        return np.zeros_like(x)
    if np.isinf(ord):
        return np.sign(x) * share(np.abs(x), y, axis)
    return np.sign(x) * ratio(np.abs(x), y) ** (ord - 1)


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
