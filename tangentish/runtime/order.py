"""Quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array

LINES = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (1 / 2, 1 / 2),
    "weibull": (0, 0),
    "linear": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
"""The methods of quantiles that rise with q, by their alpha and beta: of n elements in order q asks for the one at
alpha + q * (n + 1 - alpha - beta) - 1. The others jump."""


def quantile_weights(
    x: Array, q: float, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """What each element counts in `np.quantile(x, q, axis)`: two neighbours in order share 1."""
    rows, back = _as_rows(x, axis)
    n = _lengths(rows, ignore_nan)
    sizes, which = np.unique(np.maximum(n, 1), return_inverse=True)
    # Of 0, 1, 2, ... a quantile is its own position.
    found = np.array([np.quantile(np.arange(1.0 * size), q, method=method) for size in sizes])  # type: ignore[call-overload]
    position = found[which.reshape(n.shape)]
    low = np.floor(position).astype(int)
    high = np.ceil(position).astype(int)
    return back(_placed(rows, ((high, position - low), (low, 1 - (position - low)))))


def quantile_slopes(
    x: Array, q: float, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """The derivative of `quantile_weights` in q; at an element the one on its right."""
    rows, back = _as_rows(x, axis)
    if method not in LINES:
        return np.zeros_like(x)
    n = _lengths(rows, ignore_nan)
    alpha, beta = LINES[method]
    steps = n + 1 - alpha - beta
    position = alpha + q * steps - 1
    inside = (
        (n > 1) & (position >= 0) & (position <= n - 1 if method == "linear" else position < n - 1)
    )
    low = np.clip(np.floor(position), 0, np.maximum(n - 2, 0)).astype(int)
    high, rise = np.minimum(low + 1, np.maximum(n - 1, 0)), np.where(inside, steps, 0)
    slopes = _placed(rows, ((high, rise), (low, -rise)))
    return back(slopes)


def _as_rows(x: Array, axis: Any) -> tuple[Array, Callable[[Array], Array]]:
    """The axes of a quantile as one, the last; and the way back."""
    rank = np.ndim(x)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    among = math.prod(moved.shape[rank - len(axes) :])
    rows = moved.reshape(*moved.shape[: rank - len(axes)], among)
    return rows, lambda y: np.moveaxis(y.reshape(moved.shape), range(-len(axes), 0), axes)


def _lengths(rows: Array, ignore_nan: bool) -> Array:
    """How many elements of each row count."""
    if ignore_nan:
        return np.sum(~np.isnan(rows), -1, keepdims=True)
    return np.full((1,) * rows.ndim, rows.shape[-1])


def _placed(rows: Array, weights: Sequence[tuple[Array, Array]]) -> Array:
    """Weights at places in the order of each row, a later one over an earlier one; 0 elsewhere."""
    order = np.argsort(rows, axis=-1, kind="stable")
    found = np.zeros_like(rows)
    if not rows.size:
        return found
    for pair in weights:
        place, weight = (np.asarray(part, like=rows) for part in pair)
        at = np.take_along_axis(order, np.broadcast_to(place, (*rows.shape[:-1], 1)), -1)
        np.put_along_axis(found, at, cast(np.broadcast_to(weight, at.shape), rows), -1)
    return found


def quantile_adjoint(
    g: Array, x: Array, q: Any, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """The gradient of `np.quantile(x, q, axis)` for an array `q`."""
    return _spread(quantile_weights, g, x, q, axis, method, ignore_nan)


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
    moved = np.where(np.isnan(x), 0, x_dot) if ignore_nan else x_dot
    return _summed(quantile_weights, moved, x, q, axis, keepdims, method, ignore_nan)


def quantile_rise(
    h: Array,
    x: Array,
    q: Any,
    axis: Any = None,
    keepdims: bool = False,
    method: str = "linear",
    ignore_nan: bool = False,
) -> Array:
    """How `np.quantile(x, q, axis)` rises with `q`, where the elements are those of `h`: at one, on its right."""
    h = np.where(np.isnan(x), 0, h) if ignore_nan else h
    return cast(_summed(quantile_slopes, h, x, q, axis, keepdims, method, ignore_nan), h)


def quantile_rise_adjoint(
    g: Array, x: Array, q: Any, axis: Any = None, method: str = "linear", ignore_nan: bool = False
) -> Array:
    """The gradient of `h` in `quantile_rise(h, x, q, axis)`."""
    return _spread(quantile_slopes, g, x, q, axis, method, ignore_nan)


def _summed(
    share: Callable[..., Array],
    h: Array,
    x: Array,
    q: Any,
    axis: Any,
    keepdims: bool,
    *options: Any,
) -> Array:
    """The elements of `h`, each as often as it has a share in the quantile, for each of `q`."""
    rows = [
        np.sum(share(x, each, axis, *options) * h, axis=axis, keepdims=keepdims)
        for each in np.ravel(q)
    ]
    shape = np.sum(x, axis=axis, keepdims=keepdims).shape
    found = np.stack(rows) if rows else np.ravel(h)[:0]
    return np.reshape(found, (*np.shape(q), *shape))


def _spread(
    share: Callable[..., Array], g: Array, x: Array, q: Any, axis: Any, *options: Any
) -> Array:
    """The gradient of `h` in `_summed(share, h, x, q, axis)`."""
    kept = np.sum(x, axis=axis, keepdims=True).shape
    found = np.zeros_like(x)
    for head, each in zip(np.reshape(g, (np.size(q), *kept)), np.ravel(q), strict=True):
        found += head * share(x, each, axis, *options)
    return found
