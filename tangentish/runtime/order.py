"""Quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


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
