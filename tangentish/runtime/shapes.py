"""What a gradient needs to get the shape and type of what it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import SCALARS, Array, Shape


def is_array(x: Any) -> bool:
    """Whether `x` is an array, of numpy or on a device."""
    return isinstance(x, np.ndarray) or type(x).__module__ == "cupy"


def shape_of(x: Array) -> Shape:
    """The shape of an array, a scalar or nested lists."""
    found: Shape | None = getattr(x, "shape", None)
    if found is not None:
        return found
    return () if isinstance(x, SCALARS) else np.shape(x)


def unbroadcast(g: Array, x: Array) -> Array:
    """`g` in the shape of `x`, which was broadcast: summed down, or filled up where it is thinner than `x`.

    `g` itself where the shapes agree; for a number `x` a number, which nobody else can add to in place.
    """
    have, want = shape_of(g), shape_of(x)
    if have == want:
        return g if want or is_array(x) or not is_array(g) else g[()]
    if not want:
        return np.sum(g)
    extra = len(have) - len(want)
    if extra > 0:
        g, have = np.add.reduce(g, tuple(range(extra))), have[extra:]
        if have == want:
            return g
    axes, first = [], len(want) - len(have)
    for axis, length in enumerate(have):
        if want[first + axis] == 1 != length:
            axes.append(axis)
    if axes:
        g = np.add.reduce(g, tuple(axes), keepdims=True)
    return g if shape_of(g) == want else full(g, x)


def spread(g: Array, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """Put the axes of `x` that a reduction removed back into `g`, with length 1."""
    shape = shape_of(g)
    if keepdims or axis is None or not shape:
        return g
    rank = len(shape_of(x))
    axes = tuple(a % rank for a in (axis if isinstance(axis, tuple) else (axis,)))
    lengths = [1] * (rank - len(axes) - len(shape)) + list(
        shape
    )  # a thin gradient lacks leading axes
    for a in sorted(axes):
        lengths.insert(a, 1)
    return g.reshape(lengths)


def count(x: Array, axis: Any = None) -> int:
    """How many elements a reduction of `x` over `axis` takes together."""
    shape = shape_of(x)
    n = 1
    for a in range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        n *= shape[a]
    return n


def full(g: Array, x: Array) -> Array:
    """A fresh array with the shape (and, if it is one of floats, the dtype) of `x`, filled with `g`.

    For a scalar `x`, `g` itself, or a copy of an array of no axes.
    """
    shape = shape_of(x)
    if not shape:
        return g.copy() if getattr(g, "ndim", None) == 0 and not isinstance(g, np.generic) else g
    if getattr(x, "dtype", None) is None or x.dtype.kind not in "fc":
        return np.copy(np.broadcast_to(g, shape))  # never an array of integers for a gradient
    if x.dtype.kind == "f" and np.iscomplexobj(g):
        return np.full(shape, g)
    return np.full_like(x, g)


def cast(g: Array, x: Array) -> Array:
    """`g` with the dtype of `x`; only numpy's own types are changed. Never drops an imaginary part.

    As it is where `x` is of integers or bools among floats: no derivative is of their type.
    """
    dtype = getattr(x, "dtype", None)
    if dtype is None or dtype.kind not in "fc":
        return g
    if isinstance(g, SCALARS) and not isinstance(g, np.generic):
        return g if shape_of(x) else dtype.type(g)
    if g.dtype == dtype:
        return g
    if g.dtype.kind == "c" != dtype.kind:
        raise TypeError("a complex number meets a real one whose type was not known beforehand")
    return g.astype(dtype)


def of_floats(g: Array, dtype: Any) -> Array:
    """`g` where `dtype` is one of floats or None, zeros where it is another: those carry no derivative."""
    if dtype is None or np.dtype(dtype).kind in "fc":
        return g
    if np.dtype(dtype).kind == "O":
        raise TypeError("an array of objects holds a differentiated value: write a list")
    return np.multiply(g, 0.0)
