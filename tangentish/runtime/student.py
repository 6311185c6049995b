"""How Student's distribution moves with its degrees of freedom, at 0 as everywhere."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.incomplete import beta_prime_slope
from tangentish.runtime.types import Array


def student_slope(v: Array, t: Array) -> Array:
    """The derivative of `scipy.special.stdtr(v, t)` in v."""
    from scipy.special import beta  # noqa: PLC0415 - SciPy may not be there

    square = np.square(t) / v
    density = (1 + square) ** (-(np.asarray(v) + 1) / 2) / (np.sqrt(v) * beta(0.5, np.divide(v, 2)))
    found = np.sign(t) / 4 * beta_prime_slope(0.5, np.divide(v, 2), square, 0, 1) - t * density / (
        2 * v
    )
    return np.asarray(found).astype(np.result_type(np.result_type(v, t), np.float32))[()]
