"""The derivatives of the modified Bessel function, which NumPy has for the order 0 alone."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array

ANGLES = np.pi * (np.arange(60) + 0.5) / 120
"""So many that the sum gives all digits up to where `np.i0` overflows."""


def bessel_i(n: int, x: Array) -> Array:
    """The modified Bessel function of order n: the mean of `exp(x * cos(t)) * cos(n * t)` over all angles."""
    of_pairs = np.sinh if n % 2 else np.cosh  # of t and pi - t
    waves = of_pairs(np.asarray(x)[..., None] * np.cos(ANGLES))
    return cast(waves @ np.cos(n * ANGLES) / len(ANGLES), x)
