"""Tables on a grid that do not vary (RegularGridInterpolator), looked up at places that do, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, kept_in, named, refused_in
from numeric import assert_close, numeric_gradient
from scipy.interpolate import RegularGridInterpolator

from tangentish import grad, hvp, jvp

GRID = np.array([0.0, 1.0, 4.0]), np.array([0.0, 5.0, 10.0])
TABLE = np.array([[0.6, 0.7, 0.72], [0.65, 0.8, 0.78], [0.5, 0.7, 0.74]])
MAP = RegularGridInterpolator(GRID, TABLE)
GOES_ON = RegularGridInterpolator(GRID, TABLE, bounds_error=False, fill_value=None)
ENDS = RegularGridInterpolator(GRID, TABLE, bounds_error=False, fill_value=0.0)
NEAREST = RegularGridInterpolator(GRID, TABLE, method="nearest")
OF_VECTORS = RegularGridInterpolator(GRID, np.stack((TABLE, TABLE**2), -1))
BACKWARDS = RegularGridInterpolator((GRID[0][::-1], GRID[1]), TABLE)
OF_INTEGERS = RegularGridInterpolator(GRID, np.arange(9).reshape(3, 3))
ALONG_A_LINE = RegularGridInterpolator(GRID[1:], TABLE[0])
CUBIC = RegularGridInterpolator((np.arange(5.0), np.arange(11.0)), np.ones((5, 11)), "cubic")

X = np.array([[0.4, 3.0], [1.2, 7.0]])
X_DOT = np.array([[1.0, 2.0], [-1.0, 0.5]])
RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)


@right
def of_the_module(x):
    return np.sum(MAP(x) ** 2)


@right
def made_in_the_function(x):
    f = RegularGridInterpolator(GRID, TABLE, bounds_error=False, fill_value=None)
    return np.sum(f(3 * x) ** 2) + np.sum(RegularGridInterpolator(GRID, TABLE)(x) ** 3)


@right
def beyond_the_ends(x):
    return np.sum(GOES_ON(5 * x) ** 2) + np.sum(ENDS(5 * x) ** 2)


@right
def of_other_tables(x):
    s = np.sum(BACKWARDS(x) ** 2) + np.sum(OF_INTEGERS(x) ** 2)
    return s + np.sum(NEAREST(x) * x[:, 0]) + np.sum(ALONG_A_LINE(x[:, 1:]) ** 2)


@right
def of_vectors(x):
    y = OF_VECTORS(x)
    return np.sum(y[:, 0] * y[:, 1] ** 2)


@right
def of_one_place(x):
    return MAP(x[0])[0] ** 2 + MAP([x[1, 0], x[1, 1]])[0] * MAP(np.array([x[1, 0], 2.0]))[0]


@right
def of_more_places(x):
    return np.sum(MAP(x.reshape(1, 2, 2)) ** 3) + np.sum(MAP([x[0], x[1]]) ** 2)


@right
def of_coordinates(x):
    a, b = x[:, 0], x[:, 1]
    return np.sum(MAP((a, b)) ** 2) + MAP((a[0], b[1])) * float(MAP((a[1], b[0])))


@right
def on_each_trip(x):
    s = 0.0
    for a, b in x:
        s += MAP((a, b)) ** 2 * a
    return s


@refused("write the place as an array")
def of_unlike_coordinates(x):
    return np.sum(MAP((x[:, 0], x[0, 1])))


@refused("it is not known what 'CUBIC' is")
def by_another_method(x):
    return np.sum(CUBIC(x))


@refused("is not supported with these arguments")
def with_options(x):
    return np.sum(MAP(x, "nearest"))


def check(function: Callable[..., Any], *others: Any) -> None:
    numeric: np.ndarray = numeric_gradient(lambda x: function(x, *others), (X,), 0, 1.0)
    gradient = grad(function)
    assert_close(gradient(X, *others), numeric, "grad")
    still = (None,) * len(others)
    assert_close(jvp(function, (X, *others), (X_DOT, *still))[1], np.sum(numeric * X_DOT), "jvp")
    slope = numeric_gradient(lambda x: np.sum(gradient(x, *others) * X_DOT), (X,), 0, 1.0)
    assert_close(hvp(function)(X, X_DOT, *others), slope, "hvp")


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_looked_up(function):
    check(function)


@pytest.mark.parametrize(("function", "reason"), REFUSED)
def test_refused(function, reason):
    check_refused(function, reason, X)


class Pump:
    def __init__(self, table):
        self.table = table


def test_that_is_an_argument():
    check(lambda x, f: np.sum(f(x) ** 2) + f((x[0, 0], x[1, 1])) ** 2, MAP)
    check(lambda x, pump: np.sum(pump.table(x) ** 2), Pump(MAP))


def test_another_method_of_what_the_function_makes():
    def made(x):
        f = RegularGridInterpolator((np.arange(5.0), np.arange(11.0)), np.ones((5, 11)), "cubic")
        return np.sum(f(x))

    with pytest.raises(NotImplementedError, match="cubic"):
        grad(made)(X)
