"""Derivatives of products of gamma functions, also where a pole of one takes away that of another, or all there is.

`scipy.special.beta(a, b)` is `gamma(a) * gamma(b) / gamma(a + b)`, and `binom` and `poch` are such products of two
variables. Their derivatives, are the function times what those of its logarithm give: differences of `digamma`.
Where one of the divisors has a pole the function is 0: there it is a product with `1 / gamma`, which is smooth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.runtime.removable import rgamma_slope
from tangentish.runtime.types import Array

Factor = tuple[int, int, int, int]
"""An argument of gamma as `a * x + b * z + c`, and whether gamma of it is a factor, 1, or divides, -1."""

_BETA: Sequence[Factor] = ((1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0, -1))
_BINOM: Sequence[Factor] = ((1, 0, 1, 1), (0, 1, 1, -1), (1, -1, 1, -1))
_POCH: Sequence[Factor] = ((1, 1, 0, 1), (1, 0, 0, -1))


def beta_slope(a: Array, b: Array, i: int, j: int) -> Array:
    """The derivative of `scipy.special.beta(a, b)`, i times by a and j times by b."""
    from scipy.special import beta  # noqa: PLC0415 - SciPy may not be there

    return _slope(beta(a, b), _BETA, a, b, i, j)


def binom_slope(n: Array, k: Array, i: int, j: int) -> Array:
    """The derivative of `scipy.special.binom(n, k)`, i times by n and j times by k."""
    from scipy.special import binom  # noqa: PLC0415 - SciPy may not be there

    return _slope(binom(n, k), _BINOM, n, k, i, j)


def poch_slope(z: Array, m: Array, i: int, j: int) -> Array:
    """The derivative of `scipy.special.poch(z, m)`, i times by z and j times by m."""
    from scipy.special import poch  # noqa: PLC0415 - SciPy may not be there

    return _slope(poch(z, m), _POCH, z, m, i, j)


def _slope(y: Array, factors: Sequence[Factor], x: Array, z: Array, i: int, j: int) -> Array:
    if i + j == 1:
        arguments = [a * x + b * z + c for a, b, c, _ in factors]
        if all(np.all(u > 0) for u in arguments):  # far from all poles
            return y * _slope_of_logarithm(factors, arguments, i, j)
    x, z = np.broadcast_arrays(np.asarray(x, float), np.asarray(z, float))
    arguments = [a * x + b * z + c for a, b, c, _ in factors]
    poles = [(u <= 0) & (u == np.floor(u)) for u in arguments]
    with np.errstate(invalid="ignore"):  # at poles
        found = np.asarray(_moved(np.asarray(y, float), factors, arguments, poles, i, j))
    several = sum(pole.astype(int) for pole in poles) > 1
    for k, pole in enumerate(poles):
        at = pole & ~several
        if factors[k][3] < 0 and np.any(at):
            others = [*range(k), *range(k + 1, len(factors))]
            found[at] = _moved_at_zero(factors, [u[at] for u in arguments], k, others, i, j)
    return found.astype(np.result_type(y))[()]


def _slope_of_logarithm(
    factors: Sequence[Factor], arguments: Sequence[Array], i: int, j: int
) -> Array:
    from scipy.special import psi  # noqa: PLC0415 - SciPy may not be there

    moved = [f[3] * f[0] ** i * f[1] ** j for f in factors]
    return sum(weight * psi(u) for weight, u in zip(moved, arguments, strict=True) if weight)


def _moved(
    y: Array,
    factors: Sequence[Factor],
    arguments: Sequence[Array],
    poles: Sequence[Array],
    i: int,
    j: int,
) -> Array:
    """The derivative of a product that is `y`, by those of its logarithm."""
    table: dict[tuple[int, int], Any] = {(0, 0): y}
    logs: Mapping[tuple[int, int], Array] = {
        (a, b): _moved_logarithm(factors, arguments, poles, a, b)
        for a in range(i + 1)
        for b in range(j + 1)
        if a + b
    }
    for p in range(i + 1):
        for q in range(j + 1):
            if p + q:
                first = (1, 0) if p else (0, 1)
                rows, columns = p - first[0], q - first[1]
                table[p, q] = sum(
                    math.comb(rows, a)
                    * math.comb(columns, b)
                    * table[rows - a, columns - b]
                    * logs[a + first[0], b + first[1]]
                    for a in range(rows + 1)
                    for b in range(columns + 1)
                )
    return table[i, j]


def _moved_logarithm(
    factors: Sequence[Factor], arguments: Sequence[Array], poles: Sequence[Array], i: int, j: int
) -> Array:
    """The same of the logarithm. Of two gammas that move alike poles cancel: what is left is as reflected."""
    from scipy.special import polygamma, psi  # noqa: PLC0415 - SciPy may not be there

    weights = [sign * a**i * b**j for a, b, _, sign in factors]
    are_gone = sum(w * pole for w, pole in zip(weights, poles, strict=True)) == 0
    n, total = i + j - 1, 0.0 * arguments[0]
    for weight, u, pole in zip(weights, arguments, poles, strict=True):
        if weight:
            turned = pole & are_gone
            reflected = np.where(turned, 1 - u, u)
            slope = psi(reflected) if n == 0 else polygamma(n, reflected)
            total = total + weight * np.where(turned, (-1) ** n, 1) * slope
    return total


def _moved_at_zero(
    factors: Sequence[Factor],
    arguments: Sequence[Array],
    k: int,
    others: Sequence[int],
    i: int,
    j: int,
) -> Array:
    """The derivative where the k-th factor, which divides, has a pole, and no other has one."""
    from scipy.special import gammaln, gammasgn  # noqa: PLC0415 - SciPy may not be there

    rest, own = [factors[o] for o in others], [arguments[o] for o in others]
    size = np.exp(sum(f[3] * gammaln(u) for f, u in zip(rest, own, strict=True)))
    signs = math.prod(gammasgn(u) for u in own)
    no_poles = [np.zeros(u.shape, bool) for u in own]
    a, b, _, _ = factors[k]
    return sum(
        math.comb(i, p)
        * math.comb(j, q)
        * a**p
        * b**q
        * rgamma_slope(arguments[k], p + q)
        * _moved(size * signs, rest, own, no_poles, i - p, j - q)
        for p in range(i + 1)
        for q in range(j + 1)
    )
