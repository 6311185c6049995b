"""Slopes of `scipy.ndimage.map_coordinates`: of values between the pixels of an image, by splines of orders 0 to 5.

A spline is a sum of bells around all pixels, whose heights are found by a filter, for orders from 2 on. Beyond its
edges an image goes on as `mode` says: what stands there is read at a place inside, or by bells beyond the edge. `nu`
says which derivative, one number for each axis; places are given as there, one array of coordinates for each axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.interpolants import raised
from tangentish.runtime.padding import pad_adjoint
from tangentish.runtime.types import Array

REACHED = 6
"""So many pixels beyond each edge are reached by bells of order 5, from three pixels beyond it."""
FAR = 12
"""So many SciPy puts around an image that goes on as its edge, or as zeros, before it is filtered."""
AROUND = {"nearest": "edge", "grid-constant": "constant"}
"""What it puts there, for np.pad."""
FEW = 32
"""Fewer pixels are filtered by a matrix, where the ends of a reflected image come out inexact."""


def image_slope(
    x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = (),
    order: int = 1, prefilter: bool = True,
) -> Array:  # fmt: skip
    """The derivatives nu of the values of the image `x` at `places`, linear in the image; 0 where a constant stands."""
    if not np.size(x):
        return np.zeros(np.shape(places)[1:])
    weights = _weights(np.shape(x), places, mode, nu, order)
    heights = _heights(np.asarray(x, float), mode, order, prefilter)
    return np.reshape(weights @ np.ravel(heights), np.shape(places)[1:])


def image_adjoint(
    h: Array, x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = (),
    order: int = 1, prefilter: bool = True,
) -> Array:  # fmt: skip
    """The gradient of the image `x` in `image_slope(x, places, mode, nu, order, prefilter)`."""
    if not np.size(x):
        return np.zeros(np.shape(x))
    weights = _weights(np.shape(x), places, mode, nu, order)
    heights = np.reshape(weights.T @ np.ravel(h), [n + 2 * _margin(mode) for n in np.shape(x)])
    return _heights_adjoint(heights, x, mode, order, prefilter)


def image_places_adjoint(
    g: Array, x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = (),
    order: int = 1, prefilter: bool = True,
) -> Array:  # fmt: skip
    """The gradient of the places in `image_slope(x, places, mode, nu, order, prefilter)`."""
    along = [raised(nu, j, places) for j in range(len(places))]
    return np.array([g * image_slope(x, places, mode, more, order, prefilter) for more in along])


def _heights(x: Array, mode: str, order: int, prefilter: bool) -> Array:
    """How high the bells are around the pixels, and around those beyond the edges that are reached."""
    from scipy.ndimage import spline_filter  # noqa: PLC0415 - SciPy may not be there

    if mode in AROUND:
        x = np.pad(x, FAR, AROUND[mode])  # type: ignore[call-overload]
    heights = spline_filter(x, order, mode=mode) if order > 1 and prefilter else x
    return np.pad(heights, REACHED, _beyond(mode))  # type: ignore[call-overload]


def _heights_adjoint(h: Array, x: Array, mode: str, order: int, prefilter: bool) -> Array:
    """The gradient of the image in its heights."""
    around = np.pad(x, FAR if mode in AROUND else 0)
    inner = pad_adjoint(h, around, REACHED, _beyond(mode))
    if order > 1 and prefilter:
        for axis in range(x.ndim):
            inner = np.moveaxis(_unfiltered(np.moveaxis(inner, axis, 0), mode, order), 0, axis)
    return pad_adjoint(inner, x, FAR, AROUND[mode]) if mode in AROUND else inner


def _unfiltered(h: Array, mode: str, order: int) -> Array:
    """The gradient of what is filtered along the first axis: as filtered, once ends that are mirrored count half."""
    from scipy.ndimage import spline_filter1d  # noqa: PLC0415 - SciPy may not be there

    if len(h) < FEW:
        return np.tensordot(spline_filter1d(np.eye(len(h)), order, 0, mode=mode).T, h, 1)
    ends = np.ones((len(h),) + (1,) * (h.ndim - 1))
    if _beyond(mode) == "reflect":
        ends[[0, -1]] = 0.5
    return ends * spline_filter1d(h / ends, order, 0, mode=mode)


def _margin(mode: str) -> int:
    return REACHED + (FAR if mode in AROUND else 0)


def _beyond(mode: str) -> str:
    """How the heights go on beyond the edges, for np.pad: SciPy mirrors them for most."""
    known = {"reflect": "symmetric", "grid-wrap": "wrap", **AROUND}
    return known.get(mode, "reflect")


def _weights(shape: Sequence[int], places: Array, mode: str, nu: Sequence[int], order: int) -> Any:
    """The matrix of what each height counts at each place."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - SciPy may not be there

    flat = np.reshape(np.asarray(places, float), (len(shape), -1))
    m, margin = flat.shape[1], _margin(mode)
    at, weights = np.zeros((m, 1), int), np.ones((m, 1))
    for p, n, times in zip(flat, shape, nu or (0,) * len(shape), strict=True):
        folded, turn, inside = _folded(p, n, mode)
        first, share = _first_reached(folded, n, mode, order)
        own = _bells(share, order, times) * (turn**times * inside)[:, None]
        here = first[:, None] + np.arange(order + 1) + margin
        at = np.reshape(at[:, :, None] * (n + 2 * margin) + here[:, None, :], (m, -1))
        weights = np.reshape(weights[:, :, None] * own[:, None, :], (m, -1))
    rows = np.repeat(np.arange(m), at.shape[1])
    size = int(np.prod([n + 2 * margin for n in shape]))
    return csr_array((np.ravel(weights), (rows, np.ravel(at))), (m, size))


