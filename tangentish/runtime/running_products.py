"""Running products, right at zeros: what moves with y[i] = y[i - 1] * x[i], and what is taken back."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.recurrences import one_ahead, one_behind, recurrence, recurrence_adjoint
from tangentish.runtime.shapes import shape_of
from tangentish.runtime.types import Array


def cumprod_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The gradient of `np.cumprod(x, axis)`; a number becomes an array of one."""
    if not shape_of(x):
        return np.sum(g)
    if axis is None:
        return cumprod_adjoint(g.reshape(x.size), x.ravel(), 0).reshape(x.shape)
    xs, gs = np.moveaxis(x, axis, 0), np.moveaxis(g, axis, 0)
    dx = np.empty(xs.shape, np.result_type(gs, xs))
    ys = np.cumprod(xs, 0)
    carry = np.zeros_like(xs[0]) if len(xs) else xs
    for i in range(len(xs) - 1, -1, -1):
        carry = carry + gs[i]
        dx[i] = carry * ys[i - 1] if i else carry
        carry = carry * xs[i]
    return np.moveaxis(dx, 0, axis)


def cumprod_curvature(g: Array, w: Array, x: Array, axis: int | None = None) -> Array:
    """The derivative of `cumprod_adjoint(g, x, axis)` along `w`, which is its gradient as well."""
    if np.ndim(x) == 0:
        return np.sum(g) * 0.0
    if axis is None:
        return _curvature(np.ravel(g), np.ravel(w), np.ravel(x), 0).reshape(x.shape)
    return _curvature(g, w, x, axis)


def _curvature(g: Array, w: Array, x: Array, axis: int) -> Array:
    """By recurrences, which have derivatives of every order."""
    before, back = one_behind(np.cumprod(x, axis), axis, 1.0), recurrence_adjoint(g, x, axis)
    moved = one_behind(recurrence(w * before, x, axis), axis)
    return moved * back + before * recurrence_adjoint(one_ahead(w * back, axis), x, axis)


def cumprod_tangent(x_dot: Array, x: Array, axis: int | None = None) -> Array:
    """The tangent of `y = np.cumprod(x, axis)`."""
    if not shape_of(x):
        return np.atleast_1d(x_dot)
    if axis is None:
        return cumprod_tangent(x_dot.ravel(), x.ravel(), 0)
    xs, moves = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    ys = np.cumprod(xs, 0)
    y_dot = moves.astype(np.result_type(moves, xs))
    for i in range(1, len(xs)):
        y_dot[i] = y_dot[i - 1] * xs[i] + ys[i - 1] * moves[i]
    return np.moveaxis(y_dot, 0, axis)


def cumprod_bend(v: Array, w: Array, x: Array, axis: int | None = None) -> Array:
    """The second derivative of `y = np.cumprod(x, axis)` along `v` and `w`."""
    if np.ndim(x) == 0:
        return np.zeros(1)
    if axis is None:
        return _bend(np.ravel(v), np.ravel(w), np.ravel(x), 0)
    return _bend(v, w, x, axis)


def _bend(v: Array, w: Array, x: Array, axis: int) -> Array:
    before = one_behind(np.cumprod(x, axis), axis, 1.0)
    by_v, by_w = recurrence(v * before, x, axis), recurrence(w * before, x, axis)
    return recurrence(one_behind(by_v, axis) * w + one_behind(by_w, axis) * v, x, axis)
