"""Histograms: what is counted is constant; the edges follow the extremes, the heights the weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.along_axes import share
from tangentish.runtime.places import taken_at
from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array


def histogram_adjoint(
    g: Any, y: Any, x: Array, bins: Any = 10, range: Any = None, density: bool = False
) -> Array:
    """The gradient of x in `y = np.histogram(x, bins, range, density)`."""
    if range is not None or np.ndim(bins) or not np.size(x):  # the edges are given
        return np.zeros_like(x)
    dedges = edges_adjoint(g, y, density)
    along = np.linspace(0.0, 1.0, len(dedges))
    least, largest = dedges @ (1 - along), dedges @ along
    return cast(least * share(x, np.min(x)) + largest * share(x, np.max(x)), x)


def edges_adjoint(g: Any, y: Any, density: bool = False) -> Array:
    """The gradient of the edges in `y = np.histogram(x, edges, density=density)`."""
    heights, edges = y
    dedges = np.zeros_like(edges) if g[1] is None else g[1]
    if density and g[0] is not None:
        narrower = g[0] * heights / np.diff(edges)
        dedges = dedges + np.append(narrower, 0.0) - np.append(0.0, narrower)
    return dedges


def histogram_weights_adjoint(
    g: Any, y: Any, x: Array, weights: Array, density: bool = False
) -> Array:
    """The gradient of the weights in `y = np.histogram(x, weights=weights, density=density)`."""
    if g[0] is None:
        return np.zeros_like(weights)
    heights, edges = y
    places, dheights = bins_of(x, edges), g[0]
    if density:
        total = np.sum(weights * (places >= 0))
        dheights = (dheights / np.diff(edges) - dheights @ heights) / total
    return cast(taken_at(dheights, places), weights)


def edges_tangent(x_dot: Array, y: Any, x: Array, bins: Any = 10, range: Any = None) -> Array:
    """The tangent of the edges in `y = np.histogram(x, bins, range)`."""
    edges = y[1]
    if range is not None or np.ndim(bins) or not np.size(x):
        return np.zeros_like(edges)
    along = np.linspace(0.0, 1.0, len(edges))
    least = np.sum(x_dot * share(x, np.min(x)))
    largest = np.sum(x_dot * share(x, np.max(x)))
    return cast(least * (1 - along) + largest * along, edges)


def density_tangent(x_dot: Array, y: Any, x: Array, bins: Any = 10, range: Any = None) -> Array:
    """The tangent of the heights in `y = np.histogram(x, bins, range, density=True)`."""
    heights, edges = y
    return -heights * np.diff(edges_tangent(x_dot, y, x, bins, range)) / np.diff(edges)


def density_moved(weights_dot: Array, y: Any, x: Array, weights: Array) -> Array:
    """The tangent of the heights in `y = np.histogram(x, weights=weights, density=True)`."""
    heights, edges = y
    inside = bins_of(x, edges) >= 0
    moved = np.histogram(x, edges, weights=weights_dot)[0] / np.diff(edges)
    return (moved - np.sum(weights_dot * inside) * heights) / np.sum(weights * inside)


def bins_of(x: Array, edges: Array) -> Array:
    """The bin of each element, the last one with both its edges; -1 outside."""
    if not len(edges):
        return np.full(np.shape(x), -1)
    last = len(edges) - 2
    places = np.where(x == edges[-1], last, np.searchsorted(edges, x, "right") - 1)
    return np.where(places > last, -1, places)
