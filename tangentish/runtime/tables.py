"""Tables of numbers that are looked up at places that vary: derivatives of a RegularGridInterpolator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.interpolants import off_axis, on_axis, on_grid_slope, raised
from tangentish.runtime.types import Array


def table_tangent(v: Array, f: Any, t: Array, nu: Sequence[int] = ()) -> Any:
    """How the derivatives nu, one number for each axis, of `f(t)` change when t moves along v."""
    along = np.broadcast_to(v, np.shape(t))
    slopes = (_slope(f, t, raised(nu, j, f.grid)) for j in range(len(f.grid)))
    return sum(on_axis(along, j, f.grid, slope) * slope for j, slope in enumerate(slopes))


def table_adjoint(h: Array, f: Any, t: Array, nu: Sequence[int] = ()) -> Array:
    """The gradient of `t` in the derivatives nu of `f(t)`."""
    dt = np.zeros(np.shape(t), np.asarray(t).dtype)
    for j in range(len(f.grid)):
        dt += off_axis(h * _slope(f, t, raised(nu, j, f.grid)), j, f.grid, t)
    return dt


def _slope(f: Any, t: Array, nu: Sequence[int]) -> Array:
    if f.method not in ("linear", "nearest"):
        raise NotImplementedError(
            f"a RegularGridInterpolator by method='{f.method}' has no derivative: 'linear' and 'nearest' ones have"
        )
    return on_grid_slope(f.values, f.grid, t, nu, f.method, f.fill_value)
