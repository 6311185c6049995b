"""Parts of new zeros that share no element are set, whatever the length of the axis; parts that may meet are added to."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

SET = []
set_there = kept_in(SET)
ADDED = []
added_there = kept_in(ADDED)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@set_there
def parameters_before_the_rest(x):
    shift, scale = x[0], x[1]
    rest = np.sin(x[2:])
    return np.sum(np.tanh(shift + np.exp(scale) * rest))


@set_there
def the_first_part_and_the_second(x):
    return np.sum(x[:2] ** 2) + np.sum(np.sin(x[2:])) * x[2:].size


@set_there
def between_two_elements(x):
    return x[0] * x[3] + np.sum(x[1:3] ** 3)


@set_there
def rows_and_columns(x):
    a = np.outer(x, x)
    return np.sum(a[:2, 1:] ** 2) + np.sum(a[2:, 1:] ** 3) + np.sum(np.sin(a[:, 0]))


@set_there
def parts_beyond_the_end(x):
    return np.sum(x[:9] ** 2) + np.sum(x[9:] ** 3)


@added_there
def parts_that_meet(x):
    return np.sum(np.sin(x[:3])) * np.sum(x[2:] ** 2)


@added_there
def an_element_of_the_part(x):
    return np.sum(np.sin(x[1:])) * x[1]


@added_there
def counted_from_the_end(x):
    return np.sum(np.sin(x[:-1])) * x[3]


@added_there
def every_second(x):
    return np.sum(np.sin(x[::2])) * x[1]


@added_there
def up_to_what_is_given(x, n=2):
    return np.sum(np.sin(x[:n])) * x[3]


@pytest.mark.parametrize("function", SET, ids=named)
def test_set(function):
    check_along(function, X, ALONG)
    assert "] +=" not in grad(function).source(X)


@pytest.mark.parametrize("function", ADDED, ids=named)
def test_added(function):
    check_along(function, X, ALONG)
    assert "] +=" in grad(function).source(X)
