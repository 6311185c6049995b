"""Linear interpolation."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.elements import ratio
from tangentish.runtime.types import Array


def interp_slope(x: Array, xp: Array, fp: Array) -> Array:
    """The slope of `np.interp(x, xp, fp)`: the segment to the right at a node, 0 outside."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    i = np.clip(np.searchsorted(xp, x, "right"), 1, len(xp) - 1)
    slope = ratio(fp[i] - fp[i - 1], xp[i] - xp[i - 1])  # of a single node there is none
    return slope * ((xp[0] <= x) & (x <= xp[-1]))


def interp_adjoint(g: Array, x: Array, xp: Array, fp: Array) -> Array:
    """The gradient of the values `fp` in `np.interp(x, xp, fp)`."""
    xp = np.asarray(xp)
    i = np.clip(np.searchsorted(xp, x, "right"), 1, len(xp) - 1)
    t = np.clip(ratio(x - xp[i - 1], xp[i] - xp[i - 1]), 0, 1)
    df = np.zeros_like(fp)
    np.add.at(df, i - 1, g * (1 - t))
    np.add.at(df, i, g * t)
    return df


def interp_slope_adjoint(g: Array, x: Array, xp: Array, fp: Array) -> Array:
    """The gradient of the values `fp` in `interp_slope(x, xp, fp)`."""
    xp = np.asarray(xp)
    i = np.clip(np.searchsorted(xp, x, "right"), 1, len(xp) - 1)
    d = ratio(g * ((xp[0] <= x) & (x <= xp[-1])), xp[i] - xp[i - 1])
    df = np.zeros_like(fp)
    np.add.at(df, i, d)
    np.add.at(df, i - 1, -d)
    return df
