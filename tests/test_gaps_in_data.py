"""Statistics that leave out nan, of values which data with gaps multiply: what is left out moves by nan, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from every_mode import named
from numeric import numeric_gradient

from tangentish import grad, hvp, jvp

pytestmark = pytest.mark.filterwarnings("ignore:(divide by zero|invalid value)")

DATA = np.array([[1.0, np.nan, 2.0, 4.0], [0.5, 3.0, np.nan, 1.0]])
X = np.array([[1.1, 2.0, 0.7, 0.4], [0.3, 0.9, 2.0, 1.7]])
COUNTS = np.array([[0.0, 2.0, 1.0, 0.0], [3.0, 0.0, 1.0, 2.0]])
X_DOT = np.cos(X)


def middles(x):
    return np.sum(np.nanmedian(x * DATA, axis=1) ** 2) * np.nanmedian(x * DATA)


def quantiles(x):
    return np.sum(np.nanquantile(x * DATA, 0.3, axis=1) ** 2)


def percentiles(x):
    return np.sum(np.nanpercentile(x * DATA, [20, 60], axis=1, keepdims=True) ** 2)


def sums(x):
    return np.nansum(x * DATA) * np.nanmax(x * DATA) + np.sum(np.nanstd(x * DATA, axis=0) ** 2)


@pytest.mark.parametrize("f", [middles, quantiles, percentiles, sums], ids=named)
def test_tangents_beside_gaps(f: Callable[..., float]) -> None:
    h = 1e-6
    expected = (f(X + h * X_DOT) - f(X - h * X_DOT)) / (2 * h)
    np.testing.assert_allclose(jvp(f, (X,), (X_DOT,))[1], expected, 1e-7)


def residuals(x):
    squares = (x - DATA) ** 2
    return np.nansum(squares) + np.sum((DATA - x) ** 3, where=~np.isnan(DATA))


def filled(x):
    y = x * DATA
    y = np.nan_to_num(y)
    return np.sum(y * x)


def filled_in_place(x):
    y = (x - DATA) ** 2 * x
    y[np.isnan(y)] = 0
    return np.sum(y * x)


def read_before_it_is_filled(x):
    y = x * x
    s = np.sum(y**2)
    y[np.isnan(DATA)] = 0
    return np.sum(y * x) + s


def filled_on_each_trip(x):
    y = x * x
    for k in range(3):
        s = np.sum(y[:, k])
        y[np.isnan(DATA)] = 0
        y = y * x * s
    if y[0, 0] > 0:
        z = y * x
        z[np.isnan(x * DATA)] = 0
    else:
        z = y * x
    return np.sum(z * y)


def filled_where_nothing_divides(x):
    q = x * x / COUNTS
    q[COUNTS == 0] = 0
    p = 1 / (x * COUNTS)
    none = ~(COUNTS > 0)
    p[none] = x[none]
    return np.sum(q * x * p)


def filled_in_rows(x):
    rows = x * x / COUNTS[0][:2][:, None]
    rows[COUNTS[0][:2] == 0] = 0
    return np.sum(rows * x)


def filled_at_places(x, counts=COUNTS):
    q = x * x / counts
    q[np.where(counts == 0)] = 0
    empty = np.nonzero(counts == 0)
    p = x / counts
    p[empty] = x[empty]
    return np.sum(q * x * p)


def picked_at_places(x, counts=COUNTS):
    first = counts[0]
    r = x[0] / first
    s = x[1] / first
    kept = np.where(first > 0)[0]
    a, b = np.sum(r[np.flatnonzero(first > 0)] ** 2), np.sum(s[kept] ** 3)
    return a + b


def at_places_of_fewer(x):
    q = x * x
    q[np.where(COUNTS[:, :2] == 0)] = 0
    return np.sum(q * x)


def places_of_what_a_mask_was(x):
    none = COUNTS == 0
    places = np.where(none)
    none[:] = True
    q = x * x
    q[places] = 0
    return np.sum(q / x)


def picked(x):
    r = x * x / COUNTS
    s = x * DATA
    return np.sum(r[COUNTS > 0] ** 2) + np.sum(s[~np.isnan(s)] ** 2)


def picked_and_read(x):
    r = x * x * x
    s = np.sum(r[COUNTS > 0] ** 2)
    return s + np.sum(r[:, 1] ** 2) + np.sum(r)


def by_names_in_a_loop(x):
    s = 0.0
    for k in range(2):
        q = np.sin(x[k]) / COUNTS[k]
        none = COUNTS[k] == 0
        q[none] = k
        r = x * x / COUNTS
        there = COUNTS > 0
        s += np.sum(q * x[k]) * np.sum(r[there])
    return s


def by_a_mask_that_changes(x):
    none = COUNTS == 0
    none[1, 0] = True
    q = x * x / COUNTS
    q[none] = x[0, 1]
    none[:] = False
    return np.sum(q * x) + np.sum(q[none])


def by_the_last_item_of_a_loop(x):
    r = x * x * x
    s = 0.0
    for mask in np.array([COUNTS < 2, COUNTS == 0]):
        s += np.sum(x[mask] ** 2)
    r[mask] = 0
    return s + np.sum(r)


@pytest.mark.parametrize(
    "f",
    [
        by_names_in_a_loop,
        by_a_mask_that_changes,
        by_the_last_item_of_a_loop,
        filled_where_nothing_divides,
        filled_in_rows,
        filled_at_places,
        picked_at_places,
        at_places_of_fewer,
        places_of_what_a_mask_was,
        picked,
        picked_and_read,
        residuals,
        filled,
        filled_in_place,
        read_before_it_is_filled,
        filled_on_each_trip,
        middles,
        quantiles,
        sums,
    ],
    ids=named,
)
def test_gradients_beside_gaps(f: Callable[..., float]) -> None:
    np.testing.assert_allclose(grad(f)(X), numeric_gradient(f, (X,), 0, 1.0), 1e-6)


@pytest.mark.parametrize(
    "f", [by_names_in_a_loop, filled_where_nothing_divides, filled_in_place, picked], ids=named
)
def test_second_derivatives_beside_gaps(f: Callable[..., float]) -> None:
    gradient = grad(f)
    expected = (gradient(X + 1e-6 * X_DOT) - gradient(X - 1e-6 * X_DOT)) / 2e-6
    np.testing.assert_allclose(hvp(f)(X, X_DOT), expected, 1e-6)
