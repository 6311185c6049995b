"""`np.take` of one row, column or element: `a.take(k, axis=1)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_in_every_mode, kept_in, named

from tangentish import grad, vjp

FUNCTIONS: list[Callable[..., Any]] = []


@kept_in(FUNCTIONS)
def a_column(x):
    return np.sum(x.take(1, axis=1) ** 3)


@kept_in(FUNCTIONS)
def columns_in_a_loop(x):
    s = 0.0
    for k in range(-1, 2):
        s += np.sum(np.take(x, k, axis=-1) ** 2 * x.take(k, axis=1))
    return s


@kept_in(FUNCTIONS)
def a_row_and_an_element(x):
    return np.sum(np.take(x, -1, 0) ** 2) * x.take(len(x)) * np.take(x, np.int64(0)) ** 2


@kept_in(FUNCTIONS)
def places_twice(x):
    twice = np.array([1, 0, 1])
    return np.sum(x.take(twice, axis=1) ** 2) + np.sum(x.take(twice) ** 3)


X, X_DOT = (
    np.array([[0.7, 1.3, 0.4], [0.2, 0.9, 1.1]]),
    np.array([[0.3, -0.7, 1.1], [1.0, 0.2, -0.4]]),
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_in_every_mode(function: Callable[..., Any]) -> None:
    check_in_every_mode(function, X, X_DOT)


def payoffs(a, k):
    return a.take(k, axis=1)


def test_of_a_number_that_is_given() -> None:
    """This ended the interpreter when the gradient was generated."""
    _, pullback = vjp(payoffs, np.ones((4, 3)), 1)
    np.testing.assert_array_equal(pullback(np.arange(4.0))[0][:, 1], np.arange(4.0))
    right = np.zeros((4, 3))
    right[:, 2] = 1.0
    gradient = grad(lambda a, k: np.sum(payoffs(a, k)))(np.ones((4, 3)), 2)
    np.testing.assert_array_equal(gradient, right)
