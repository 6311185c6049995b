"""Slopes and integrals of samples by where they stand, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.integrate
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def slopes_by_places(x):
    places = np.cumsum(1.5 + np.sin(x))
    first = np.gradient(x**2, places)
    second = np.gradient(first, places, edge_order=2)
    return np.sum(first * second) + np.sum(np.gradient(np.outer(x, x), places, axis=0) ** 2)


@form
def slopes_of_a_field(x):
    across = np.cumsum(1 + x**2)
    field = np.outer(np.sin(x), x)
    d, e = np.gradient(field, 1 + x[0] ** 2, across)
    return np.sum(d**2 * e) + np.sum(np.gradient(field, 0.5 + x[1] ** 2)[1] ** 3)


@form
def slopes_along_named_axes(x):
    field = np.multiply.outer(np.outer(np.sin(x), x), x)
    d, e = np.gradient(field, np.cumsum(1 + x**2), 2 + x[3], axis=(2, 0), edge_order=2)
    _, _, f = np.gradient(field, 1.0, 2 + x[3], 2 - x[3])
    return np.sum(d * e * f) + np.sum(np.gradient(field, 1 + x[0] ** 2, axis=(0, 1))[0] ** 2)


@form
def integrals_by_places(x):
    places = np.cumsum(1.5 + np.sin(x))
    total = scipy.integrate.simpson(x**2, x=places)
    running = scipy.integrate.cumulative_simpson(np.cos(x), x=places, initial=0)
    return total**2 + np.sum(running**2) * scipy.integrate.trapezoid(x, places)


@form
def integrals_of_rows(x):
    rows = np.outer(np.sin(x), x)
    places = np.cumsum(1 + rows**2, axis=1)
    total = scipy.integrate.simpson(rows, x=places)
    running = scipy.integrate.cumulative_trapezoid(rows, places, axis=1)
    return (
        np.sum(total**2)
        + np.sum(running**3)
        + np.sum(scipy.integrate.simpson(rows, x=places.T, axis=0))
    )


@form
def integrals_by_the_step(x):
    h = 1 + x[0] ** 2
    rows = np.outer(x, np.cos(x))
    total = scipy.integrate.simpson(rows, dx=h, axis=0) @ x
    running = scipy.integrate.cumulative_trapezoid(x**2, dx=h)[-1]
    parabolas = np.sum(scipy.integrate.cumulative_simpson(x**3, dx=h) ** 2)
    return total + running * parabolas + scipy.integrate.romb(np.append(x, h), dx=h) ** 2


@form
def widths_of_columns(x):
    widths = 1 + x**2
    return np.sum(np.trapezoid(np.outer(np.sin(x), x), dx=widths, axis=0) ** 2)


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6])
)


def slope_of_slopes(x, places):
    return np.gradient(x, places)[1]


def test_places_in_single_precision() -> None:
    x, places = np.array([1.0, 3, 2], np.float32), np.array([0.1, 0.4, 1.1], np.float32)
    assert grad(slope_of_slopes, wrt=1)(x, places).dtype == np.float32
    assert grad(slope_of_slopes, wrt=1)(np.array([1, 3, 2]), places[::-1]).shape == (3,)
