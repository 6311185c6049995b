"""Slopes of `scipy.ndimage.map_coordinates` of the first order: of values between the pixels of an image.

Beyond its edges an image goes on as `mode` says: what stands there is read at a place inside. `nu` says which
derivative, one number for each axis; places are given as there, one array of coordinates for each axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tangentish.runtime.interpolants import on_grid_adjoint, on_grid_slope, raised
from tangentish.runtime.types import Array


def image_slope(x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = ()) -> Array:
    """The derivatives nu of the values of the image `x` at `places`, linear in the image; 0 where a constant stands."""
    inside, turned = _read_at(places, x, mode, nu)
    beyond = 0.0 if mode == "constant" else None
    return turned * on_grid_slope(x, _pixels(x), inside, nu, "linear", beyond)


def image_adjoint(
    h: Array, x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = ()
) -> Array:
    """The gradient of the image `x` in `image_slope(x, places, mode, nu)`."""
    inside, turned = _read_at(places, x, mode, nu)
    beyond = 0.0 if mode == "constant" else None
    return on_grid_adjoint(h * turned, x, _pixels(x), inside, nu, "linear", beyond)


def image_places_adjoint(
    g: Array, x: Array, places: Array, mode: str = "constant", nu: Sequence[int] = ()
) -> Array:
    """The gradient of the places in `image_slope(x, places, mode, nu)`."""
    slopes = [image_slope(x, places, mode, raised(nu, j, places)) for j in range(len(places))]
    return np.array([g * slope for slope in slopes])


def _pixels(x: Array) -> list[Array]:
    return [np.arange(n) for n in np.shape(x)]


def _read_at(places: Array, x: Array, mode: str, nu: Sequence[int]) -> tuple[Array, Array]:
    """Where the image is read, the coordinates of each place last, and what these derivatives of them come to."""
    coordinates, turned = [], np.ones(np.shape(places)[1:])
    for p, n, order in zip(places, np.shape(x), nu or (0,) * np.ndim(x), strict=True):
        folded, turn = _folded(np.asarray(p, float), n, mode)
        coordinates.append(folded)
        turned = turned * turn**order
    return np.moveaxis(np.array(coordinates), 0, -1), turned


def _folded(p: Array, n: int, mode: str) -> tuple[Array, Array]:
    """A coordinate inside of an axis of n pixels, and its slope: -1 where it is turned, 0 where it rests."""
    turn = np.ones(p.shape)
    if mode != "constant":
        first, last = (0.0, n - 1.0) if mode != "reflect" else (-0.5, n - 0.5)
        if mode != "nearest":
            length = last - first
            times = np.floor((p - first) / length) if length else 0 * p
            turn = np.where(times % 2 == 0, 1.0, -1.0)
            p = np.where(turn > 0, p - times * length, 2 * first + (times + 1) * length - p)
        turn = turn * ((p >= 0) & (p <= n - 1))
        p = np.clip(p, 0, n - 1)
    return p, turn
