"""Slopes of norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.along_axes import share
from tangentish.runtime.elements import ratio
from tangentish.runtime.equal_values import gaps_between, inverses, rounding_of, sums_between
from tangentish.runtime.products import columns
from tangentish.runtime.types import Array


def _matrix_axes(x: Array, ord: Any, axis: Any) -> tuple[int, int] | None:
    """The axes of the matrices of which a norm is taken; None where it is one of vectors."""
    rank = len(x.shape)
    if ord is None or ord == "fro":
        return None
    if axis is None and rank == 2:
        return 0, 1
    if isinstance(axis, tuple) and len(axis) == 2:
        return axis[0] % rank, axis[1] % rank
    return None


def norm_slope(x: Array, y: Array, ord: Any = None, axis: Any = None) -> Array:
    """The derivative of `y = np.linalg.norm(x, ord, axis)`, 0 at the origin; y has the axes of x."""
    axes = _matrix_axes(x, ord, axis)
    if not np.size(x):
        return np.zeros_like(x)
    if axes is None:
        return vector_norm_slope(x, y, 2 if ord is None or ord == "fro" else ord, axis)
    return _matrix_norm_slope(x, y, ord, *axes)


def norm_slope_adjoint(g: Array, x: Array, y: Array, ord: Any = None, axis: Any = None) -> Array:
    """The gradient of `x` in `norm_slope(x, y, ord, axis)`, y left as it is, which is its tangent as well."""
    axes = _matrix_axes(x, ord, axis)
    if axes is None:
        return g * norm_curvature(x, y, 2 if ord is None or ord == "fro" else ord)
    if _is_of_sums(ord):
        return np.zeros_like(x)
    m, h = (np.moveaxis(a, axes, (-2, -1)) for a in (x, g))
    return np.moveaxis(_spectral_curvature(h, m, ord), (-2, -1), axes)


def norm_slope_by_norm(x: Array, y: Array, ord: Any = None, axis: Any = None) -> Array:
    """The derivative of `norm_slope(x, y, ord, axis)` in y, each element's own."""
    if _matrix_axes(x, ord, axis) is not None:
        return np.zeros_like(x)
    return -norm_curvature(x, y, 2 if ord is None or ord == "fro" else ord) * ratio(x, y)


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


def _is_of_sums(ord: Any) -> bool:
    """Whether a norm of matrices is the largest or smallest sum of a row or column."""
    return ord in (1, -1, np.inf, -np.inf)


def _matrix_norm_slope(x: Array, y: Array, ord: Any, rows: int, columns: int) -> Array:
    if _is_of_sums(ord):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = np.sum(np.abs(x), axis=summed, keepdims=True)
        return np.sign(x) * share(sums, y, kept)
    m = np.moveaxis(x, (rows, columns), (-2, -1))
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    return np.moveaxis(
        (u * _spectral_weights(s, ord)[..., None, :]) @ vt, (-2, -1), (rows, columns)
    )


def _spectral_weights(s: Array, ord: Any) -> Array:
    """The derivative of a norm of matrices in their singular values: 0 of those that are 0 but for rounding."""
    rounding = rounding_of(s)
    if ord == "nuc":
        return (s > rounding).astype(s.dtype)
    extreme = np.max(s, -1, keepdims=True) if ord == 2 else np.min(s, -1, keepdims=True)
    chosen = np.abs(s - extreme) <= rounding
    return chosen * (s > rounding) / np.sum(chosen, -1, keepdims=True, dtype=s.dtype)


def _spectral_curvature(h: Array, x: Array, ord: Any) -> Array:
    """The derivative of `(u * weights) @ vt` along `h`, the weights left as they are (Lewis and Sendov 2001)."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    w = _spectral_weights(s, ord)
    p = columns(u) @ h @ columns(vt)
    apart = (w[..., None, :] - w[..., :, None]) * gaps_between(s)
    together = (w[..., None, :] + w[..., :, None]) * sums_between(s)
    inner = (apart * (p + columns(p)) + together * (p - columns(p))) / 2
    each = (w * inverses(s))[..., None, :]
    left = (h @ columns(vt) - u @ p) * each
    right = columns((columns(h) @ u - columns(vt) @ columns(p)) * each)
    return u @ inner @ vt + left @ vt + u @ right
