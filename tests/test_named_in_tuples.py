"""What several names are set to in one line is read under these names on the way back, where they hold just that."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

READ = []
read_there = kept_in(READ)
OTHERS = []
others = kept_in(OTHERS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@read_there
def two_numbers(x):
    q, r = np.exp(x[0]), np.sqrt(x[1])
    return q * r + r**3 + np.sum(x) * q


@read_there
def two_arrays(x):
    q, r = np.exp(x), np.tanh(x)
    return np.sum(q * r) + np.sum(r**3)


@read_there
def in_a_loop(x):
    s = 0.0
    for v in x:
        q, r = np.exp(v), np.sqrt(v)
        s = s * r + q
    return s


@read_there
def beside_what_is_given(x, k=2.0):
    a, q = k, np.exp(x)
    return np.sum(q) * a


@others
def names_that_the_line_reads(x):
    q, r = np.exp(x[0]), np.sqrt(x[1])
    for v in x:
        q, r = np.exp(-q * v), np.sqrt(q + r)
    return q * r


@others
def what_changes_places(x):
    q, r = np.exp(x), np.sqrt(x)
    r, q = np.tanh(q), np.exp(r)
    return np.sum(q * r**2)


@others
def one_name_twice(x):
    q, q = np.exp(x[0]), np.sqrt(x[1])  # noqa: PLW0128
    return q**2 * x[0]


@others
def written_to_later(x):
    q, r = np.exp(x), np.sqrt(x)
    q[0] = r[1] ** 2
    r *= q
    return np.sum(q * r)


@others
def one_array_under_two_names(x):
    q = r = np.exp(x)
    a, b = np.tanh(q), r
    b[1] = a[0]
    return np.sum(a * b * q)


@others
def on_one_way(x):
    q, r = np.exp(x[0]), np.sqrt(x[1])
    if q > 1.0:
        q, r = np.exp(-x[2]), np.sqrt(x[3])
    return q * r**2


@others
def places_among_the_names(x):
    y = np.zeros(4)
    q, y[1] = np.exp(x[0]), np.sqrt(x[1])
    q, y[2] = np.sqrt(x[3]), np.exp(q)
    return np.sum(y**2) * q


@others
def tuples_in_tuples(x):
    (q, r), s = (np.exp(x[0]), np.sqrt(x[1])), np.tanh(x[2])
    return q * r * s**2


@pytest.mark.parametrize("function", [*READ, *OTHERS], ids=named)
def test_right(function):
    check_along(function, X, ALONG)


@pytest.mark.parametrize("function", READ, ids=named)
def test_no_other_names(function):
    assert "t = " not in grad(function).source(X).split("# return")[0]
