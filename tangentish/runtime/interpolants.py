"""What SciPy interpolates between values that vary: sums of them, weighed by what only the places and the nodes tell.

`nu` says which derivative; outside of the nodes the weights are 0 where another number stands for the values there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.splines import (
    bspline,
    bspline_adjoint,
    places_first,
    spline_coefficients_adjoint,
    spline_coefficients_tangent,
    spline_knots,
)
from tangentish.runtime.types import Array

_DEGREES = {"zero": 0, "slinear": 1, "quadratic": 2, "cubic": 3}


def interpolated(
    x: Array, v: Array, t: Array, kind: Any = "linear", axis: int = -1,
    bounds_error: Any = None, fill_value: Any = None, assume_sorted: bool = False,
) -> Array:  # fmt: skip
    """`scipy.interpolate.interp1d(x, v, ...)(t)`."""
    from scipy.interpolate import interp1d  # noqa: PLC0415 - SciPy may not be there

    outside = np.nan if fill_value is None else fill_value
    return interp1d(x, v, kind, axis, False, bounds_error, outside, assume_sorted)(t)


def interpolated_slope(
    v: Array, x: Array, t: Array, nu: int = 1, kind: Any = "linear", axis: int = -1,
    fill_value: Any = None, assume_sorted: bool = False,
) -> Array:  # fmt: skip
    """The derivative nu of `interpolated`, linear in the values; at a node that of the segment on its right."""
    order, nodes = _in_order(x, assume_sorted)
    values = np.take(np.moveaxis(v, axis, 0), order, 0)
    inside = _inside(nodes, t, fill_value)
    degree = _DEGREES.get(kind, kind)
    if isinstance(degree, str):
        found = _apply(_weights(nodes, np.ravel(t), nu, kind, inside), values, np.shape(t))
    else:
        knots = spline_knots(nodes, degree)
        found = bspline(spline_coefficients_tangent(values, nodes, degree), knots, t, degree, nu)
        found = (found.T * np.reshape(inside, np.shape(t)).T).T
    m, start = np.ndim(t), axis % np.ndim(v)
    return np.moveaxis(found, range(m), range(start, start + m))[()]


def interpolated_adjoint(
    h: Array, v: Array, x: Array, t: Array, nu: int = 0, kind: Any = "linear", axis: int = -1,
    fill_value: Any = None, assume_sorted: bool = False,
) -> Array:  # fmt: skip
    """The gradient of `v` in `interpolated_slope(v, x, t, nu, ...)`."""
    order, nodes = _in_order(x, assume_sorted)
    inside = _inside(nodes, t, fill_value)
    rows = places_first(h, t, axis % np.ndim(v))
    degree = _DEGREES.get(kind, kind)
    if isinstance(degree, str):
        weights = _weights(nodes, np.ravel(t), nu, kind, inside)
        found = np.reshape(weights.T @ np.reshape(rows, (len(rows), -1)), (-1, *np.shape(rows)[1:]))
    else:
        knots = spline_knots(nodes, degree)
        like = np.zeros((len(knots) - degree - 1, *np.shape(rows)[1:]))
        inner = bspline_adjoint((rows.T * inside).T, like, knots, np.ravel(t), degree, nu)
        found = spline_coefficients_adjoint(inner, nodes, degree)
    dy = np.zeros_like(found)
    dy[order] = found
    return np.moveaxis(dy, 0, axis)


def _in_order(x: Array, is_sorted: bool) -> tuple[Array, Array]:
    nodes = np.asarray(x, float)
    order = np.arange(len(nodes)) if is_sorted else np.argsort(nodes, kind="mergesort")
    return order, nodes[order]


def _inside(nodes: Array, t: Array, fill_value: Any) -> Array:
    """Of all places, one after another, whether the values count there."""
    places = np.ravel(t)
    if isinstance(fill_value, str):  # "extrapolate"
        return np.ones(places.shape, bool)
    return (nodes[0] <= places) & (places <= nodes[-1])


def _weights(nodes: Array, places: Array, nu: int, kind: str, inside: Array) -> Any:
    """The matrix of what each value counts at each place."""
    from scipy.interpolate import interp1d  # noqa: PLC0415
    from scipy.sparse import csr_array  # noqa: PLC0415

    n, rows = len(nodes), np.arange(len(places))
    if kind == "linear":
        i = np.clip(np.searchsorted(nodes, places, "right") - 1, 0, n - 2)
        width = nodes[i + 1] - nodes[i]
        share = (places - nodes[i]) / width if nu == 0 else (nu == 1) / width
        both = np.concatenate(((nu == 0) - share, share)) * np.tile(inside, 2)
        return csr_array((both, (np.tile(rows, 2), np.concatenate((i, i + 1)))), (len(rows), n))
    # Whole numbers in place of the values tell which of them it takes.
    take = interp1d(nodes, np.arange(float(n)), kind, fill_value="extrapolate", assume_sorted=True)
    i = take(places)
    counts = inside & (nu == 0) & np.isfinite(i)
    chosen = np.where(counts, i, 0).astype(int)
    return csr_array((counts.astype(float), (rows, chosen)), (len(rows), n))


def _apply(weights: Any, values: Array, shape: tuple[int, ...]) -> Array:
    found = weights @ np.reshape(values, (len(values), -1))
    return np.reshape(found, (*shape, *np.shape(values)[1:]))


def on_grid(
    points: Sequence[Array], values: Array, t: Array, method: str = "linear",
    bounds_error: bool = True, fill_value: Any = np.nan,
) -> Array:  # fmt: skip
    """`scipy.interpolate.RegularGridInterpolator(points, values, ...)(t)`."""
    from scipy.interpolate import RegularGridInterpolator  # noqa: PLC0415

    return RegularGridInterpolator(points, values, method, bounds_error, fill_value)(t)


def on_grid_slope(
    values: Array, points: Sequence[Array], t: Array, nu: Sequence[int] = (),
    method: str = "linear", fill_value: Any = np.nan,
) -> Array:  # fmt: skip
    """The derivatives nu, one number for each axis, of `on_grid`, which is linear in the values."""
    weights = _grid_weights(points, t, nu, method, fill_value)
    d = len(points)
    found = weights @ np.reshape(values, (weights.shape[1], -1))
    return np.reshape(found, (*_places_on_grid(t, d)[1], *np.shape(values)[d:]))


def on_grid_adjoint(
    h: Array, values: Array, points: Sequence[Array], t: Array, nu: Sequence[int] = (),
    method: str = "linear", fill_value: Any = np.nan,
) -> Array:  # fmt: skip
    """The gradient of `values` in `on_grid_slope(values, points, t, nu, ...)`."""
    weights = _grid_weights(points, t, nu, method, fill_value)
    return np.reshape(weights.T @ np.reshape(h, (weights.shape[0], -1)), np.shape(values))


def raised(nu: Sequence[int], j: int, points: Sequence[Array]) -> tuple[int, ...]:
    """One derivative more along axis j."""
    return tuple(order + (k == j) for k, order in enumerate(nu or (0,) * len(points)))


def on_axis(t: Array, j: int, points: Sequence[Array], like: Array) -> Array:
    """Of places on a grid the coordinates j, along the axes that `like` has for the places."""
    coordinates = np.reshape(t, (-1, len(points)))[:, j]
    shape = _places_on_grid(t, len(points))[1]
    return np.reshape(coordinates, shape + (1,) * (np.ndim(like) - len(shape)))


def off_axis(h: Array, j: int, points: Sequence[Array], t: Array) -> Array:
    """The gradient of `t` in `on_axis(t, j, points, h)`."""
    dt = np.zeros((np.size(t) // len(points), len(points)))
    dt[:, j] = np.sum(np.reshape(h, (len(dt), -1)), 1)
    return np.reshape(dt, np.shape(t))


def _places_on_grid(t: Array, d: int) -> tuple[Array, tuple[int, ...]]:
    """The places one below another, and the shape of one number for each."""
    shape = np.shape(t)
    flat = np.reshape(t, (-1, d))
    return flat, (len(flat),) if len(shape) == 1 else shape[:-1]


def _grid_weights(
    points: Sequence[Array], t: Array, nu: Sequence[int], method: str, fill_value: Any
) -> Any:
    """The matrix of what each value on the grid counts at each place."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    d = len(points)
    places = _places_on_grid(t, d)[0]
    m = len(places)
    at, weights = np.zeros((m, 1), int), np.ones((m, 1))
    for p, x, order in zip(points, places.T, nu or (0,) * d, strict=True):
        turn, nodes = _in_order(p, False)
        i = np.clip(np.searchsorted(nodes, x, "right") - 1, 0, len(nodes) - 2)
        width = nodes[i + 1] - nodes[i] if len(nodes) > 1 else np.ones(m)
        share = (x - nodes[i]) / width
        if method == "nearest":
            share = np.where(share <= 0.5, 0.0, 1.0)
        pair = np.stack((1 - share, share), 1)
        if order:
            one = 1 / width if order == 1 and method == "linear" else 0 * width
            pair = np.stack((-one, one), 1)
        if fill_value is not None:
            pair = pair * ((nodes[0] <= x) & (x <= nodes[-1]))[:, None]
        here = np.stack((turn[i], turn[i + 1]), 1)
        at = np.reshape(at[:, :, None] * len(nodes) + here[:, None, :], (m, -1))
        weights = np.reshape(weights[:, :, None] * pair[:, None, :], (m, -1))
    rows = np.repeat(np.arange(m), at.shape[1])
    size = int(np.prod([len(p) for p in points]))
    return csr_array((np.ravel(weights), (rows, np.ravel(at))), (m, size))
