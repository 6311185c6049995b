"""Twins of runtime/elements.py: element by element, for arrays and numbers alike."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import overload_method

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import has_literal, value_of
from tangentish.compiled.twins.written import written
from tangentish.runtime.removable import TERMS


@numba.vectorize
def _ratio(x: Any, z: Any) -> Any:
    return x / z if z != 0 else x * 0.0


@numba.vectorize
def _root(g: Any, y: Any) -> Any:
    if y > 0 or (y != 0 and g != 0):
        return g / (2 * y)
    return g * np.inf if g != 0 else g * 0.0


@numba.vectorize
def _complex_root(g: Any, y: Any) -> Any:
    return g / (2 * y) if y != 0 or g != 0 else g * 0.0


@numba.vectorize
def _times_slope(h: Any, s: Any) -> Any:
    return h * s if h != 0 else h * 0.0


@numba.vectorize
def _power_slope(x: Any, p: Any, n: Any) -> Any:
    factor = p * 1.0
    for i in range(1, n):
        factor = factor * (p - i)
    if factor == 0:
        return x * 0.0
    if x == 0 and p < n:
        return factor * np.inf
    return factor * x ** (p - n)


@numba.vectorize
def _power_slope_by_exponent(x: Any, p: Any, n: Any, m: Any) -> Any:
    factors = np.zeros(m + 1)
    factors[0], factors[1] = p, 1.0
    for i in range(1, n):
        for k in range(m, 0, -1):
            factors[k] = factors[k] * (p - i) + k * factors[k - 1]
        factors[0] *= p - i
    if x == 0:
        return factors[m] * (1.0 if p == n else 0.0)
    moved, ways = 0.0, 1.0
    for k in range(m + 1):
        moved += ways * factors[k] * np.log(x) ** (m - k)
        ways *= (m - k) / (k + 1)
    return moved * x ** (p - n)


@numba.vectorize
def _sinc_slope(x: Any, n: Any) -> Any:
    z = np.pi * x
    if abs(z) > n + 1:
        y = np.sin(z) / z
        for i in range(1, n + 1):
            y = (np.sin(z + i * np.pi / 2) - i * y) / z
        return np.pi**n * y
    y, term = z * 0.0, z * 0.0 + 1.0  # `runtime.removable` says what the terms are
    for k in range(TERMS + n):
        y += np.cos((n + k) * np.pi / 2) * term / (n + k + 1)
        term = term * z / (k + 1)
    return np.pi**n * y


@numba.vectorize
def _log_or_zero(x: Any) -> Any:
    return np.log(x) if x != 0 else x * 0.0


@numba.vectorize
def _greater(x: Any, z: Any) -> Any:
    if x > z:
        return 1.0
    return 0.5 if x == z else 0.0


@twin(runtime.ratio)
def _ratio_twin(x: Any, z: Any) -> Any:
    return lambda x, z: _ratio(x, z)


@twin(runtime.complex_root_adjoint)
def _complex_root_adjoint(g: Any, y: Any) -> Any:
    return lambda g, y: _complex_root(g, y)


@twin(runtime.root_adjoint)
def _root_adjoint(g: Any, y: Any) -> Any:
    return lambda g, y: _root(g, y)


@twin(runtime.steps_between)
def _steps_between_twin(n: Any) -> Any:
    return lambda n: n - 1.0 if n > 1 else np.nan


@twin(runtime.times_slope)
def _times_slope_twin(h: Any, s: Any) -> Any:
    return lambda h, s: _times_slope(h, s)


@twin(runtime.power_slope)
def _power_slope_twin(x: Any, p: Any, n: Any = 1) -> Any:
    return lambda x, p, n=1: _power_slope(x, p, n)


@twin(runtime.power_slope_by_exponent)
def _power_slope_by_exponent_twin(x: Any, p: Any, n: Any = 1, m: Any = 1) -> Any:
    return lambda x, p, n=1, m=1: _power_slope_by_exponent(x, p, n, m)


@twin(runtime.sinc_slope)
def _sinc_slope_twin(x: Any, n: Any = 1) -> Any:
    return lambda x, n=1: _sinc_slope(x, n)


@twin(runtime.log_or_zero)
def _log_or_zero_twin(x: Any) -> Any:
    return lambda x: _log_or_zero(x)


@twin(runtime.greater)
def _greater_twin(x: Any, z: Any) -> Any:
    return lambda x, z: _greater(x, z)


@twin(runtime.is_first, prefer_literal=True)
def _is_first(xs: Any, y: Any, k: Any) -> Any:
    if isinstance(xs, types.BaseTuple) and has_literal(k):
        before = [f"xs[{j}] != y" for j in range(value_of(k))]
        return written("xs, y, k", [f"return {' and '.join([*before, f'xs[{value_of(k)}] == y'])}"])
    if isinstance(xs, (types.List, types.Array)):

        def first(xs: Any, y: Any, k: Any) -> Any:
            for j, x in enumerate(xs):
                if x == y:
                    return j == k
            return False

        return first
    return None


@twin(runtime.is_selected)
def _is_selected(conditions: Any, k: Any) -> Any:
    if not isinstance(conditions, types.List):
        return None

    def selected(conditions: Any, k: Any) -> Any:
        found = np.ones_like(conditions[0]) if k == len(conditions) else conditions[k]
        for j in range(k):
            found = found & ~conditions[j]
        return found

    return selected


@overload_method(types.Number, "copy")
def _copy_of_number(x):  # type: ignore[no-untyped-def]
    return lambda x: x
