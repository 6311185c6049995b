"""Keys of arguments that cost next to nothing to make: calls are found again by them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy import ndarray

from tangentish.kinds.devices import is_device_array

__all__ = ["exact_key"]

# Numbers whose type says all about their kind.
_NUMBERS = frozenset(
    {float, bool, complex, type(None), np.bool_}
    | {np.float16, np.float32, np.float64, np.complex64, np.complex128}
    | {np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64}
)


def exact_key(args: tuple[object, ...]) -> Hashable:
    """A key that is equal only for arguments of equal kinds, or None where it is not that simple.

    Every array adds its shape, dtype and layout, every number its type; the integers 0 and 1, which are
    lengths that broadcast in their own way, add themselves.
    """
    key: list[Any] = []
    for value in args:
        kind = type(value)
        if kind is ndarray:
            key.append(value.shape)  # type: ignore[attr-defined]
            key.append(value.dtype)  # type: ignore[attr-defined]
            key.append(value.flags.c_contiguous)  # type: ignore[attr-defined]
        elif kind in _NUMBERS:
            key.append(kind)
        elif kind is int:
            key.append(value if 0 <= value <= 1 else int)  # type: ignore[operator]
        elif is_device_array(value):
            key += (kind, value.shape, value.dtype, value.flags.c_contiguous)
        else:
            return None
    return tuple(key)
