"""Derivatives whose formulas have poles where the functions have none, or which SciPy does not know there.

Those of `sin(x) / x` and `(exp(x) - 1) / x`, of all orders, divide by x, which may be 0. Both are integrals over t from
0 to 1, of `cos(x * t)` and of `exp(x * t)`; the n-th derivative has `t ** n` beside it. By parts it follows from the
one before, divided by x. Where x is small, that loses digits: a series takes its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tangentish.runtime.types import Array

TERMS = 30
"""So many give all digits, of long doubles too, up to where a series ends for the first derivatives."""


def sinc_slope(x: Array, n: int = 1) -> Array:
    """The n-th derivative of `np.sinc`."""
    z = np.asarray(math.pi * x)
    waves = np.sin(z), np.cos(z), -np.sin(z), -np.cos(z)
    return math.pi**n * _by_parts(z, [waves[i % 4] for i in range(n + 1)], (1, 0, -1, 0))


def rgamma_slope(x: Array, n: int = 1) -> Array:
    """The n-th derivative of `scipy.special.rgamma`, also where that is 0 and digamma has a pole."""
    is_zero = (x <= 0) & (x == np.floor(x))
    found = np.array(_rgamma_slopes(np.where(is_zero, 1.0, x), n)[n], np.result_type(x))
    for place in np.unique(np.asarray(x)[is_zero]):
        found[x == place] = _slope_at_zero(int(-place), n)
    return found[()]


def _rgamma_slopes(x: Array, n: int) -> list[Array]:
    """Derivatives 0 to n of `1 / gamma(x)`, which is `-digamma(x)` times itself after the first of them."""
    from scipy.special import digamma, polygamma, rgamma  # noqa: PLC0415 - SciPy may not be there

    slopes = [rgamma(x)]
    psi = [digamma(x), *(polygamma(k, x) for k in range(1, n))]
    for m in range(n):
        slopes.append(-sum(math.comb(m, k) * psi[k] * slopes[m - k] for k in range(m + 1)))
    return slopes


def _slope_at_zero(m: int, n: int) -> float:
    """The same at -m, by `1 / gamma(x) = x * (x + 1) * ... * (x + m) / gamma(x + m + 1)`."""
    factors = np.poly(np.arange(m + 1.0))[::-1]  # in powers of x + m
    series = [slope / math.factorial(k) for k, slope in enumerate(_rgamma_slopes(1.0, n))]
    pairs = (factors[k] * series[n - k] for k in range(min(n, m + 1) + 1))
    return math.factorial(n) * float(sum(pairs))


def exponential_integral(n: Array, x: Array) -> Array:
    """`scipy.special.expn(n, x)`, of orders below 0, too: by steps down from there (Abramowitz and Stegun, 5.1.14)."""
    from scipy.special import expn  # noqa: PLC0415 - SciPy may not be there

    found = expn(np.maximum(n, 0), x)
    for m in range(0, int(np.min(n, initial=0)), -1):
        found = np.where(np.less(n, m), (np.exp(-x) - (m - 1) * found) / x, found)[()]
    return found


def exprel_slope(x: Array, n: int = 1) -> Array:
    """The n-th derivative of `scipy.special.exprel`."""
    z = np.asarray(x)
    return _by_parts(z, [np.expm1(z), *[np.exp(z)] * n], (1, 1, 1, 1))


def _by_parts(z: Array, ends: Sequence[Array], signs: Sequence[int]) -> Array:
    """The integral of `t ** n` times the n-th derivative of a function whose integrals from 0 to `z` are `ends`.

    `signs` are the derivatives of that function at 0, which come around after four.
    """
    n = len(ends) - 1
    near = np.abs(z) <= n + 1
    away = np.where(near, 1, z)
    y = ends[0] / away
    for i in range(1, n + 1):
        y = (ends[i] - i * y) / away
    return np.where(near, _series(np.where(near, z, 0), n, signs), y)[()]


def _series(z: Array, n: int, signs: Sequence[int]) -> Array:
    total = z * 0
    for k in reversed(range(TERMS + n)):
        total = total * z + signs[(n + k) % 4] / (math.factorial(k) * (n + k + 1))
    return total
