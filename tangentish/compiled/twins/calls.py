"""Twins of what compiled text calls in place of NumPy (functions.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from tangentish.compiled import functions
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import has_literal, is_array, is_none, is_number, value_of
from tangentish.compiled.twins.written import INDENT, loops, written


@twin(functions.power)
def _power(base: Any, exponent: Any) -> Any:
    if not (_is_integer(base) and _is_integer(exponent)):
        return lambda base, exponent: base**exponent

    def checked(base: Any, exponent: Any) -> Any:
        if exponent < 0:
            raise ValueError(
                "an integer to a negative power is a float: write float(base) ** exponent"
            )
        return base**exponent

    return checked


def _is_integer(one: Any) -> bool:
    return isinstance(one, (types.Integer, types.Boolean))


@twin(functions.array_of)
def _array_of(items: Any) -> Any:
    if isinstance(items, types.List) and is_array(items.dtype):
        none, dtype = (0,) * (items.dtype.ndim + 1), items.dtype.dtype

        def stacked(items: Any) -> Any:
            if len(items) == 0:
                return np.empty(none, dtype)
            out = np.empty((len(items), *items[0].shape), dtype)
            for k, item in enumerate(items):
                out[k] = item
            return out

        return stacked
    return lambda items: np.array(items)


@twin(functions.backwards)
def _backwards(items: Any) -> Any:
    if isinstance(items, types.RangeType):

        def turned(items: Any) -> Any:
            n = len(items)
            return range(items.start + (n - 1) * items.step, items.start - items.step, -items.step)

        return turned
    return lambda items: items[::-1]


@twin(functions.first)
def _first(numbers: Any, count: Any) -> Any:
    if not isinstance(numbers, types.RangeType):
        return None

    def begun(numbers: Any, count: Any) -> Any:
        start, step = numbers.start, numbers.step
        return range(start, start + min(count, len(numbers)) * step, step)

    return begun


# ------------------------------------------------------------------------------ sums over axes


@twin(functions.sum_over, prefer_literal=True)
def _sum_over(x: Any, axis: Any, keepdims: Any) -> Any:
    axes = _axes(x, axis)
    if axes is None or not has_literal(keepdims):
        return None
    kept = value_of(keepdims)
    place = [("0" if k in axes else f"i{k}") for k in range(x.ndim) if kept or k not in axes]
    shape = [
        ("1" if k in axes else f"x.shape[{k}]") for k in range(x.ndim) if kept or k not in axes
    ]
    index = ", ".join(f"i{k}" for k in range(x.ndim))
    if not shape:
        return lambda x, axis, keepdims: np.sum(x)
    lines = [f"out = np.zeros(({', '.join(shape)},), x.dtype)"]
    lengths = [f"x.shape[{k}]" for k in range(x.ndim)]
    lines += loops(lengths, f"out[{', '.join(place)}] += x[{index}]")
    return written("x, axis, keepdims", [*lines, "return out"])


@twin(functions.mean_over, prefer_literal=True)
def _mean_over(x: Any, axis: Any, keepdims: Any) -> Any:
    axes = _axes(x, axis)
    if axes is None:
        return None
    count = " * ".join(f"x.shape[{k}]" for k in axes)
    lines = [f"return sum_over(x, axis, keepdims) / ({count})"]
    return written("x, axis, keepdims", lines, sum_over=functions.sum_over)


def _axes(x: Any, axis: Any) -> tuple[int, ...] | None:
    """The axes that a constant names."""
    if not is_array(x):
        return None
    if is_none(axis):
        return tuple(range(x.ndim))
    if isinstance(axis, types.BaseTuple):
        if not all(map(has_literal, axis)):
            return None
        return tuple(value_of(one) % x.ndim for one in axis)
    return (value_of(axis) % x.ndim,) if has_literal(axis) else None


# ------------------------------------------------------------------------------ adding at places


@twin(functions.padded)
def _padded(x: Any, width: Any) -> Any:
    if not is_array(x) or x.ndim != 1:
        return None

    def between(x: Any, width: Any) -> Any:
        out = np.zeros(len(x) + 2 * width, x.dtype)
        out[width : width + len(x)] = x
        return out

    return between


@twin(functions.add_at)
def _add_at(x: Any, index: Any, v: Any) -> Any:
    if not is_array(x):
        return None
    indices = list(index) if isinstance(index, types.BaseTuple) else [index]
    arrays = [k for k, one in enumerate(indices) if is_array(one)]
    ranks = {indices[k].ndim for k in arrays}
    if len(ranks) > 1 or not all(map(_is_place, indices)):
        return _add_at_positions(v)
    if not arrays or len(indices) > x.ndim:
        return None
    (rank,) = ranks
    name = "index[{k}]" if isinstance(index, types.BaseTuple) else "index"
    places = [f"j{k}" for k in range(len(indices))]
    each = ", ".join(f"i{k}" for k in range(rank))
    lines = [f"n{k} = {name.format(k=k)}" for k in range(len(indices))]
    first = f"n{arrays[0]}"
    lines += [
        f"if n{k}.shape != {first}.shape:" + " raise ValueError('shapes of indices differ')"
        for k in arrays[1:]
    ]
    lines += [f"{INDENT * k}for i{k} in range({first}.shape[{k}]):" for k in range(rank)]
    inner = [f"{p} = n{k}[{each}]" if k in arrays else f"{p} = n{k}" for k, p in enumerate(places)]
    target = f"x[{', '.join(places)}]"
    inner += [f"{target} = {target} + {_value(x, v, len(indices), rank, each)}"]
    return written("x, index, v", [*lines, *(INDENT * rank + line for line in inner)])


def _is_place(one: Any) -> bool:
    return isinstance(getattr(one, "dtype", one), types.Integer)


def _add_at_positions(v: Any) -> Any:
    """Places that slices choose as well: they are where their positions are."""

    def scalar(x: Any, index: Any, v: Any) -> Any:
        for k in np.arange(x.size).reshape(x.shape)[index].flat:
            x.flat[k] += v

    def several(x: Any, index: Any, v: Any) -> Any:
        at = np.arange(x.size).reshape(x.shape)[index]
        values = np.broadcast_to(v, at.shape).copy()
        for k, value in zip(at.flat, values.flat):
            x.flat[k] += value

    return scalar if is_number(v) else several


def _value(x: Any, v: Any, count: int, rank: int, each: str) -> str:
    """What is added at the place at hand: `v` is broadcast to the shape of the places."""
    rest = x.ndim - count
    if is_number(v) or v.ndim == 0:
        return "v" if is_number(v) else "v[()]"
    if v.ndim == rank + rest:
        index = [f"(i{k} if v.shape[{k}] != 1 else 0)" for k in range(rank)]
        return f"v[{', '.join(index)}]"
    return "v" if v.ndim <= rest else f"v[{each}]"
