"""Linear recurrences along an axis, `y[i] = h[i] + k[i] * y[i - 1]`: by them soft maxima move that run on."""

from __future__ import annotations

import numpy as np

from tangentish.runtime.types import Array


def recurrence(h: Array, k: Array, axis: int = 0) -> Array:
    """`y` with `y[i] = h[i] + k[i] * y[i - 1]` along an axis; the first is that of `h`."""
    hs, ks = np.moveaxis(h, axis, 0), np.moveaxis(k, axis, 0)
    ys = hs.astype(np.result_type(hs, ks))
    for i in range(1, len(ys)):
        ys[i] += ks[i] * ys[i - 1]
    return np.moveaxis(ys, 0, axis)


def recurrence_adjoint(h: Array, k: Array, axis: int = 0) -> Array:
    """The gradient of `h` in `recurrence(h, k, axis)`: the same from the end."""
    return np.flip(recurrence(np.flip(h, axis), one_behind(np.flip(k, axis), axis), axis), axis)


def one_behind(x: Array, axis: int = 0, first: float = 0.0) -> Array:
    """What stands one place before along an axis; `first` before the first."""
    xs = np.moveaxis(x, axis, 0)
    return np.moveaxis(np.concatenate((np.full_like(xs[:1], first), xs[:-1])), 0, axis)


def one_ahead(x: Array, axis: int = 0) -> Array:
    """What stands one place behind along an axis; 0 behind the last."""
    return np.flip(one_behind(np.flip(x, axis), axis), axis)
