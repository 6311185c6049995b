"""What one line adds twice to the same place of a gradient is added there at once."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@right
def upwind(x):
    for _ in range(2):
        new = x.copy()
        for i in range(1, len(new)):
            new[i] = x[i] - 0.3 * x[0] * (x[i] - x[i - 1])
        x = new
    return np.sum(x**2)


@right
def both_subtracted(x):
    s = 1.0
    for i in range(1, 4):
        s = s - x[i] - np.sin(x[i]) * x[i - 1]
    return s**2


@right
def subtracted_and_added(x):
    s = 1.0
    for i in range(1, 4):
        s = s - x[i] + np.sin(x[i]) * x[i - 1]
    return s**2


@right
def added_and_subtracted(x):
    y = np.zeros(4)
    y[1:] = x[1:] - (np.sin(x[1:]) - x[1:] * x[:-1])
    y[1:] *= x[1:] - x[:-1]
    return np.sum(y**2) + np.sum(x[1:] * y[1:])


@right
def of_rows(x):
    a = np.outer(x, x)
    s = np.zeros(4)
    for i in range(1, 4):
        s = s * 0.5 + a[i] * np.cos(a[i]) - a[i] * a[i - 1]
    return np.sum(s**2)


@right
def of_numbers_and_rows(x):
    a = np.outer(x, x)
    s = np.zeros(4)
    for i in range(1, 4):
        s = s * a[i] + a[i].sum() + a[i, :1] * a[i]
    return np.sum(s**2)


@right
def set_beside_the_one_before(x):
    y = x * 1.0
    for i in range(1, len(y)):
        y[i] = 0.7 * y[i - 1] + np.sin(y[i])
    return np.sum(y**2)


@right
def set_beside_the_last_at_first(x):
    y = x * 1.0
    for i in range(len(y)):
        y[i] = y[0] * y[i - 1] + np.sin(y[i])
    return np.sum(y**2)


@right
def set_beside_what_may_be_itself(x):
    y = x * 1.0
    for i in range(len(y)):
        y[i] = y[len(y) - 1 - i] * y[-i] + np.sin(y[i])
    return np.sum(y**2)


@right
def rows_set_beside_others(x):
    y = np.outer(x, x)
    for i in range(len(y) - 2, -1, -1):
        for j in range(i):
            y[i] = y[i + 1] * x[j] + np.sin(y[i]) * y[j]
        y[i, :2] = y[i, 2:] * np.cos(y[i, :2])
    return np.sum(y**2)


@right
def of_what_it_reads(x):
    y = x.copy()
    for i in range(1, 4):
        y[i] = y[i] * y[i - 1] + np.sin(y[i])
    return y[3] ** 2


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function):
    check_along(function, X, ALONG)


def test_one_line_adds_to_a_place():
    text = grad(upwind).source(X)
    assert text.count("dx[i] +=") == 1


def test_a_place_is_set_where_lines_between_change_others() -> None:
    text = grad(set_beside_the_one_before).source(X)
    assert "dy[i] = g * np.cos(y[i])" in text and "dy[i] = 0" not in text
    assert "dy[i] = 0" in grad(set_beside_the_last_at_first).source(X)
