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
