"""Linear interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.elements import ratio
from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array


def _segment(x: Array, xp: Array) -> Any:
    """The last node of the segment in which a place lies: the one on its right at a node; a Python int for a number."""
    i = xp.searchsorted(x, "right")
    last = len(xp) - 1
    return min(max(int(i), 1), last) if np.isscalar(x) else np.clip(i, 1, last)


def interp_slope(x: Array, xp: Array, fp: Array) -> Array:
    """The slope of `np.interp(x, xp, fp)`: the segment to the right at a node, 0 outside."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    i = _segment(x, xp)
    slope = ratio(fp[i] - fp[i - 1], xp[i] - xp[i - 1])  # of a single node there is none
    return slope * ((xp[0] <= x) & (x <= xp[-1]))


def interp_adjoint(g: Array, x: Array, xp: Array, fp: Array) -> Array:
    """The gradient of the values `fp` in `np.interp(x, xp, fp)`."""
    xp = np.asarray(xp)
    i = _segment(x, xp)
    width = xp[i] - xp[i - 1]
    df = np.zeros_like(fp)
    if isinstance(i, int):
        t = min(max((x - xp[i - 1]) / width, 0), 1) if width else 0
        df[i - 1] += g * (1 - t)
        df[i] += g * t
        return df
    t = np.clip(ratio(x - xp[i - 1], width), 0, 1)
    np.add.at(df, i - 1, g * (1 - t))
    np.add.at(df, i, g * t)
    return df


def unless_outside(g: Array, x: Array, xp: Array, left: Any, right: Any) -> Array:
    """`g` where `np.interp(x, xp, fp, left, right)` is not one of the values for outside."""
    if left is not None:
        g = np.where(np.less(x, xp[0]), 0, g)
    return g if right is None else np.where(np.greater(x, xp[-1]), 0, g)


def places_around(xp: Array, period: float) -> Array:
    """In which order `np.interp(x, xp, fp, period=period)` goes through the nodes, the last and the first twice."""
    order = np.argsort(np.mod(xp, abs(period)))
    return np.concatenate((order[-1:], order, order[:1]))


def nodes_around(xp: Array, period: float) -> Array:
    """The nodes between which `np.interp(x, xp, fp, period=period)` interpolates."""
    nodes = np.sort(np.mod(xp, abs(period)))
    return np.concatenate((nodes[-1:] - abs(period), nodes, nodes[:1] + abs(period)))


def interp_slope_adjoint(g: Array, x: Array, xp: Array, fp: Array) -> Array:
    """The gradient of the values `fp` in `interp_slope(x, xp, fp)`."""
    xp = np.asarray(xp)
    i = _segment(x, xp)
    d = ratio(g * ((xp[0] <= x) & (x <= xp[-1])), xp[i] - xp[i - 1])
    df = np.zeros_like(fp)
    if isinstance(i, int):
        df[i] += d
        df[i - 1] -= d
        return df
    np.add.at(df, i, d)
    np.add.at(df, i - 1, -d)
    return df


def interpolant_slope(f: Any, x: Array, nu: int = 1) -> Array:
    """The derivative of an object of `scipy.interpolate`: `interp1d`, at a node that of the segment on its right, or
    `UnivariateSpline`. Where what it gives outside is one number, the derivative is zero.
    """
    if not hasattr(f, "_kind"):
        (knots, _, k), constant_outside = f._eval_args, f.ext == 3
        if nu > k:
            return np.zeros_like(x)
        inside = (knots[k] <= x) & (x <= knots[-k - 1]) | (not constant_outside)
        return cast(inside * np.reshape(f(x, nu), np.shape(x)), x)
    kind, nodes = f._kind, f.x
    if kind == "linear" and nu == 1:
        segment = np.clip(np.searchsorted(nodes, x, "right") - 1, 0, len(nodes) - 2)
        slope = (np.diff(f.y) / np.diff(nodes))[segment]
    elif kind in ("linear", "nearest", "nearest-up", "previous", "next", "zero"):
        return np.zeros_like(x)
    else:
        slope = np.reshape(f._spline(x, nu), np.shape(x))
    goes_on = isinstance(f.fill_value, str)  # "extrapolate"
    inside = goes_on | ((nodes[0] <= x) & (x <= nodes[-1]))
    return cast(np.where(inside, slope, 0.0)[()], x)


def surface(x: Any, z: Any, tck: Any, dx: int = 0, dy: int = 0) -> Any:
    """What `scipy.interpolate.bisplev(x, z, tck, dx, dy)` gives at a point, however high the derivatives."""
    from scipy.interpolate import BSpline  # noqa: PLC0415

    at_x, at_z, c, k_x, k_z = tck
    c = np.reshape(c, (len(at_x) - k_x - 1, len(at_z) - k_z - 1))
    x, z = (np.clip(t, at[k], at[-k - 1]) for t, at, k in ((x, at_x, k_x), (z, at_z, k_z)))
    along = BSpline(at_z, c.T, k_z)(z, dy)
    return float(BSpline(at_x, along, k_x)(x, dx))


def moves_surface(t: Any, tck: Any, axis: int) -> bool:
    """Whether the surface of `scipy.interpolate.bisplev` changes with the coordinate `t`: outside it goes on level."""
    knots, k = tck[axis], tck[3 + axis]
    return bool(knots[k] <= t <= knots[-k - 1])
