"""Twins of runtime/arrangement.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import has_literal, is_array, is_none, is_number, value_of
from tangentish.compiled.twins.written import written


@twin(runtime.inverse, prefer_literal=True)
def _inverse(axes: Any) -> Any:
    if not isinstance(axes, types.BaseTuple) or not all(map(has_literal, axes)):
        return None
    order = [value_of(axis) % len(axes) for axis in axes]
    back = tuple(order.index(axis) for axis in range(len(axes)))
    return lambda axes: back


@twin(runtime.part, prefer_literal=True)
def _part(g: Any, xs: Any, k: Any, axis: Any = 0) -> Any:
    known = isinstance(xs, types.BaseTuple) and has_literal(k) and has_literal(axis)
    if not known or is_none(axis) or not is_array(g):
        return None
    place, along = value_of(k), value_of(axis) % g.ndim

    def length(j: int) -> str:
        return f"xs[{j}].shape[{along}]" if is_array(xs[j]) and xs[j].ndim == g.ndim else "1"

    start = " + ".join(map(length, range(place))) or "0"
    one = xs[place]
    if is_number(one) or one.ndim < g.ndim:
        index = ", ".join([":"] * along + ["start"])
        return written("g, xs, k, axis=0", [f"start = {start}", f"return g[{index}]"])
    index = ", ".join([":"] * along + [f"start:start + {length(place)}"])
    return written("g, xs, k, axis=0", [f"start = {start}", f"return g[{index}]"])


@twin(runtime.join)
def _join(g: Any, ys: Any, axis: Any = 0, places: Any = None, shape: Any = None) -> Any:
    if isinstance(g, types.List) and is_array(g.dtype):
        joined = _one_after_another if g.dtype.ndim == 1 else _joined
    elif isinstance(g, types.BaseTuple) and all(map(is_array, ys)):
        parts = (
            f"np.zeros_like(ys[{k}])" if is_none(one) else f"g[{k}]" for k, one in enumerate(g)
        )
        joined = written("g, ys, axis", [f"return np.concatenate(({', '.join(parts)},), axis)"])
    else:
        return None
    joined = register_jitable(joined)
    if is_none(shape):
        return lambda g, ys, axis=0, places=None, shape=None: joined(g, ys, axis)

    def apart(g: Any, ys: Any, axis: Any = 0, places: Any = None, shape: Any = None) -> Any:
        found = joined(g, ys, axis)
        if found.shape != shape:
            raise ValueError("parts of a split overlap, which compiled code does not add up")
        return found

    return apart


def _one_after_another(g, ys, axis):  # type: ignore[no-untyped-def]
    """Vectors, of which there are as many as is known when this runs."""
    out = np.empty(sum([len(part) for part in g]), g[0].dtype)
    start = 0
    for part in g:
        out[start : start + len(part)] = part
        start += len(part)
    return out


def _joined(g, ys, axis):  # type: ignore[no-untyped-def]
    out = g[0]
    for k in range(1, len(g)):
        out = np.concatenate((out, g[k]), axis)
    return out


@twin(runtime.repeat_adjoint)
def _repeat_adjoint(g: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
    if not is_none(axis) or not isinstance(repeats, types.Integer) or not is_array(x):
        return None

    def together(g: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
        out = np.zeros(x.size, g.dtype)
        for k in range(x.size):
            for j in range(repeats):
                out[k] += g[k * repeats + j]
        return out.reshape(x.shape)

    return together
