"""Fits of polynomials, with what NumPy gives besides the coefficients, as they could be written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def polyfit(
    x: Array,
    y: Array,
    deg: int,
    rcond: Any = None,
    full: Any = False,
    w: Any = None,
    cov: Any = False,
) -> Any:
    """`np.polyfit`, where more than the coefficients is asked for."""
    places, cut = _places(x, rcond)
    powers, values = _weighed(np.vander(places, deg + 1), y, w)
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    scaled = powers / scale
    solution, rest, rank, s = np.linalg.lstsq(scaled, values, cut)
    c = (solution.T / scale).T
    if full:
        return c, rest, rank, s, cut
    spread = np.linalg.inv(scaled.T @ scaled) / np.outer(scale, scale)
    if cov != "unscaled":
        if len(places) <= deg + 1:
            raise ValueError(
                "the number of data points must exceed order to scale the covariance matrix"
            )
        factor = rest / (len(places) - deg - 1)
    else:
        factor = 1.0
    return c, spread * factor if c.ndim == 1 else spread[:, :, None] * factor


def _places(x: Array, rcond: Any) -> Any:
    """The places as floats, and what is taken for zero among the singular values."""
    places = np.asarray(x) + 0.0
    return places, len(places) * np.finfo(places.dtype).eps if rcond is None else rcond


def _weighed(powers: Array, y: Array, w: Any) -> Any:
    values = np.asarray(y) + 0.0
    if w is None:
        return powers, values
    weights = np.asarray(w) + 0.0
    return powers * weights[:, None], (values.T * weights).T


def _fit(vander: Any, x: Array, y: Array, deg: int, rcond: Any, full: Any, w: Any) -> Any:
    """What the fits of `np.polynomial` have in common."""
    places, cut = _places(x, rcond)
    weighed, values = _weighed(vander(places, deg), y, w)
    squares = np.sum(np.square(weighed), axis=0)
    scale = np.sqrt(np.where(squares == 0, 1, squares))
    c, rest, rank, s = np.linalg.lstsq(weighed / scale, values, cut)
    if full:
        return (c.T / scale).T, [rest, rank, s, cut]
    return (c.T / scale).T


def powerfit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.polynomial.polyfit`"""
    return _fit(np.polynomial.polynomial.polyvander, x, y, deg, rcond, full, w)


def chebfit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.chebyshev.chebfit`"""
    return _fit(np.polynomial.chebyshev.chebvander, x, y, deg, rcond, full, w)


def legfit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.legendre.legfit`"""
    return _fit(np.polynomial.legendre.legvander, x, y, deg, rcond, full, w)


def hermfit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.hermite.hermfit`"""
    return _fit(np.polynomial.hermite.hermvander, x, y, deg, rcond, full, w)


def hermefit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.hermite_e.hermefit`"""
    return _fit(np.polynomial.hermite_e.hermevander, x, y, deg, rcond, full, w)


def lagfit(
    x: Array, y: Array, deg: int, rcond: Any = None, full: Any = False, w: Any = None
) -> Any:
    """`np.polynomial.laguerre.lagfit`"""
    return _fit(np.polynomial.laguerre.lagvander, x, y, deg, rcond, full, w)
