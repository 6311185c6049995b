"""Derivatives of functions along an axis: products, extremes, sums that run on, differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array


def share(x: Array, y: Array, axis: Any = None) -> Array:
    """1 where `x` is its extreme `y` along `axis`, divided equally among ties, else 0."""
    same = x == y
    ties = np.sum(same, axis=axis, keepdims=True)
    if not np.all(ties):  # the extreme value is nan
        same = same | np.isnan(x)
        ties = np.sum(same, axis=axis, keepdims=True)
    return cast(same / ties, x)


def others(x: Array, y: Array, axis: Any = None) -> Array:
    """For each element the product `y` along `axis` without it; y has the axes of x."""
    if np.all((y != 0) & np.isfinite(y)):
        return y / x
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    rows = moved.reshape(*moved.shape[: rank - len(axes)], -1)
    one = np.ones_like(rows[..., :1])
    before = np.cumprod(np.concatenate((one, rows[..., :-1]), -1), -1)
    after = np.cumprod(np.concatenate((one, rows[..., :0:-1]), -1), -1)[..., ::-1]
    return np.moveaxis((before * after).reshape(moved.shape), range(-len(axes), 0), axes)


def others_adjoint(g: Array, x: Array, axis: Any = None) -> Array:
    """The gradient of `others(x, y, axis)`; its matrix is symmetric, so that it is the tangent as well."""
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    shape = (*moved.shape[: rank - len(axes)], -1)
    rows, moves = moved.reshape(shape), np.moveaxis(g, axes, range(-len(axes), 0)).reshape(shape)
    before, before_dot = _products_before(rows, moves)
    after, after_dot = (a[..., ::-1] for a in _products_before(rows[..., ::-1], moves[..., ::-1]))
    found = before * after_dot + before_dot * after
    return np.moveaxis(found.reshape(moved.shape), range(-len(axes), 0), axes)


def _products_before(x: Array, x_dot: Array) -> tuple[Array, Array]:
    """The products of the elements before each along the last axis, and how they move."""
    y, y_dot = np.ones_like(x), np.zeros_like(x)
    for i in range(1, x.shape[-1]):
        y[..., i] = y[..., i - 1] * x[..., i - 1]
        y_dot[..., i] = y_dot[..., i - 1] * x[..., i - 1] + y[..., i - 1] * x_dot[..., i - 1]
    return y, y_dot


def cumsum_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The sums from each element to the end."""
    if axis is None:
        return np.cumsum(g[::-1])[::-1].reshape(x.shape)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


def cumprod_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The gradient of `np.cumprod`, right at zeros: y[i] = y[i - 1] * x[i] taken back."""
    if axis is None:
        return cumprod_adjoint(g, x.ravel(), 0).reshape(x.shape)
    xs, gs = np.moveaxis(x, axis, 0), np.moveaxis(g, axis, 0)
    dx = np.empty_like(xs)
    ys = np.cumprod(xs, 0)
    carry = np.zeros_like(xs[0]) if len(xs) else xs
    for i in range(len(xs) - 1, -1, -1):
        carry = carry + gs[i]
        dx[i] = carry * ys[i - 1] if i else carry
        carry = carry * xs[i]
    return np.moveaxis(dx, 0, axis)


def cumprod_tangent(x_dot: Array, x: Array, axis: int | None = None) -> Array:
    """The tangent of `y = np.cumprod(x, axis)`, right at zeros: y[i] = y[i - 1] * x[i] moved along."""
    if axis is None:
        return cumprod_tangent(x_dot.ravel(), x.ravel(), 0)
    xs, moves = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    ys = np.cumprod(xs, 0)
    y_dot = moves.copy()
    for i in range(1, len(xs)):
        y_dot[i] = y_dot[i - 1] * xs[i] + ys[i - 1] * moves[i]
    return np.moveaxis(y_dot, 0, axis)


def diff_adjoint(g: Array, n: int = 1, axis: int = -1) -> Array:
    """The adjoint of `np.diff(x, n, axis)`: differences of the zero-padded gradient, negated."""
    g = np.moveaxis(g, axis, -1)
    for _ in range(n):
        g = -np.diff(np.pad(g, [(0, 0)] * (g.ndim - 1) + [(1, 1)]))
    return np.moveaxis(g, -1, axis)


def trapezoid_weights(x: Array) -> Array:
    """What each value of an integrand at the abscissae `x` counts in `np.trapezoid`."""
    widths = np.pad(np.diff(x), 1)
    return (widths[1:] + widths[:-1]) / 2
