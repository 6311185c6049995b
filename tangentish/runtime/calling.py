"""Functions of NumPy that call a function of the user's, or give lists, as the loops that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any

__all__ = ["apply_along_axis", "apply_over_axes", "elements", "rows"]


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Array, *args: Any, **kwargs: Any
) -> Array:
    """`np.apply_along_axis`, of functions that give numbers or vectors."""
    rows = np.moveaxis(np.asarray(arr), axis, -1)
    vectors = rows.reshape(-1, rows.shape[-1])
    results = [func1d(v, *args, **kwargs) for v in vectors]
    if isinstance(results[0], int):  # NumPy makes integers of all others
        raise TypeError("np.apply_along_axis rounds all results where the first is an int")
    values = np.array(results)
    result = values.reshape(rows.shape[:-1] + values.shape[1:])
    if result.ndim < rows.ndim:
        return result
    return np.moveaxis(result, -1, axis)


def apply_over_axes(func: Callable[..., Any], a: Array, axes: Any) -> Array:
    """`np.apply_over_axes`."""
    result = np.asarray(a)
    for axis in axes:
        reduced = func(result, axis)
        result = reduced if reduced.ndim == result.ndim else np.expand_dims(reduced, axis)
    return result


def elements(x: Array) -> list[float]:
    """`x.tolist()` of a vector."""
    return [float(v) for v in x]


def rows(x: Array) -> list[list[float]]:
    """`x.tolist()` of a matrix."""
    return [[float(v) for v in row] for row in x]


def in_order(values: Any, reverse: bool = False) -> list[Any]:
    """`sorted(values)`."""
    order = sorted(range(len(values)), key=lambda k: values[k], reverse=reverse)
    return [values[k] for k in order]


def in_order_of(values: Any, key: Callable[..., Any], reverse: bool = False) -> list[Any]:
    """`sorted(values, key=key)`."""
    order = sorted(range(len(values)), key=lambda k: key(values[k]), reverse=reverse)
    return [values[k] for k in order]


def largest(values: Any) -> Any:
    """`max(values)`, of tuples."""
    return values[max(range(len(values)), key=lambda k: values[k])]


def smallest(values: Any) -> Any:
    """`min(values)`, of tuples."""
    return values[min(range(len(values)), key=lambda k: values[k])]


def largest_by(values: Any, key: Callable[..., Any]) -> Any:
    """`max(values, key=key)`."""
    return values[max(range(len(values)), key=lambda k: key(values[k]))]


def smallest_by(values: Any, key: Callable[..., Any]) -> Any:
    """`min(values, key=key)`."""
    return values[min(range(len(values)), key=lambda k: key(values[k]))]