def _first_reached(p: Array, n: int, mode: str, order: int) -> tuple[Array, Array]:
    """The first pixel whose bell reaches a place, and how far that is beyond where it begins to."""
    if order % 2 == 0:
        i = np.floor(p + 0.5)
        return i.astype(int) - order // 2, p + 0.5 - i
    i = np.floor(p)
    if mode != "grid-wrap":
        i = i - (p == n - 1)  # slopes at the last pixel are those before it
    return i.astype(int) - order // 2, p - i


def _bells(share: Array, order: int, nu: int) -> Array:
    """The derivatives of the bells that reach a place, that of the first pixel first."""
    pieces = [np.polyder(piece, nu) for piece in reversed(_pieces(order))]
    return np.stack([np.polyval(piece, share) for piece in pieces], axis=1)


def _pieces(order: int) -> list[Array]:
    """A bell is a polynomial on each step from one pixel to the next: by de Boor's recursion from the order below."""
    pieces = [np.ones(1)]
    for k in range(1, order + 1):
        lower = [np.zeros(1), *pieces, np.zeros(1)]
        pieces = [
            np.polyadd(np.polymul([1, m], lower[m + 1]), np.polymul([-1, k + 1 - m], lower[m])) / k
            for m in range(k + 1)
        ]
    return pieces


def _folded(p: Array, n: int, mode: str) -> tuple[Array, Array, Array]:
    """A coordinate where bells reach, its slope, -1 where it is turned and 0 where it rests, and whether it counts."""
    ahead, always = np.ones(p.shape), np.ones(p.shape, bool)
    is_inside = (p >= 0) & (p <= n - 1)
    if mode == "constant":
        return np.where(is_inside, p, 0), ahead, is_inside
    if mode == "nearest":
        held = np.clip(p, -FAR - 3, n + FAR + 2)
        return held, 1.0 * (held == p), always
    if mode == "grid-constant":  # the bells of zeros
        return np.clip(p, -FAR - 3, n + FAR + 2), ahead, always
    if mode == "grid-wrap":
        return np.mod(p, n), ahead, always
    if n == 1:
        return 0 * p, 0 * p, always
    if mode == "wrap":
        around = np.where(p < 0, n - 1 - np.mod(-p, n - 1), np.mod(p, n - 1))
        return np.where(is_inside, p, around), ahead, always
    return (*(_reflected if mode == "reflect" else _mirrored)(p, n), always)


def _reflected(p: Array, n: int) -> tuple[Array, Array]:
    """About half a pixel beyond the edges."""
    times = np.floor((p + 0.5) / n)
    is_turned = times % 2 != 0
    back = (times + 1) * n - 1 - p
    return np.where(is_turned, back, p - times * n), np.where(is_turned, -1.0, 1.0)


def _mirrored(p: Array, n: int) -> tuple[Array, Array]:
    """About the pixels at the edges, as SciPy does it: up to one pixel beyond the last it is left to the bells."""
    period = 2 * n - 2
    far = np.mod(np.abs(p), period)
    is_back = np.where(p < 0, far >= n - 1, far >= n)
    turn = np.where(is_back, -1.0, 1.0) * np.where(p < 0, -1.0, 1.0)
    return np.where(is_back, period - far, far), turn
