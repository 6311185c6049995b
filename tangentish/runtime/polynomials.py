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


def polymul_adjoint(g: Array, p: Array, q: Array) -> Array:
    """The gradient of `p` in `np.polymul(p, q)`; nan for zeros that lead it, whose powers the product leaves out."""
    first, second = np.atleast_1d(p), np.atleast_1d(q)
    left_out = len(first) + len(second) - 1 - len(g)
    dp = np.correlate(np.pad(g, (left_out, 0)), second, "valid")
    dp[: len(first) - max(len(np.trim_zeros(first, "f")), 1)] = np.nan
    return np.reshape(dp, np.shape(p))


def polydiv_adjoint(g: Any, y: Any, u: Array, v: Array) -> Array:
    """The gradient of `u` in `y = np.polydiv(u, v)`; nan where zeros that lead the remainder are left out."""
    n = max(len(u) - len(v) + 1, 0)  # how many coefficients of u make the quotient
    rest = np.zeros(len(u), u.dtype)
    if g[1] is not None:
        rest[n:] = np.pad(g[1], (len(u) - len(y[1]), 0), constant_values=np.nan)[n:]
    if n == 0:
        return rest
    moved = -np.correlate(rest, v, "valid")
    if g[0] is not None:
        moved = moved + g[0]
    turned = np.polydiv(np.pad(moved[::-1], (0, len(v) - 1)), v)[0]
    return np.append(turned[::-1], rest[n:])


def polydiv_right(du: Array, y: Any, v: Array) -> Array:
    """The gradient of `v` in `y = np.polydiv(u, v)`, by that of `u`."""
    return -np.correlate(du, y[0], "valid") if len(du) >= len(v) else np.zeros_like(v)


def polydiv_rest_tangent(u_dot: Array, y: Any, v: Array) -> Array:
    """The tangent of the remainder in `y = np.polydiv(u, v)` where `u` moves."""
    rest = np.polysub(u_dot, np.convolve(v, np.polydiv(u_dot, v)[0]))
    rest[: max(len(u_dot) - len(v) + 1, 0)] = 0
    return trimmed_like(rest, y[1])


def trimmed_like(x: Array, y: Array) -> Array:
    """The tangent of a polynomial `y` that leaves out leading zeros; nan where these move, which `y` can't tell."""
    left_out = len(x) - len(y)
    return np.full_like(y, np.nan) if np.any(x[:left_out]) else x[left_out:]


def poly_adjoint(g: Array, r: Array) -> Array:
    """The gradient of the roots in `np.poly(r)`."""
    slopes = [-np.sum(g[1:] * np.poly(np.concatenate((r[:i], r[i + 1 :])))) for i in range(len(r))]
    return np.array(slopes, np.asarray(g).dtype)  # of no roots it is a number


def fit_matrix(x: Array, deg: int, rcond: float | None = None, w: Array | None = None) -> Array:
    """The matrix that gives the coefficients `np.polyfit(x, v, deg, rcond, w=w)`, as a product with `v`."""
    powers, scale, cut = _powers(x, deg, rcond, w)
    found = np.linalg.pinv(powers / scale, cut) / scale[:, None]
    return found if w is None else found * np.asarray(w)


def _powers(x: Array, deg: int, rcond: float | None, w: Array | None) -> tuple[Array, Array, float]:
    """The powers of `x` that `np.polyfit` weighs, their lengths, and what it takes for zero among them."""
    x = np.asarray(x) + 0.0
    powers = np.vander(x, deg + 1) if w is None else np.vander(x, deg + 1) * np.asarray(w)[:, None]
    cut = len(x) * (np.nextafter(x.dtype.type(1), 2) - 1) if rcond is None else rcond
    return powers, np.sqrt(np.sum(powers * powers, axis=0)), cut


def determined(x: Array, deg: int, rcond: float | None = None, w: Array | None = None) -> Array:
    """`x`, where it determines what `np.polyfit(x, v, deg, rcond, w=w)` gives; else that moves in another way."""
    powers, scale, cut = _powers(x, deg, rcond, w)
    if np.linalg.matrix_rank(powers / scale, cut) <= deg:
        raise ValueError(
            "np.polyfit has too few places for its degree: how it moves with them is not known"
        )
    return x


def fit_adjoint(g: Array, x: Array, deg: int, rcond: float | None = None) -> Array:
    """The gradient of `v` in `np.polyfit(x, v, deg, rcond)`."""
    return fit_matrix(x, deg, rcond).T @ g


def weighted_fit_adjoint(
    g: Array, x: Array, w: Array, deg: int, rcond: float | None = None
) -> Array:
    """The gradient of `v` in `np.polyfit(x, v, deg, rcond, w=w)`."""
    return fit_matrix(x, deg, rcond, w).T @ g


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
