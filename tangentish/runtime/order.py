"""Quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def quantile_tangent(
    x_dot: Array, x: Array, q: Any, axis: Any = None, keepdims: bool = False
) -> Array:
    """The tangent of `np.quantile(x, q, axis, keepdims=keepdims)`: two neighbours in order move it."""
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    rows, moves = (
        moved.reshape(*moved.shape[: rank - len(axes)], -1)
        for moved in (np.moveaxis(a, axes, range(-len(axes), 0)) for a in (x, x_dot))
    )
    moves = np.take_along_axis(moves, np.argsort(rows, axis=-1, kind="stable"), -1)
    positions = np.asarray(q) * (rows.shape[-1] - 1)
    low = positions.astype(int)
    high = np.minimum(low + 1, rows.shape[-1] - 1)
    weight = (positions - low).astype(x_dot.dtype)
    found = moves[..., low] * (1 - weight) + moves[..., high] * weight
    found = np.moveaxis(found, range(rank - len(axes), found.ndim), range(weight.ndim))
    if keepdims:
        found = np.expand_dims(found, tuple(weight.ndim + a for a in axes))
    return found[()]


def quantile_adjoint(g: Array, x: Array, q: Any, axis: Any = None) -> Array:
    """The gradient of `np.quantile(x, q, axis)`, which takes two neighbours in order."""
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    rows = moved.reshape(*moved.shape[: rank - len(axes)], -1)
    order = np.argsort(rows, axis=-1, kind="stable")
    q = np.asarray(q)
    heads = np.reshape(g, (q.size, *rows.shape[:-1], 1))
    drows = np.zeros_like(rows)
    for head, position in zip(heads, (q.ravel() * (rows.shape[-1] - 1)).tolist(), strict=True):
        low = int(position)
        high = min(low + 1, rows.shape[-1] - 1)
        for place, weight in ((low, 1 - (position - low)), (high, position - low)):
            at = order[..., place : place + 1]
            np.put_along_axis(drows, at, np.take_along_axis(drows, at, -1) + head * weight, -1)
    return np.moveaxis(drows.reshape(moved.shape), range(-len(axes), 0), axes)
