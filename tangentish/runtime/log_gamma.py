"""Parts of the logarithm of the gamma function and of its derivative that keep their digits, of numbers above 0.

Differences of large logarithms lose them: of a million the logarithm of gamma has seven digits before the point.
"""

from __future__ import annotations

import math

import numpy as np

from tangentish.runtime.types import Array

_FAR = 10.0
"""From here on the series below give all digits."""

_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760)


def log_ratio(x: Array, z: Array, difference: Array) -> Array:
    """`log(x / z)`, also where the two are nearly the same: by their difference, `x - z`."""
    is_near = np.abs(difference) < z / 2
    near = np.log1p(np.where(is_near, difference, 0) / z)
    return np.where(is_near, near, np.log(x) - np.log(z))


def stirling_rest(a: Array) -> Array:
    """What Stirling's formula `(a - 1/2) * log(a) - a + log(2 * pi) / 2` lacks of `gammaln(a)`."""
    from scipy.special import gammaln  # noqa: PLC0415 - SciPy may not be there

    near, far = np.minimum(a, _FAR), np.maximum(a, _FAR)
    formula = (near - 0.5) * np.log(near) - near + math.log(2 * math.pi) / 2
    series = sum(c * far ** (-1 - 2 * k) for k, c in enumerate(_STIRLING))
    return np.where(a < _FAR, gammaln(near) - formula, series)


def log_minus_digamma(a: Array) -> Array:
    """`log(a) - digamma(a)`."""
    from scipy.special import digamma  # noqa: PLC0415

    near, far = np.minimum(a, _FAR), np.maximum(a, _FAR)
    series = 0.5 / far + sum(c * far ** (-2 * k) for k, c in enumerate(_DIGAMMA, 1))
    return np.where(a < _FAR, np.log(near) - digamma(near), series)


def digamma_rise(a: Array, b: Array) -> Array:
    """`digamma(a + b) - digamma(a) - log(1 + b / a)`: up to where the series holds by single steps."""
    is_near = a < _FAR
    far = np.where(is_near, a + 10, a)
    step = np.log1p(b / far)
    series = 0.5 * b / (far * (far + b)) - sum(
        c * far ** (-2 * k) * np.expm1(-2 * k * step) for k, c in enumerate(_DIGAMMA, 1)
    )
    steps = sum(b / ((a + k) * (a + b + k)) for k in range(10))
    return series + np.where(is_near, steps + step - np.log1p(b / a), 0)
