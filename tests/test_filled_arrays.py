"""`y.fill(v)` of a number is a store; NumPy raises for an array, which is refused."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_refused, each_right, kept_in, named

RIGHT: list[Function] = []
REFUSED: list[Function] = []
right, refused = kept_in(RIGHT), kept_in(REFUSED)
X = np.array([0.3, 0.7, 1.1])


@right
def an_element(x):
    y = x * 1.0
    y.fill(x[0])
    return np.sum(y * x)


@right
def a_sum_in_a_part(x):
    y = np.outer(x, x)
    y[0].fill(np.sum(x * x))
    return np.sum(y * y[:, 0])


@right
def an_array_without_axes(x):
    y = x * 1.0
    y.fill(np.array(x[1]))
    return np.sum(y * x)


@right
def numbers_of_a_loop(x):
    y = x * 1.0
    for v in x:
        y.fill(v)
        x = x * y
    return np.sum(y * x)


@right
def constants(x):
    y = x * 1.0
    y.fill(True)
    z = x * y
    z[1:].fill(2)
    return np.sum(y * z)


@refused
def an_array(x):
    y = x * 1.0
    y.fill(x)
    return np.sum(y**2)


@refused
def an_array_in_a_try(x):
    y = x * 1.0
    try:
        y.fill(x)
    except ValueError:
        y = y * 5
    return np.sum(y**2)


@refused
def an_array_of_one(x):
    y = x * 1.0
    y.fill(x[:1])
    return np.sum(y**2)


@refused
def a_list(x):
    y = x * 1.0
    y.fill([1.0, 2.0, 3.0])
    return np.sum(y * x)


test_right = each_right(RIGHT, X, np.cos(X))


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_refused(function: Function) -> None:
    check_refused(function, "fills with a number only", X)
