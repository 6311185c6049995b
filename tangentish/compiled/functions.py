"""What compiled code calls where NumPy's own way is none of Numba's; the same in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def add_at(x: Array, index: Any, v: Array) -> None:
    """`np.add.at(x, index, v)`"""
    np.add.at(x, index, v)


def array_of(items: Any) -> Array:
    """`np.array(items)`, of numbers, lists or arrays.

    Numba would fill the array itself where a loop appends to the list, and fails where it appends to another one, too.
    """
    return np.array(items)


def backwards(items: Any) -> Any:
    """The items in reverse order, which can be looked at more than once."""
    return items[::-1]


def first(numbers: Any, count: int) -> Any:
    """The first numbers of a range, as many as a loop went through."""
    return numbers[:count]


def padded(x: Array, width: int) -> Array:
    """`np.pad(x, width)`"""
    return np.pad(x, width)


def set_zero(xs: Any, k: Any) -> None:
    """`xs[k] = 0`, where a list holds zeros in the shape of what it held."""
    xs[k] = 0


def pop(tape: list[Any]) -> Any:
    """`tape.pop()`, where the list keeps its memory."""
    return tape.pop()


def pop_at(items: list[Any], k: int) -> Any:
    """`items.pop(k)`: Numba's own counts what is left twice, and frees what is still held."""
    return items.pop(k)


def sum_over(x: Array, axis: Any, keepdims: bool) -> Array:
    """`np.sum(x, axis, keepdims=keepdims)`"""
    return np.sum(x, axis=axis, keepdims=keepdims)


def mean_over(x: Array, axis: Any, keepdims: bool) -> Array:
    """`np.mean(x, axis, keepdims=keepdims)`"""
    return np.mean(x, axis=axis, keepdims=keepdims)


def power(base: Any, exponent: Any) -> Any:
    """`base ** exponent`; of integers only where the exponent is not negative, which gives a float in Python."""
    return base**exponent


def largest(items: Any) -> Any:
    """`max(items)`: Numba's own raises a StopIteration where there are none."""
    return max(items)


def smallest(items: Any) -> Any:
    """`min(items)`"""
    return min(items)


def order_of(values: Any, reverse: bool = False) -> list[int]:
    """The places of the values in their order; those of equal ones as they stand."""
    return sorted(range(len(values)), key=lambda k: values[k], reverse=reverse)


def ordered(values: Any, key: Any = None, reverse: bool = False) -> list[Any]:
    """`sorted`, which leaves what is equal as it stands: Numba's own does not."""
    return sorted(values, key=key, reverse=reverse)
