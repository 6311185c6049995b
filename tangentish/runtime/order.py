"""Quantiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array


def quantile_weights(
    x: Array, q: float, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """What each element counts in `np.quantile(x, q, axis)`: two neighbours in order share 1."""
    x = np.asarray(x)
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    among = math.prod(moved.shape[rank - len(axes) :])
    rows = moved.reshape(*moved.shape[: rank - len(axes)], among)
    n = (
        np.sum(~np.isnan(rows), -1, keepdims=True)
        if ignore_nan
        else np.full((1,) * rows.ndim, rows.shape[-1])
    )
    sizes, which = np.unique(np.maximum(n, 1), return_inverse=True)
    # Of 0, 1, 2, ... a quantile is its own position.
    found = np.array([np.quantile(np.arange(1.0 * size), q, method=method) for size in sizes])  # type: ignore[call-overload]
    position = found[which.reshape(n.shape)]
    low = np.floor(position).astype(int)
    order = np.argsort(rows, axis=-1, kind="stable")
    weights = np.zeros_like(rows)
    for place, weight in (
        (np.ceil(position).astype(int), position - low),
        (low, 1 - (position - low)),
    ):
        at = np.take_along_axis(order, np.broadcast_to(place, (*rows.shape[:-1], 1)), -1)
        np.put_along_axis(weights, at, cast(np.broadcast_to(weight, at.shape), x), -1)
    return np.moveaxis(weights.reshape(moved.shape), range(-len(axes), 0), axes)


def quantile_adjoint(
    g: Array, x: Array, q: Any, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """The gradient of `np.quantile(x, q, axis)` for an array `q`."""
    kept = np.sum(x, axis=axis, keepdims=True).shape
    heads = np.reshape(g, (np.size(q), *kept))
    dx = np.zeros_like(x)
    for head, each in zip(heads, np.ravel(q), strict=True):
        dx += head * quantile_weights(x, each, axis, method, ignore_nan)
    return dx


def quantile_tangent(
    x_dot: Array,
    x: Array,
    q: Any,
    axis: Any = None,
    keepdims: bool = False,
    method: str = "linear",
    ignore_nan: bool = False,
) -> Array:
    """The tangent of `np.quantile(x, q, axis)` for an array `q`."""
    rows = [
        np.sum(
            quantile_weights(x, each, axis, method, ignore_nan) * x_dot,
            axis=axis,
            keepdims=keepdims,
        )
        for each in np.ravel(q)
    ]
    return np.reshape(np.stack(rows), (*np.shape(q), *np.shape(rows[0])))


def quantile_rise(h: Array, x: Array, q: Any, axis: Any = None, keepdims: bool = False) -> Array:
    """How `np.quantile(x, q, axis)` rises with `q`, where the elements are those of `h`: at one, on its right."""
    low, high, steps = _elements_around(x, q, axis)
    lower, upper = (quantile_tangent(h, x, k, axis, keepdims) for k in (low, high))
    return cast((upper - lower) * steps, h)


def quantile_rise_adjoint(g: Array, x: Array, q: Any, axis: Any = None) -> Array:
    """The gradient of `h` in `quantile_rise(h, x, q, axis)`."""
    low, high, steps = _elements_around(x, q, axis)
    return steps * (quantile_adjoint(g, x, high, axis) - quantile_adjoint(g, x, low, axis))


def _elements_around(x: Array, q: Any, axis: Any) -> tuple[Any, Any, int]:
    """The quantiles that are elements on either side of `q`, and how many steps there are between all of them."""
    kept = np.sum(x, axis=axis, keepdims=True).size
    steps = max(np.size(x) // max(kept, 1) - 1, 0)
    low = np.clip(np.floor(np.multiply(q, steps)), 0, max(steps - 1, 0))
    return low / max(steps, 1), np.minimum(low + 1, steps) / max(steps, 1), steps
