"""Arrays on a device: cupy.ndarray, known by its name, so that cupy need not be imported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np


def is_device_array(value: Any) -> TypeGuard[np.ndarray]:
    """Whether a value is just a cupy.ndarray."""
    kind = type(value)
    return kind.__name__ == "ndarray" and kind.__module__ == "cupy"


def is_array(value: Any) -> TypeGuard[np.ndarray]:
    """Whether a value is just an array of numpy or cupy."""
    return type(value) is np.ndarray or is_device_array(value)


def on_device(arrays: Iterable[object]) -> bool:
    """Whether the arrays of a call are on a device; TypeError if only some are."""
    found = [is_device_array(array) for array in arrays]
    if any(found) and not all(found):
        raise TypeError(
            "some arguments are arrays of numpy, others of cupy, which do not meet: pass all of one"
        )
    return any(found)
