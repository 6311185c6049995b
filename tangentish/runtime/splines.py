"""Splines of SciPy by their coefficients, which are linear in the values that they go through.

`x` are the nodes, `c` the coefficients, `t` the places, `nu` says which derivative; the places stand where the axis
`axis` of the values was. SciPy may not be there: it is imported where it is called.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def cubic_coefficients(x: Array, v: Array, bc_type: Any = "not-a-knot", axis: int = 0) -> Array:
    """The polynomials of `scipy.interpolate.CubicSpline(x, v, axis, bc_type)`."""
    from scipy.interpolate import CubicSpline  # noqa: PLC0415

    return CubicSpline(x, v, axis, bc_type).c


def cubic_coefficients_tangent(
    v_dot: Array, x: Array, bc_type: Any = "not-a-knot", axis: int = 0
) -> Array:
    """The tangent of `cubic_coefficients(x, v, bc_type, axis)`: slopes that are asked for at the ends stay."""
    from scipy.interpolate import CubicSpline  # noqa: PLC0415

    return CubicSpline(x, v_dot, axis, still_ends(bc_type, v_dot, axis)).c


def cubic_coefficients_adjoint(
    g: Array, x: Array, bc_type: Any = "not-a-knot", axis: int = 0
) -> Array:
    """The gradient of `v` in `cubic_coefficients(x, v, bc_type, axis)`: the map transposed, some nodes at a time."""
    around = bc_type == "periodic"  # the last value is the first: both get what moves both
    units = np.eye(len(x))[:, : len(x) - around]
    if around:
        units[-1] = units[0]
    some = [units[:, k : k + 64] for k in range(0, units.shape[1], 64)]
    parts = [
        np.tensordot(cubic_coefficients_tangent(u, x, bc_type), g, ((0, 1), (0, 1))) for u in some
    ]
    found = np.concatenate(parts)
    if around:
        found = np.concatenate((found, np.zeros_like(found[:1])))
    return np.moveaxis(found, 0, axis)


def hermite_coefficients(x: Array, v: Array, d: Array, axis: int = 0) -> Array:
    """The polynomials of `scipy.interpolate.CubicHermiteSpline(x, v, d, axis)`, linear in values and slopes."""
    from scipy.interpolate import CubicHermiteSpline  # noqa: PLC0415

    return CubicHermiteSpline(x, v, d, axis).c


def hermite_adjoint(g: Array, x: Array, axis: int = 0, slopes: bool = False) -> Array:
    """The gradient of `v`, or of the slopes, in `hermite_coefficients(x, v, d, axis)`."""
    width = np.reshape(np.diff(x), (-1,) + (1,) * (g.ndim - 2))
    found = np.zeros((g.shape[1] + 1, *g.shape[2:]))
    if slopes:
        found[:-1] = g[0] / width**2 - 2 * g[1] / width + g[2]
        found[1:] += g[0] / width**2 - g[1] / width
    else:
        rise = (3 * g[1] - 2 * g[0] / width) / width**2
        found[:-1] = g[3] - rise
        found[1:] += rise
    return np.moveaxis(found, 0, axis)


def still_ends(bc_type: Any, v: Array, axis: int) -> Any:
    """The conditions at the ends for what is added to the values: to slopes that are given nothing is."""
    if isinstance(bc_type, str) or bc_type is None:
        return bc_type
    nothing = np.zeros(np.delete(np.shape(v), axis))
    return tuple(
        end if isinstance(end, str) or end is None
        else (end[0], nothing) if np.isscalar(end[0])
        else [(order, nothing) for order, _ in end]
        for end in bc_type
    )  # fmt: skip


def piecewise(
    c: Array, x: Array, t: Array, nu: int = 0, extrapolate: Any = None, axis: int = 0
) -> Array:
    """The polynomials between the nodes, as `scipy.interpolate.PPoly` has them."""
    from scipy.interpolate import PPoly  # noqa: PLC0415

    goes_on = True if extrapolate is None else extrapolate
    nodes, c = np.asarray(x, float), np.asarray(c, float)
    return PPoly.construct_fast(c, nodes, goes_on, axis % (np.ndim(c) - 1))(t, nu)


def piecewise_adjoint(
    h: Array, c: Array, x: Array, t: Array, nu: int = 0, extrapolate: Any = None, axis: int = 0
) -> Array:
    """The gradient of `c` in `piecewise(c, x, t, nu, extrapolate, axis)`."""
    nodes = np.asarray(x)
    places, h = np.ravel(t), places_first(h, t, axis)
    if extrapolate == "periodic":
        places = nodes[0] + (places - nodes[0]) % (nodes[-1] - nodes[0])
    elif extrapolate is False:
        inside = (np.min(nodes) <= places) & (places <= np.max(nodes))
        places, h = places[inside], h[inside]
    way = np.sign(nodes[-1] - nodes[0])  # they may fall
    i = np.clip(np.searchsorted(way * nodes, way * places, "right") - 1, 0, len(nodes) - 2)
    dc, s = np.zeros(np.shape(c)), places - nodes[i]
    for row in range(len(c) - nu):
        power = len(c) - 1 - row
        factor = math.perm(power, nu) * s ** (power - nu)
        np.add.at(dc[row], i, (factor * h.T).T)
    return dc


def places_first(h: Array, t: Array, axis: int) -> Array:
    """`h` with its axes for the places `t` made one, which comes first."""
    m = np.ndim(t)
    start = axis % (np.ndim(h) - m + 1)
    moved = np.moveaxis(h, range(start, start + m), range(m))
    return np.reshape(moved, (-1, *np.shape(moved)[m:]))


def over_places(x: Array, t: Array, axis: int = 0) -> Array:
    """`x`, which has the places `t` at `axis` among other axes, summed over those others."""
    m = np.ndim(t)
    start = axis % (np.ndim(x) - m + 1)
    return np.sum(x, tuple(k for k in range(np.ndim(x)) if not start <= k < start + m))


def at_places(t: Array, x: Array, axis: int = 0) -> Array:
    """`t`, one number for each place, along the axes of `x` that are for the places."""
    start = axis % (np.ndim(x) - np.ndim(t) + 1)
    after = np.ndim(x) - start - np.ndim(t)
    return np.reshape(t, (1,) * start + np.shape(t) + (1,) * after)


def spline_knots(x: Array, k: int = 3, bc_type: Any = None) -> Array:
    """The knots of `scipy.interpolate.make_interp_spline(x, v, k, bc_type=bc_type)`."""
    return _interpolating(x, np.zeros(len(x)), k, still_ends(bc_type, x, 0)).t


def spline_coefficients(
    x: Array, v: Array, k: int = 3, bc_type: Any = None, axis: int = 0
) -> Array:
    """The coefficients of `scipy.interpolate.make_interp_spline(x, v, k, None, bc_type, axis)`."""
    return _interpolating(x, v, k, bc_type, axis).c


def spline_coefficients_tangent(
    v_dot: Array, x: Array, k: int = 3, bc_type: Any = None, axis: int = 0
) -> Array:
    """The tangent of `spline_coefficients(x, v, k, bc_type, axis)`."""
    return _interpolating(x, v_dot, k, still_ends(bc_type, v_dot, axis), axis).c


def _interpolating(x: Array, v: Array, k: int, bc_type: Any, axis: int = 0) -> Any:
    """`make_interp_spline`; of one node, where SciPy (1.17 at least) writes beyond its memory, it is refused."""
    from scipy.interpolate import make_interp_spline  # noqa: PLC0415

    if np.size(x) < 2 and k > 1:
        raise ValueError(f"a spline of degree {k} goes through two nodes at least")
    return make_interp_spline(x, v, k, None, bc_type, axis)


def spline_coefficients_adjoint(
    g: Array, x: Array, k: int = 3, bc_type: Any = None, axis: int = 0
) -> Array:
    """The gradient of `v` in `spline_coefficients(x, v, k, bc_type, axis)`."""
    from scipy.interpolate import BSpline  # noqa: PLC0415
    from scipy.sparse.linalg import splu  # noqa: PLC0415

    if k < 2:
        return np.moveaxis(np.array(g, float), 0, axis)
    if bc_type in (None, "not-a-knot"):
        matrix = BSpline.design_matrix(x, spline_knots(x, k), k)
        found = splu(matrix.tocsc()).solve(np.reshape(g, (len(g), -1)), "T")
        return np.moveaxis(np.reshape(found, np.shape(g)), 0, axis)
    units = np.eye(len(x))
    if bc_type == "periodic":
        units = units[:, :-1]
        units[-1] = units[0]
    found = np.tensordot(spline_coefficients_tangent(units, x, k, bc_type), g, ((0,), (0,)))
    if bc_type == "periodic":
        found = np.concatenate((found, np.zeros_like(found[:1])))
    return np.moveaxis(found, 0, axis)


def bspline(
    c: Array,
    knots: Array,
    t: Array,
    k: int = 3,
    nu: int = 0,
    extrapolate: Any = True,
    axis: int = 0,
) -> Array:
    """What `scipy.interpolate.BSpline(knots, c, k, extrapolate)` gives, whose coefficients come first."""
    from scipy.interpolate import BSpline  # noqa: PLC0415

    made = BSpline.construct_fast(
        np.asarray(knots, float), np.asarray(c, float), k, extrapolate, axis % np.ndim(c)
    )
    return made(t, nu)


def bspline_adjoint(
    h: Array, c: Array, knots: Array, t: Array, k: int = 3, nu: int = 0, extrapolate: Any = True, axis: int = 0
) -> Array:  # fmt: skip
    """The gradient of `c` in `bspline(c, knots, t, k, nu, extrapolate, axis)`."""
    from scipy.interpolate import BSpline  # noqa: PLC0415

    knots = np.asarray(knots, float)
    n = len(knots) - k - 1
    places, h = np.ravel(t), places_first(h, t, axis)
    if extrapolate == "periodic":
        places = knots[k] + (places - knots[k]) % (knots[n] - knots[k])
    elif not extrapolate:
        inside = (knots[k] <= places) & (places <= knots[n])
        places, h = places[inside], h[inside]
    if nu > k:
        return np.zeros(np.shape(c))
    matrix = BSpline.design_matrix(places, knots[nu : len(knots) - nu], k - nu, True)
    rows = np.reshape(h, (len(h), math.prod(h.shape[1:])))
    dc = np.reshape(matrix.T @ rows, (matrix.shape[1], *h.shape[1:]))
    for step in reversed(range(nu)):  # what differences of the coefficients take back
        degree = k - step
        inner = knots[step : len(knots) - step]
        width = inner[degree + 1 : -1] - inner[1 : -degree - 1]
        scaled = (degree / np.where(width == 0, 1, width) * (width != 0) * dc.T).T
        dc = np.zeros((len(scaled) + 1, *np.shape(scaled)[1:]))
        dc[1:] += scaled
        dc[:-1] -= scaled
    padded = np.zeros(np.shape(c))  # SciPy's own have more than count
    padded[:n] = dc
    return padded
