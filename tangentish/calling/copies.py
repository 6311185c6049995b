"""Deep copies of arguments that keep what a function can notice: strides, and which arrays share
memory.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from tangentish.asking.sharing import arrays_in


def copy_arguments(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of the values; arrays that overlap do so in the copies, with the same strides."""
    copies = _copy_arrays(list(arrays_in(values)))
    memo: dict[int, Any] = dict(copies)
    return tuple(copy.deepcopy(value, memo) for value in values)


def _copy_arrays(arrays: list[Any]) -> dict[int, Any]:
    """Copies by id for plain arrays of numbers; those whose extents meet are laid into one block of
    memory.
    """
    plain = [a for a in arrays if _is_plain(a)]
    copies: dict[int, Any] = {}
    for low, high in _merged(_bounds(a) for a in plain):
        block = np.empty(high - low, np.uint8)
        for a in plain:
            start, _ = _bounds(a)
            if low <= start < high:
                copies[id(a)] = _laid_into(block, a, _start(a) - low)
    return copies


def _is_plain(a: Any) -> bool:
    """Whether an array is numbers in memory of which no element is used twice."""
    repeats = any(stride == 0 and n > 1 for stride, n in zip(a.strides, a.shape, strict=True))
    return type(a) is np.ndarray and a.size > 0 and not a.dtype.hasobject and not repeats


def _merged(extents: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The extents in order, overlapping ones joined."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(extents):
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _bounds(a: Any) -> tuple[int, int]:
    low, high = np.lib.array_utils.byte_bounds(a)
    return int(low), int(high)


def _start(a: Any) -> int:
    """The address of the first element, which is not the lowest one where a stride is negative."""
    return int(a.__array_interface__["data"][0])


def _laid_into(block: Any, a: Any, offset: int) -> Any:
    copied = np.ndarray(a.shape, a.dtype, block, offset, a.strides)
    with np.errstate(all="ignore"):
        np.copyto(copied, a)
    copied.flags.writeable = a.flags.writeable
    return copied
