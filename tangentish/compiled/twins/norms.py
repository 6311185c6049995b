"""Twins of runtime/norms.py, for norms of all of an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_none, is_number


@twin(runtime.norm_slope)
def _norm_slope(x: Any, y: Any, ord: Any = None, axis: Any = None) -> Any:
    if not is_none(axis) or not is_array(x):
        return None
    if is_none(ord):
        return lambda x, y, ord=None, axis=None: runtime.ratio(x, y)
    if x.ndim != 1 or not is_number(ord):
        return None

    def slope(x: Any, y: Any, ord: Any = None, axis: Any = None) -> Any:
        if ord == 2:
            return runtime.ratio(x, y)
        if ord == 1:
            return np.sign(x)
        if np.isinf(ord):
            return np.sign(x) * runtime.share(np.abs(x), y)
        return np.sign(x) * runtime.ratio(np.abs(x), y) ** (ord - 1)

    return slope


@twin(runtime.quantile_weights)
def _quantile_weights(
    x: Any, q: Any, axis: Any = None, method: Any = "linear", ignore_nan: Any = False
) -> Any:
    if not is_none(axis) or not is_number(q) or method != "linear" or ignore_nan is not False:
        return None

    def weights(
        x: Any, q: Any, axis: Any = None, method: Any = "linear", ignore_nan: Any = False
    ) -> Any:
        values = x.ravel()
        out = np.zeros_like(values)
        order = np.argsort(values, kind="mergesort")
        position = q * (len(values) - 1)
        low = int(np.floor(position))
        high = min(low + 1, len(values) - 1)
        out[order[high]] += position - low
        out[order[low]] += 1 - (position - low)
        return out.reshape(x.shape)

    return weights
