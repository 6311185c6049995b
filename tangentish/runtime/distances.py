"""Distances between points."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.types import Array


def distances_left(weights: Array, x: Array, w: Array) -> Array:
    """The gradient of the points `x` in half the squares of their distances to `w`."""
    return np.sum(weights, axis=1)[:, None] * x - weights @ w


def cosines_left(g: Array, y: Array, x: Array, w: Array) -> Array:
    """The gradient of the vectors `x` in `y`, 1 less the cosines of their angles to `w`."""
    length = np.linalg.norm(x, axis=1)[:, None]
    directions = w / np.linalg.norm(w, axis=1)[:, None]
    return (np.sum(g * (1 - y), axis=1)[:, None] * x / length - g @ directions) / length


def cosines_tangent(x_dot: Array, y: Array, x: Array, w: Array) -> Array:
    """The tangent of `y`, 1 less the cosines of the angles between `x` and `w`, along that of `x`."""
    length = np.linalg.norm(x, axis=1)[:, None]
    directions = w / np.linalg.norm(w, axis=1)[:, None]
    along = np.sum(x * x_dot, axis=1)[:, None] / length
    return ((1 - y) * along - x_dot @ directions.T) / length


def between_pairs(x: Array) -> Array:
    """The differences of all pairs of rows, in the order of `scipy.spatial.distance.pdist(x)`."""
    first, second = np.triu_indices(len(x), 1)
    return x[first] - x[second]


def between_pairs_adjoint(g: Array, x: Array) -> Array:
    """The gradient of `between_pairs(x)`."""
    first, second = np.triu_indices(len(x), 1)
    each = np.reshape(g, (len(first), *x.shape[1:]))
    dx = np.zeros_like(x)
    np.add.at(dx, first, each)
    np.subtract.at(dx, second, each)
    return dx
