"""Head gradients that a caller gives."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.shapes import shape_of
from tangentish.runtime.types import Array


def head_like(dy: Array, y: Array) -> Array:
    """The head gradient of a result like `y`, in its dtype: ones where the caller gives none.

    TypeError for what is no real number or array of them, ValueError for another shape.
    """
    if dy is None:
        ones = np.ones_like(y)
        return ones if isinstance(y, np.ndarray) else ones[()]
    dtype = getattr(dy, "dtype", None)
    if not (type(dy) in (int, float) if dtype is None else dtype.kind in "fiu"):
        raise TypeError(f"the head gradient must be of floats, not {type(dy).__name__}")
    if shape_of(dy) != shape_of(y):
        raise ValueError(f"the head gradient has shape {shape_of(dy)}, the value {shape_of(y)}")
    kind = getattr(y, "dtype", None)
    if kind is None:
        return float(dy)
    return kind.type(dy) if dtype is None else dy.astype(kind)
