"""Twins of runtime/along_axes.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from tangentish import runtime
from tangentish.compiled.functions import sum_over
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import has_literal, is_array, is_none, value_of


@twin(runtime.share)
def _share(x: Any, y: Any, axis: Any = None) -> Any:
    if not is_array(x):
        return lambda x, y, axis=None: 1.0
    kind = np.dtype(str(x.dtype)).type if isinstance(x.dtype, types.Float) else np.float64
    if is_none(axis):

        def of_all(x: Any, y: Any, axis: Any = None) -> Any:
            same = x == y
            if not np.any(same):
                same = same | np.isnan(x)
            return (same / max(np.sum(same), 1)).astype(kind)

        return of_all
    if not is_array(y) or y.ndim != x.ndim:
        return None

    def along_axis(x: Any, y: Any, axis: Any = None) -> Any:
        same = (x == y) * 1
        ties = sum_over(same, axis, True)
        if not np.all(ties):
            same = ((x == y) | np.isnan(x)) * 1
            ties = sum_over(same, axis, True)
        return (same / np.maximum(ties, 1)).astype(kind)

    return along_axis


@twin(runtime.others)
def _others(x: Any, y: Any, axis: Any = None) -> Any:
    if not is_none(axis) and not (is_array(x) and x.ndim == 1):
        return None

    def flat(x: Any, y: Any, axis: Any = None) -> Any:
        values = x.ravel()
        n = len(values)
        out = np.ones_like(values)
        after = 1.0
        for i in range(1, n):
            out[i] = out[i - 1] * values[i - 1]
        for i in range(n - 1, -1, -1):
            out[i] *= after
            after *= values[i]
        return out.reshape(x.shape)

    return flat


@twin(runtime.cumsum_adjoint)
def _cumsum_adjoint(g: Any, x: Any, axis: Any = None) -> Any:
    if not is_none(axis) and x.ndim != 1:
        return None

    def flat(g: Any, x: Any, axis: Any = None) -> Any:
        out = np.empty(x.size, g.dtype)
        total = 0.0
        for i in range(x.size - 1, -1, -1):
            total += g[i]
            out[i] = total
        return out.reshape(x.shape)

    return flat


@twin(runtime.cumprod_adjoint)
def _cumprod_adjoint(g: Any, x: Any, axis: Any = None) -> Any:
    if not is_none(axis) and x.ndim != 1:
        return None

    def flat(g: Any, x: Any, axis: Any = None) -> Any:
        values = x.ravel()
        ys, out = np.cumprod(values), np.empty(x.size, g.dtype)
        carry = 0.0
        for i in range(x.size - 1, -1, -1):
            carry += g[i]
            out[i] = carry * ys[i - 1] if i else carry
            carry *= values[i]
        return out.reshape(x.shape)

    return flat


@twin(runtime.diff_adjoint, prefer_literal=True)
def _diff_adjoint(g: Any, x: Any, n: Any = 1, axis: Any = -1) -> Any:
    if not has_literal(axis) or value_of(axis) % g.ndim != g.ndim - 1:
        return None

    def last(g: Any, x: Any, n: Any = 1, axis: Any = -1) -> Any:
        if g.shape[-1] == 0:
            return np.zeros(g.shape[:-1] + (x.shape[-1],), g.dtype)
        out = g.copy()
        for _ in range(n):
            wider = np.zeros(out.shape[:-1] + (out.shape[-1] + 1,), g.dtype)
            wider[..., 1:] += out
            wider[..., :-1] -= out
            out = wider
        return out

    return last


@twin(runtime.trapezoid_widths)
def _trapezoid_widths(x: Any) -> Any:
    def widths(x: Any) -> Any:
        out = np.zeros(len(x), np.float64)
        for i in range(len(x) - 1):
            half = (x[i + 1] - x[i]) / 2
            out[i] += half
            out[i + 1] += half
        return out

    return widths


@twin(runtime.trapezoid_weights)
def _trapezoid_weights(v: Any, axis: Any = -1) -> Any:
    if v.ndim != 1:
        return None

    def weights(v: Any, axis: Any = -1) -> Any:
        out = np.ones_like(v)
        if len(v):
            out[0] -= 0.5
            out[-1] -= 0.5
        return out

    return weights
