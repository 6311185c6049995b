"""Indices that are spread: y[*i], y[0, *i]."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([1.3, 2.7]), np.array([0.4, -0.3])
PLACE, SEVERAL = (0, 1), (np.array([0, 1, 1]), np.array([1, 1, 0]))


@right
def stored_to(x):
    y = np.outer(x, x)
    y[*PLACE] = x[0] ** 3
    return np.sum(y * y)


@right
def stored_to_places_that_are_computed(x):
    y = np.outer(x, x)
    for j in np.ndindex(2, 2):
        y[*j] *= x[j[0]]
    return np.sum(y * y)


@right
def read_at_a_list(x):
    places = [1, 0]
    return np.outer(x, x)[*places] ** 2


@right
def read_at_what_is_made_here(x):
    y, s = np.outer(x, x), 0.0
    for k in range(2):
        j = (k, 1)
        s += y[*j] * x[k]
    return s


@right
def read_at_several_places(x):
    y = np.outer(x, x)
    return np.sum(y[*SEVERAL] ** 2)


@right
def beside_others(x):
    y = x[:, None, None] * x[:, None] * x
    y[0, *PLACE] = x[1]
    return np.sum(y[1, *PLACE] * y[:, *PLACE]) + np.sum(y[*PLACE, 1:] ** 2)


@right
def by_nothing(x):
    y, none = x * x, ()
    return np.sum(y[*none] * x)


@right
def of_a_dict(x):
    table = {(0, 1): x[0] * x[1]}
    return table[*PLACE] ** 2


@right
def of_slices(x):
    y, window = np.outer(x, x), (slice(0, 1), 1)
    return np.sum(y[*window] ** 2) * x[0]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right_in_every_mode(function):
    check_along(function, X, X_DOT)
