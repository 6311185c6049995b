"""Values on a grid that SciPy interpolates at once: written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def interpn(
    points: Any, values: Array, xi: Array, method: str = "linear",
    bounds_error: bool = True, fill_value: Any = np.nan,
) -> Array:  # fmt: skip
    """`scipy.interpolate.interpn`."""
    from scipy.interpolate import RegularGridInterpolator  # noqa: PLC0415 - SciPy may not be there

    f = RegularGridInterpolator(points, values, method, bounds_error, fill_value)
    return f(xi)
