"""Running products, right at zeros: what moves with y[i] = y[i - 1] * x[i], and what is taken back."""

from __future__ import annotations

import numpy as np

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
    if not shape_of(x):
        return np.sum(g) * 0.0
    if axis is None:
        return cumprod_curvature(g.ravel(), w.ravel(), x.ravel(), 0).reshape(x.shape)
    xs, gs, ws = (np.moveaxis(a, axis, 0) for a in (x, g, w))
    found = np.zeros(xs.shape, np.result_type(gs, ws, xs))
    ys, moves = np.cumprod(xs, 0), cumprod_tangent(ws, xs, 0)
    carry = moved = np.zeros_like(xs[0]) if len(xs) else xs
    for i in range(len(xs) - 1, -1, -1):
        carry = carry + gs[i]
        found[i] = moved * ys[i - 1] + carry * moves[i - 1] if i else moved
        carry, moved = carry * xs[i], moved * xs[i] + carry * ws[i]
    return np.moveaxis(found, 0, axis)


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
    if not shape_of(x):
        return np.zeros(1)
    if axis is None:
        return cumprod_bend(v.ravel(), w.ravel(), x.ravel(), 0)
    xs, vs, ws = (np.moveaxis(a, axis, 0) for a in (x, v, w))
    by_v, by_w = cumprod_tangent(vs, xs, 0), cumprod_tangent(ws, xs, 0)
    found = np.zeros(xs.shape, np.result_type(by_v, by_w))
    for i in range(1, len(xs)):
        found[i] = found[i - 1] * xs[i] + by_v[i - 1] * ws[i] + by_w[i - 1] * vs[i]
    return np.moveaxis(found, 0, axis)
