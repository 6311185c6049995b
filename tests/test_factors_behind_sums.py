"""What is the same along the axes that a gradient is summed over stands behind the sum, with the axes that are left."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, 0.4, 0.9])
ALONG = np.array([0.3, -0.7, 0.5])
A = np.arange(12.0).reshape(4, 3) / 7
B = np.arange(24.0).reshape(2, 4, 3) / 11


@right
def rows_divided(x):
    t = np.exp(x)
    return np.sum(((A - x) / t) ** 2)


@right
def one_row_of_a_matrix(x):
    m = np.outer(x, x)
    s = 0.0
    for j in range(3):
        s += np.sum(((A - m[j]) / np.exp(m[2 - j])) ** 2)
    return s


@right
def with_an_axis_of_its_own(x):
    row = x[None, :]
    return np.sum((A - row) ** 2 / np.exp(row) * x)


@right
def a_column(x):
    column = x[:, None]
    return np.sum((A.T - column) ** 3 / np.exp(column))


@right
def two_leading_axes(x):
    return np.sum((B * x + x**2) ** 2 / np.cosh(x))


@right
def a_leading_axis_and_a_column(x):
    column = np.outer(x, [1.0]) * np.ones((3, 1))
    return np.sum((B.reshape(2, 3, 4) - column) ** 2 * np.tanh(column))


@right
def rows_and_a_column_among_the_factors(x):
    scale = np.ones((4, 1)) * x[0]
    return np.sum((A - x) ** 2 / scale * np.exp(x))


@right
def behind_more_axes(x):
    return np.sum((A - x[None, :][0]) ** 2 / np.exp(x)[None])


@right
def numbers_that_are_multiplied(x):
    s = 0.0
    for k in range(3):
        t = 3 * x[k] ** 2 + 1
        s += (x[k] / t) ** 4 / (2 * x[0] ** 2) - 5 * t**3
    return s


@right
def sums_of_squares_along_an_axis(x):
    d = (A - x) / np.exp(x)
    return np.sum(np.sin(-0.5 * np.sum(d**2, axis=1)))


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function):
    check_along(function, X, ALONG)


def test_the_row_stands_behind_the_sum():
    text = grad(rows_divided).source(X)
    assert "axis=0) / t" in text


def test_literals_are_one_factor():
    text = grad(sums_of_squares_along_an_axis).source(X)
    assert "[:, None] * 2" not in text and "6 *" in grad(numbers_that_are_multiplied).source(X)
