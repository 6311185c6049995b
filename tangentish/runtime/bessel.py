"""The derivatives of modified Bessel functions that neither NumPy nor SciPy knows."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array

ANGLES = np.pi * (np.arange(60) + 0.5) / 120
"""So many that the sum gives all digits up to where `np.i0` overflows."""

STEPS = 300
ENOUGH = 45.0
"""Where the logarithm of the integrand has fallen by this much, nothing counts any more."""


def bessel_i(n: int, x: Array) -> Array:
    """The modified Bessel function of order n: the mean of `exp(x * cos(t)) * cos(n * t)` over all angles."""
    of_pairs = np.sinh if n % 2 else np.cosh  # of t and pi - t
    waves = of_pairs(np.asarray(x)[..., None] * np.cos(ANGLES))
    return cast(waves @ np.cos(n * ANGLES) / len(ANGLES), x)


def kve_slope(v: Array, x: Array, n: int) -> Array:
    """The n-th derivative of `scipy.special.kve(v, x)` in the order v.

    The function is the integral of `exp(x - x * cosh(t)) * cosh(v * t)` over t > 0. So smooth an integrand, which falls
    on both sides, is summed in equal steps without an error.
    """
    order, at = (np.asarray(one, np.float64)[..., None] for one in np.broadcast_arrays(v, x))
    with np.errstate(all="ignore"):  # x = 0 and below, where the function is inf or nan
        end = np.arcsinh(np.abs(order) / at) + np.arccosh(1 + ENOUGH / np.hypot(at, order))
        t = end * np.arange(STEPS + 1) / STEPS
        fall = at * (1 - np.cosh(t))
        both = np.exp(fall + order * t) + (-1) ** n * np.exp(fall - order * t)
        waves = both / 2 * t**n
        found = (np.sum(waves, axis=-1) - waves[..., 0] / 2) * end[..., 0] / STEPS
    return found.astype(np.result_type(np.result_type(v, x), np.float32))[()]
