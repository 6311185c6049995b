"""Covariances and correlations of the rows of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.elements import ratio
from tangentish.runtime.types import Array


def _weighed(
    x: Array, bias: bool, ddof: int | None, fweights: Any, aweights: Any
) -> tuple[Array, Array]:
    """What the rows of x are away from their means, and that with its weights: np.cov multiplies the two."""
    rows = np.atleast_2d(x)
    if ddof is None:
        ddof = 0 if bias else 1
    if fweights is None and aweights is None:
        centred = rows - np.mean(rows, axis=1, keepdims=True)
        return centred, centred / (rows.shape[1] - ddof)
    given = 1 if aweights is None else aweights
    a = np.broadcast_to(np.asarray(given, x.dtype, like=rows), rows.shape[1:])
    w = a if fweights is None else a * np.asarray(fweights, like=rows)
    centred = rows - np.average(rows, axis=1, weights=w)[:, None]
    mean_weight = 1 if aweights is None else np.sum(w * a) / np.sum(w)
    return centred, centred * w / (np.sum(w) - ddof * mean_weight)


def cov_adjoint(
    g: Array,
    x: Array,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Array:
    """The gradient of `np.cov(x, bias=bias, ...)`, whose variables are the rows of x."""
    weighed = _weighed(x, bias, ddof, fweights, aweights)[1]
    return np.reshape(np.dot(g + np.transpose(g), weighed), x.shape)


def cov_tangent(
    x_dot: Array,
    x: Array,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Array:
    """The tangent of `np.cov(x, bias=bias, ...)`."""
    d = np.atleast_2d(x_dot) @ _weighed(x, bias, ddof, fweights, aweights)[1].T
    return np.squeeze(d + d.T)


def _by_weights(
    x: Array, bias: bool, ddof: int | None, fweights: Any, aweights: Array
) -> tuple[Array, Array, Array, Array]:
    """The rows without their means, the covariance, how its divisor moves with each weight, what a weight counts."""
    rows = np.atleast_2d(x)
    if ddof is None:
        ddof = 0 if bias else 1
    f = np.ones_like(aweights) if fweights is None else np.asarray(fweights, aweights.dtype)
    w = f * aweights
    total = np.sum(w)
    centred = rows - (rows @ w / total)[:, None]
    mean_weight = np.sum(w * aweights) / total
    degrees = total - ddof * mean_weight
    cov = centred * w @ centred.T / degrees
    return centred, cov, 1 - ddof * (2 * aweights - mean_weight) / total, f / degrees


def cov_weights_adjoint(
    g: Array,
    x: Array,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Array:
    """The gradient of `aweights` in `np.cov(x, aweights=aweights, ...)`."""
    centred, cov, degrees, factor = _by_weights(x, bias, ddof, fweights, aweights)
    h = np.reshape(g, cov.shape)
    return factor * (np.sum(centred * (h @ centred), axis=0) - np.sum(h * cov) * degrees)


def cov_weights_tangent(
    aweights_dot: Array,
    x: Array,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Array:
    """The tangent of `np.cov(x, aweights=aweights, ...)` along that of the weights."""
    centred, cov, degrees, factor = _by_weights(x, bias, ddof, fweights, aweights)
    moved = factor * aweights_dot
    return np.squeeze(centred * moved @ centred.T - cov * np.sum(moved * degrees))


def _standard(x: Array) -> tuple[Array, Array]:
    """The rows of x without their means, of length 1 (0 where all elements are equal), and their lengths."""
    centred = np.atleast_2d(x) - np.mean(np.atleast_2d(x), axis=1, keepdims=True)
    size = np.sqrt(np.sum(centred**2, axis=1, keepdims=True))
    return ratio(centred, size), size


def _moved(h: Array, u: Array, size: Array) -> Array:
    """The tangent, and the gradient, of `u` where its rows move by `h`."""
    flat = h - np.mean(h, axis=1, keepdims=True)
    return ratio(flat - u * np.sum(u * h, axis=1, keepdims=True), size)


def corrcoef_adjoint(g: Array, x: Array) -> Array:
    """The gradient of `np.corrcoef(x)`; rows whose elements are all equal have none."""
    u, size = _standard(x)
    return np.reshape(_moved(np.dot(g + np.transpose(g), u), u, size), x.shape)


def corrcoef_tangent(x_dot: Array, x: Array) -> Array:
    """The tangent of `np.corrcoef(x)`."""
    u, size = _standard(x)
    d = _moved(np.atleast_2d(x_dot), u, size) @ u.T
    return np.squeeze(d + d.T)


def corrcoef_curvature(w: Array, g: Array, x: Array) -> Array:
    """The derivative of `corrcoef_adjoint(g, x)` along `w`, which is its gradient as well."""
    u, size = _standard(x)
    both, along = g + np.transpose(g), np.atleast_2d(w)
    h, moved = np.dot(both, u), _moved(along, u, size)
    inner = _moved(h, u, size)
    by_u = -moved * np.sum(u * h, axis=1, keepdims=True) - u * np.sum(
        moved * h, axis=1, keepdims=True
    )
    by_size = -inner * np.sum(u * along, axis=1, keepdims=True)
    found = ratio(by_u + by_size, size) + _moved(np.dot(both, moved), u, size)
    return np.reshape(found, x.shape)
