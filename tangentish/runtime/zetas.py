"""The derivatives of the zeta functions of Riemann and Hurwitz in their exponent."""

from __future__ import annotations

import math

import numpy as np

from tangentish.runtime.gammas import BERNOULLI
from tangentish.runtime.types import Array

TERMS = 8
"""So many are summed one by one; of what is left the sum is that of Euler and Maclaurin."""
LEAST = -6.0
"""Below, all digits are lost between both sums."""


def zeta_slope(x: Array, q: Array, n: int = 1) -> Array:
    """The n-th derivative in x of `scipy.special.zeta(x, q)`, the sum of all `(q + k) ** -x`; nan far below 0.

    Of n = -1, which stands beside a factor of 0, it is 0.
    """
    s, a = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(q, np.float64))
    if n < 0:
        return 0 * s[()]
    with np.errstate(all="ignore"):  # the pole at x = 1, and where the function is nan
        total = sum((-np.log(a + k)) ** n * (a + k) ** -s for k in range(TERMS))
        found = total + _rest(s, a + TERMS, n)
    found = np.where(s < LEAST, np.nan, found)
    return found.astype(np.result_type(np.result_type(x, q), np.float32))[()]


def _rest(s: Array, a: Array, n: int) -> Array:
    """The n-th derivative in s of the sum of `(a + k) ** -s` over k >= 0, where a is large.

    All are products, of which the Taylor series in s are multiplied.
    """
    power = [a**-s]
    pole = [1 / (s - 1)]
    for i in range(1, n + 1):
        power.append(-power[-1] * np.log(a) / i)
        pole.append(-pole[-1] / (s - 1))
    terms = _times(power, [a * p for p in pole])[n] + power[n] / 2
    rising = [s / a, 1 / a, *[0 * s] * n][: n + 1]
    for j, number in enumerate(BERNOULLI, 1):
        terms = terms + number / math.factorial(2 * j) * _times(power, rising)[n]
        for more in (2 * j - 1, 2 * j):
            rising = _times(rising, [(s + more) / a, 1 / a, *[0 * s] * n][: n + 1])
    return math.factorial(n) * terms


def _times(one: list[Array], other: list[Array]) -> list[Array]:
    """The product of two series, up to the same order."""
    return [
        sum((one[i] * other[k - i] for i in range(1, k + 1)), one[0] * other[k])
        for k in range(len(one))
    ]
