"""Twins of runtime/shapes.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import has_literal, is_array, is_none, is_number, value_of
from tangentish.compiled.twins.written import loops, written


@twin(runtime.unbroadcast)
def _unbroadcast(g: Any, x: Any) -> Any:
    if is_number(x):
        if is_array(g):
            return (lambda g, x: g[()]) if g.ndim == 0 else (lambda g, x: np.sum(g))
        return lambda g, x: g
    if not is_array(x):
        return lambda g, x: g
    if not is_array(g):
        return lambda g, x: runtime.full(g, x)
    rank = max(g.ndim, x.ndim)
    before_g, before_x = rank - g.ndim, rank - x.ndim
    place = ", ".join(_index("x", k, before_x + k) for k in range(x.ndim))
    source = ", ".join(_index("g", k, before_g + k) for k in range(g.ndim))
    lengths = [_length(k - before_g, k - before_x) for k in range(rank)]
    lines = ["if g.shape == x.shape:", "    return g"] if g.ndim == x.ndim else []
    lines += ["out = np.zeros(x.shape, g.dtype)"]
    lines += loops(lengths, f"out[{place or '()'}] += g[{source or '()'}]")
    return written("g, x", [*lines, "return out"])


def _index(array: str, axis: int, counter: int) -> str:
    """The place along an axis of what was broadcast, or not."""
    return f"(i{counter} if {array}.shape[{axis}] != 1 else 0)"


def _length(of_g: int, of_x: int) -> str:
    """The length of an axis to which both broadcast, by the number that it has in each: negative, where it lacks."""
    if of_g < 0:
        return f"x.shape[{of_x}]"
    if of_x < 0:
        return f"g.shape[{of_g}]"
    return f"(x.shape[{of_x}] if g.shape[{of_g}] == 1 else g.shape[{of_g}])"


@twin(runtime.full)
def _full(g: Any, x: Any) -> Any:
    if isinstance(x, types.Optional) and is_array(x.type):
        return _full_if_there(x.type)
    if not is_array(x) or x.ndim == 0:
        return lambda g, x: g
    if isinstance(x.dtype, types.Float):

        def alike(g: Any, x: Any) -> Any:
            out = np.empty(x.shape, x.dtype)
            out[:] = g
            return out

        return alike

    def floats(g: Any, x: Any) -> Any:
        out = np.empty(x.shape, np.float64)
        out[:] = g
        return out

    return floats


def _full_if_there(x: Any) -> Any:
    """Where a variable has no value on this way, its gradient is not read."""
    shape, dtype = (0,) * x.ndim, x.dtype if isinstance(x.dtype, types.Float) else types.float64

    def alike(g: Any, x: Any) -> Any:
        if x is None:
            return np.zeros(shape, dtype)
        return runtime.full(g, x.reshape(x.shape))

    return alike


@twin(runtime.cast)
def _cast(g: Any, x: Any) -> Any:
    if is_array(g) and is_array(x):
        same = g.dtype == x.dtype
        return (lambda g, x: g) if same else (lambda g, x: g.astype(x.dtype))
    if is_array(x):
        return lambda g, x: g
    if isinstance(x, types.Float) and is_number(g):
        kind = np.dtype(str(x)).type
        return lambda g, x: kind(g)
    return lambda g, x: g


@twin(runtime.spread, prefer_literal=True)
def _spread(g: Any, x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    if not is_array(g) or g.ndim == 0 or is_none(axis):
        return lambda g, x, axis=None, keepdims=False: g
    if not has_literal(keepdims) or g.ndim > x.ndim:
        return None
    if value_of(keepdims):
        return lambda g, x, axis=None, keepdims=False: g
    if isinstance(axis, types.Integer) and g.ndim == x.ndim - 1:
        rank = x.ndim
        return lambda g, x, axis=None, keepdims=False: np.expand_dims(g, axis % rank)
    return None


@twin(runtime.count)
def _count(x: Any, axis: Any = None) -> Any:
    if is_number(x):
        return lambda x, axis=None: 1
    if is_none(axis):
        return lambda x, axis=None: x.size
    if isinstance(axis, types.Integer):
        return lambda x, axis=None: x.shape[axis]
    if isinstance(axis, types.UniTuple):

        def several(x: Any, axis: Any = None) -> Any:
            n = 1
            for a in axis:
                n *= x.shape[a]
            return n

        return several
    return None
