"""Loops over `reversed(range(n))` and `range(n)[::-1]`, taken back as those over `range(n - 1, -1, -1)` are."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.9]), np.array([0.3, -0.7, 1.1, 0.4])
U = np.triu(np.arange(1.0, 17.0).reshape(4, 4)) + 3 * np.eye(4)


@kept
def substituted_back(y):
    n = len(y)
    x = np.zeros(n)
    for k in reversed(range(n)):
        x[k] = (y[k] ** 2 - np.dot(U[k, k + 1 :], x[k + 1 :])) / U[k, k]
    return np.sum(x**3)


@kept
def by_a_slice(y):
    n = len(y)
    x = np.zeros(n)
    for k in range(n)[::-1]:
        x[k] = (y[k] ** 2 - U[k, k + 1 :] @ x[k + 1 :]) / U[k, k]
    return np.sum(x**3)


@kept
def between_bounds(y):
    x = np.zeros(len(y))
    for k in reversed(range(1, len(y))):
        x[k - 1] = y[k] ** 2 * x[k] + y[k - 1]
    return np.sum(x**2)


@kept
def by_steps(y):
    s = y[0]
    for k in reversed(range(0, len(y), 2)):
        s = s * y[k] + k
    return s


@kept
def bound_anew_in_the_loop(y):
    n, s = 3, y[0]
    for k in reversed(range(n)):
        n = n + 1
        s = s * y[k] + n
    return s


@kept
def left_early(y):
    s = y[0]
    for k in reversed(range(len(y))):
        if k == 1:
            break
        s = s * y[k] + k
    return s


@kept
def no_trips(y):
    s = y[0] ** 2
    for k in reversed(range(len(y) - 4)):
        s = s * y[k]
    return s


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", FUNCTIONS[:3], ids=named)
def test_no_tapes(function: Function) -> None:
    assert "tape" not in grad(function).source(X)
