"""`np.interp` of one number: what its derivatives give is what they give for an array of that number, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish.runtime.interpolation import interp_adjoint, interp_slope, interp_slope_adjoint

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])
NODES, HEIGHTS = np.array([0.0, 0.5, 1.0, 2.0]), np.array([0.3, -1.0, 2.0, 0.5])
PLACES = [-1.0, 0.0, 0.2, 0.5, 1.7, 2.0, 2.5, np.nan, np.inf, 1, np.float32(0.25), np.array(0.7)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_as_in_an_array(place: Any, count: int) -> None:
    xp, fp, several = NODES[:count], HEIGHTS[:count], np.reshape(place, (1,)).astype(float)
    for tables in ((xp, fp), (list(xp), list(fp))):
        slope = interp_slope(place, *tables)
        assert np.ndim(slope) == 0
        np.testing.assert_array_equal(slope, interp_slope(several, *tables)[0])
    for adjoint in (interp_adjoint, interp_slope_adjoint):
        expected = adjoint(np.array([1.7]), several, xp, fp)
        np.testing.assert_array_equal(adjoint(1.7, place, xp, fp), expected)


@kept
def stepped(x):
    y = x[0]
    for _ in range(4):
        y = y + 0.1 * np.interp(y, NODES, HEIGHTS) ** 2
    return y * x[1]


@kept
def in_tables_that_vary(x):
    s = 0.0
    for k in range(3):
        s = s + np.interp(0.3 * k + 0.1 * x[k], np.cumsum(x**2), np.sin(x)) ** 2
    return s


@kept
def with_values_outside(x):
    inside = np.interp(x[0], NODES, HEIGHTS * x[1], left=-1.0, right=2.0)
    return inside**2 + np.interp(x[2], NODES, HEIGHTS * x[1], right=2.0) * x[0]


@kept
def around(x):
    return np.interp(x[0], NODES, HEIGHTS * x[1], period=2.3) ** 2


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
