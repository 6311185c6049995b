"""Polynomials and convolution."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def _span(x: Array, w: Array, mode: str, correlates: bool) -> tuple[int, int]:
    """Where in a full convolution the result of this mode lies."""
    short, long = sorted((len(x), len(w)))
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    if correlates and mode == "same" and len(x) < len(w):
        start = short // 2  # numpy swaps the two, and reverses
    return start, {"full": short + long - 1, "same": long, "valid": long - short + 1}[mode]


def widened(g: Array, x: Array, w: Array, mode: str, correlates: bool = False) -> Array:
    """The gradient of a convolution in full: the other modes give a part of it."""
    start, n = _span(x, w, mode, correlates)
    return np.pad(g, (start, len(x) + len(w) - 1 - start - n))


def narrowed(g: Array, x: Array, w: Array, mode: str, correlates: bool = False) -> Array:
    """The part of a full convolution that this mode gives."""
    start, n = _span(x, w, mode, correlates)
    return g[start : start + n]


def poly_adjoint(g: Array, r: Array) -> Array:
    """The gradient of the roots in `np.poly(r)`."""
    slopes = [-np.sum(g[1:] * np.poly(np.concatenate((r[:i], r[i + 1 :])))) for i in range(len(r))]
    return np.array(slopes, np.asarray(g).dtype)  # of no roots it is a number


def fit_matrix(x: Array, deg: int, rcond: float | None = None, w: Array | None = None) -> Array:
    """The matrix that gives the coefficients `np.polyfit(x, v, deg, rcond, w=w)`, as a product with `v`."""
    x = np.asarray(x) + 0.0
    powers = np.vander(x, deg + 1) if w is None else np.vander(x, deg + 1) * np.asarray(w)[:, None]
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    cut = len(x) * (np.nextafter(x.dtype.type(1), 2) - 1) if rcond is None else rcond
    found = np.linalg.pinv(powers / scale, cut) / scale[:, None]
    return found if w is None else found * np.asarray(w)


def uncentred(g: Array, w: Array, late: bool = False, axes: Any = None) -> Array:
    """The gradient of `scipy.signal.convolve(x, w, "same")` in full; `late`: of `correlate2d`, which starts later."""
    along = range(w.ndim) if axes is None else np.atleast_1d(np.mod(axes, w.ndim))
    # What broadcasts along another axis is cut to the one place that the first operand has there, too.
    lengths = [
        n if k in along or m == 1 else 1
        for k, (m, n) in enumerate(zip(g.shape, w.shape, strict=True))
    ]
    return np.pad(g, [((n - 1 + late) // 2, (n - late) // 2) for n in lengths])


def edges_for(w: Array, mode: str) -> list[tuple[int, int]]:
    """How many elements `scipy.signal.convolve2d(x, w, mode)` needs beyond the edges of `x`."""
    return [(n - 1, n - 1) if mode == "full" else (n // 2, (n - 1) // 2) for n in w.shape]


def window_edges(w: Array, correlates: bool = False) -> list[tuple[int, int]]:
    """How many elements `scipy.ndimage.convolve(x, w)`, or `correlate`, needs beyond the edges of `x`."""
    edges = [((n - 1) // 2, n // 2) for n in w.shape]
    return [(b, a) for a, b in edges] if correlates else edges


def uncut(g: Array, x: Array, w: Array, axes: Any = None) -> Array:
    """The gradient of `scipy.signal.convolve(x, w, "valid")` in full; `axes`: of `fftconvolve` along these."""
    along = range(w.ndim) if axes is None else np.atleast_1d(np.mod(axes, w.ndim))
    lengths = enumerate(zip(x.shape, w.shape, strict=True))
    return np.pad(g, [(min(n, m) - 1 if k in along else 0,) * 2 for k, (n, m) in lengths])
