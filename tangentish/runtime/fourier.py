"""Adjoints of Fourier transforms that give, or take, half of what a real signal's transform is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from tangentish.runtime.types import Array

_Norm = Literal["backward", "ortho", "forward"]
_OTHER: dict[str | None, _Norm] = {
    None: "forward",
    "backward": "forward",
    "forward": "backward",
    "ortho": "ortho",
}


def resized(g: Array, x: Array, axis: int | Sequence[int] = -1) -> Array:
    """`g` cut off, or filled up with zeros, to the length of `x` along an axis or several, as transforms do first."""
    if isinstance(axis, Sequence):
        for each in axis:
            g = resized(g, x, each)
        return g
    n, have = x.shape[axis], g.shape[axis]
    if n < have:
        return np.moveaxis(np.moveaxis(g, axis, 0)[:n], 0, axis)
    widths = [(0, 0)] * g.ndim
    widths[axis] = (0, n - have)
    return np.pad(g, widths) if n > have else g


def irfft_adjoint(g: Array, x: Array, axis: int = -1, norm: str | None = None) -> Array:
    """The gradient of `np.fft.irfft(x, n, axis, norm)`, where all but the ends of x count twice."""
    n = g.shape[axis]
    half = np.conj(np.fft.rfft(g, axis=axis, norm=_OTHER[norm]))
    np.moveaxis(half, axis, 0)[1 : (n + 1) // 2] *= 2
    return resized(half, x, axis)


def rfftn_adjoint(
    g: Array,
    x: Array,
    axes: Sequence[int] | None = None,
    norm: Any = None,
    s: Sequence[int] | None = None,
) -> Array:
    """The gradient of `np.fft.rfftn(x, s, axes, norm)` for a real x of these lengths."""
    each = tuple(range(x.ndim) if axes is None else axes)
    return np.real(np.fft.fftn(g, [x.shape[a] for a in each] if s is None else s, each, norm))


def weigh_ends(x: Array, first: float, last: float, axis: int | Sequence[int] | None = -1) -> Array:
    """`x` with the first and the last element along an axis times these, or along each of several, or of all."""
    weighed = np.array(x)
    for each in range(x.ndim) if axis is None else np.atleast_1d(axis):
        ends = np.moveaxis(weighed, each, 0)
        ends[0] *= first
        ends[-1] *= last
    return weighed


def transformed_axes(
    x: Array, s: int | Sequence[int] | None, axes: int | Sequence[int] | None
) -> Sequence[int]:
    """The axes along which `x` is transformed: as named, or the last ones, as many as there are lengths, or all."""
    if axes is None:
        return range(-(x.ndim if s is None else np.size(s)), 0)
    return [int(axis) for axis in np.atleast_1d(axes)]


def irfftn_adjoint(
    g: Array, x: Array, axes: Sequence[int] | None = None, norm: Any = None
) -> Array:
    """The gradient of `np.fft.irfftn(x, s, axes, norm)`."""
    *first, last = range(x.ndim) if axes is None else axes
    d = irfft_adjoint(g, x, last, norm)
    if first:
        d = np.fft.ifftn(d, axes=first, norm=norm)
    for axis in first:
        d = resized(d, x, axis)
    return d
