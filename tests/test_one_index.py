"""A place in a place of an array's gradient has one index; places of lists, and behind masks and arrays, have two."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

JOINED = []
one_index = kept_in(JOINED)
OTHERS = []
others = kept_in(OTHERS)
X = np.array([0.7, 0.4, 0.9, 0.55, 0.3, 0.8])
ALONG = np.array([0.3, -0.7, 0.5, 0.2, -0.4, 0.6])


@one_index
def area(x):
    p = x.reshape(3, 2) * 1.5
    a = 0.0
    for i in range(3):
        x0, y0 = p[i]
        x1, y1 = p[(i + 1) % 3]
        a += x0 * y1 - x1 * y0 * x0
    return a


@one_index
def three_axes(x):
    p = x.reshape(3, 1, 2) * 1.5
    a = 0.0
    for i in range(-1, 2):
        u, v = p[i][0]
        a += u * v**2
    return a


@others
def places_of_lists(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    a = 0.0
    for i in range(2):
        u, v = rows[i]
        a += u * v**2
    return a


@others
def pairs_in_a_list(x):
    path = [(2.0, (v, v * v)) for v in x]
    return sum(k * (pair[0] + pair[1] ** 2) for k, pair in path)


@others
def tuples_that_are_put_into_a_list(x):
    path = []
    for k, v in enumerate(x):
        path.append((k, (v * x, 2.0)))
    return sum(np.sum(row[1][0] ** 2) * row[1][1] for row in path)


@others
def blocks_of_a_matrix(x):
    a, b = x[:3] ** 2, x[3:]
    m = np.block([[a, b], [b, a * b]])
    return np.sum(m**3)


@others
def behind_an_array_of_places(x):
    p = x.reshape(3, 2) * 1.5
    rows = np.array([2, 0])
    (a, b), (c, d) = p[rows]
    return a * b + c * d**2


@others
def behind_a_mask(x):
    p = x.reshape(3, 2) * 1.5
    first, second = p[np.array([True, False, True])]
    return np.sum(first * second**2)


@others
def behind_a_slice(x):
    p = x.reshape(3, 2) * 1.5
    first, second = p[1:]
    return np.sum(first * second**2)


@pytest.mark.parametrize("function", [*JOINED, *OTHERS], ids=named)
def test_right(function):
    check_along(function, X, ALONG)


@pytest.mark.parametrize("function", JOINED, ids=named)
def test_one_index(function):
    lines = grad(function).source(X).splitlines()
    assert not any("][" in line for line in lines if line.lstrip().startswith("dp"))
