"""Derivatives of single elements, right at the places where the plain formula gives nan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.types import SCALARS, Array


def ratio(x: Array, z: Array) -> Array:
    """`x / z`, and 0 where `z` is 0: the subgradient of a norm at the origin."""
    if isinstance(z, float):
        return x / z if z else x * 0.0
    zero = z == 0
    return np.where(zero, 0, x / np.where(zero, 1, z)) if np.count_nonzero(zero) else x / z


def root_adjoint(g: Array, y: Array) -> Array:
    """`g / (2 * y)` for a square root y: 0 where no gradient comes in, also at 0 or nan; inf where it is infinite."""
    if isinstance(y, float):
        return g / (2 * y) if y > 0 or (y and g) else (g * np.inf if g else g * 0.0)
    if type(y) is complex:  # what Python makes of (-2.0) ** 0.5
        raise ValueError(
            f"{y} was taken for a real number: no gradient of a negative number's root"
        )
    return g / (2 * y) if np.all(y > 0) else _where_it_comes_in(g, y)


def complex_root_adjoint(g: Array, y: Array) -> Array:
    """`root_adjoint` of numbers that may be complex."""
    return g / (2 * y) if np.all(y) else _where_it_comes_in(g, y)


def _where_it_comes_in(g: Array, y: Array) -> Array:
    return g * (g != 0) / np.where(g == 0, 1, 2 * y)


def times_slope(h: Array, s: Array) -> Array:
    """`h * s` for the slope s of a root, which may be infinite: 0 where nothing moves, h = 0."""
    if isinstance(h, SCALARS) and isinstance(s, SCALARS):
        return h * s if h else h * 0.0
    return h * np.where(h == 0, 0, s)


def power_slope(x: Array, p: Array, n: int = 1) -> Array:
    """The n-th derivative of `x ** p` in x: 0 where a factor p - i is, also at x = 0."""
    factor = p
    for i in range(1, n):
        factor = factor * (p - i)
    if not isinstance(p, SCALARS):
        return factor * x ** np.where(factor == 0, 1, p - n)
    if not factor:
        return x * 0.0
    if isinstance(x, SCALARS) and x == 0 and p < n:  # type: ignore[operator]
        return factor * np.inf  # Python raises where numpy gives inf
    if type(x) is float and not isinstance(p, complex):
        return factor * math.pow(x, p - n)  # ValueError where Python makes x ** p complex
    return factor * x ** (p - n)


def power_slope_by_exponent(x: Array, p: Array, n: int = 1, m: int = 1) -> Array:
    """The m-th derivative of `power_slope(x, p, n)` in p; at x = 0, where it does not vary with p, 0."""
    factors = [p, 1.0, *[0.0] * (m - 1)]  # the derivatives in p of p * (p - 1) * ...
    for i in range(1, n):
        below = [0.0, *factors]
        factors = [f * (p - i) + k * before for k, (f, before) in enumerate(zip(factors, below))]
    zero, log = x == 0, log_or_zero(x)
    power = np.where(zero, p == n, np.where(zero, 1, x) ** (p - n))
    moved = factors[0] * log**m
    for k in range(1, m + 1):
        moved = moved + math.comb(m, k) * factors[k] * log ** (m - k)
    return (moved * power)[()]


def greater(x: Array, z: Array) -> Array:
    """1 where `x` is greater than `z`, a half where they are equal, else 0: of the type of both."""
    found = np.where(x == z, np.result_type(x, z).type(0.5), x > z)
    return found if found.ndim else found[()]


def steps_between(n: int) -> float:
    """How many steps there are between n places: nan where there are none, as the step is that NumPy gives."""
    return n - 1.0 if n > 1 else math.nan


def is_first(xs: Sequence[Array], y: Array, k: int) -> bool:
    """Whether element k of `xs` is the first that is `y`, which Python's max and min return."""
    return list(xs).index(y) == k


def log_or_zero(x: Array) -> Array:
    """`log(x)`, and 0 where `x` is 0: `0 ** p` does not vary with p."""
    if type(x) in (float, np.float64) and x > 0:
        return math.log(x)  # in a tenth of the time
    return np.log(np.where(x == 0, 1, x))


def is_selected(conditions: Sequence[Array], k: int) -> Array:
    """Where `np.select` takes its choice k: the default comes after the last."""
    found: Any = True if k == len(conditions) else conditions[k]
    for earlier in conditions[:k]:
        found = found & np.logical_not(earlier)
    return found
