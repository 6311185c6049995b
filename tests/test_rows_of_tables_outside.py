"""Rows of tables of the module that are unpacked, `n, mask = TABLE[k]`: what is in them is known as by its place."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named
from numeric import assert_close

from tangentish import grad

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3]), np.array([0.3, -0.2])

TABLE = {3: (3, np.array([0, 2])), 4: (4, np.array([1, 3]))}
ROWS = [(3, 0.5), (2, 2.0)]
CHANGED = {"a": (2, 2.0)}


def filled(n, places, x):
    m = np.eye(n)
    m[0, places] = x
    return np.sum(m @ m) + m[0, -1] ** 2


@right
def size_and_places(x):
    n, places = TABLE[3]
    m = np.eye(n)
    m[0, places] = x
    return np.sum(m @ m)


@right
def under_a_key_that_is_given(x):
    total = 0.0
    for k in (3, 4):
        n, places = TABLE[k]
        total = total + filled(n, places, x) * k
    return total


@right
def row_of_a_list(x):
    (n, factor), (m, _) = ROWS[0], ROWS[1]
    y = np.zeros((n, m))
    y[1] = x * factor
    return np.sum(y**3)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)


def test_a_row_that_changes_is_read_again(monkeypatch):
    def f(x):
        n, factor = CHANGED["a"]
        y = np.zeros(n)
        y[:] = x
        return np.sum(y) * factor

    gradient = grad(f)
    assert_close(gradient(1.5), 4.0, "as it stands")
    for row, expected in (((3, 2.0), 6.0), ((3, 3), 9.0), ((np.int64(2), np.float64(0.5)), 1.0)):
        monkeypatch.setitem(CHANGED, "a", row)
        assert_close(gradient(1.5), expected, str(row))
