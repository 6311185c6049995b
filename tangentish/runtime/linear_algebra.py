"""Solutions, determinants and factors of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tangentish.runtime.along_axes import others
from tangentish.runtime.products import columns
from tangentish.runtime.shapes import unbroadcast
from tangentish.runtime.types import Array


def solve_left(g: Array, y: Array, a: Array, b: Array) -> Array:
    """The gradient of `a` in `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        g, y = g[..., None], y[..., None]
    return unbroadcast(-np.linalg.solve(columns(a), g) @ columns(y), a)


def solve_right(g: Array, a: Array, b: Array) -> Array:
    """The gradient of `b` in `np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return unbroadcast(np.linalg.solve(columns(a), g[..., None])[..., 0], b)
    return unbroadcast(np.linalg.solve(columns(a), g), b)


def solve_tangent(a_dot: Array, a: Array, y: Array, b: Array) -> Array:
    """What `a_dot` takes from the tangent of `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return np.linalg.solve(a, a_dot @ y[..., None])[..., 0]
    return np.linalg.solve(a, a_dot @ y)


def det_slope(x: Array) -> Array:
    """The cofactors of `x`, the derivative of its determinant, also where it is singular."""
    u, s, vt = np.linalg.svd(x)
    sign = np.linalg.det(u) * np.linalg.det(vt)
    cofactors = others(s, np.prod(s, -1, keepdims=True), -1)
    return sign[..., None, None] * ((u * cofactors[..., None, :]) @ vt)


def cholesky_adjoint(g: Array, y: Array) -> Array:
    """The gradient of the lower triangle, all that `np.linalg.cholesky` reads (Murray 2016)."""
    n = y.shape[-1]
    half = np.tril(columns(y) @ g)
    half[..., range(n), range(n)] /= 2
    inner = np.linalg.solve(columns(y), half)
    s = columns(np.linalg.solve(columns(y), columns(inner)))
    dx = np.tril(s + columns(s))
    dx[..., range(n), range(n)] /= 2
    return dx


def cholesky_tangent(x_dot: Array, y: Array) -> Array:
    """The tangent of `y = np.linalg.cholesky(x)`, of which the lower triangle counts."""
    whole = np.tril(x_dot) + columns(np.tril(x_dot, -1))
    inner = np.tril(np.linalg.solve(y, columns(np.linalg.solve(y, whole))))
    return y @ (inner - inner * np.eye(y.shape[-1], dtype=y.dtype) / 2)


def slogdet_adjoint(g: Sequence[Array | None], x: Array) -> Array:
    """The gradient of `np.linalg.slogdet(x)`: that of the logarithm; the sign is constant."""
    if g[1] is None:
        return np.zeros_like(x)
    return np.expand_dims(g[1], (-2, -1)) * columns(np.linalg.inv(x))
