"""What takes itself and something more, `m[i] = m[i] - f * m[k]`, keeps its gradient: it is not stored where it stands."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])
A = np.array([[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.3, 1.0, 6.0]])


@kept
def eliminated(x):
    m, y = A * x, x**2
    for k in range(3):
        p = m[k, k]
        m[k] = m[k] / p
        y[k] = y[k] / p
        for i in range(3):
            if i != k:
                f = m[i, k]
                m[i] = m[i] - f * m[k]
                y[i] = y[i] - f * y[k]
    return np.sum(y**2)


@kept
def factored(x):
    lower, upper = np.eye(3), A * x
    for k in range(2):
        lower[k + 1 :, k] = upper[k + 1 :, k] / upper[k, k]
        upper[k + 1 :, k:] = upper[k + 1 :, k:] - np.outer(lower[k + 1 :, k], upper[k, k:])
    return np.sum(lower * upper)


@kept
def diffused(x):
    u, k = np.array([x[0], x[1] ** 2, x[2], 1.0]), 0.1 * x[0]
    for _ in range(2):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@kept
def stored_to_in_between(x):
    u = x**2
    for i in range(2):
        v = u[i + 1]
        u[i + 1] = u[i + 1] + np.sin(x[i]) * (v + u[i])
    return np.sum(u**3)


@kept
def at_places_that_repeat(x):
    y = x**2
    places = [0, 1, 0]
    y[places] = y[places] + x * y[1]
    return np.sum(y**2)


@kept
def in_a_list(x):
    y = [x[0] ** 2, x[1], x[2]]
    for i in range(2):
        y[i] = y[i] - y[i + 1] * x[i]
    return y[0] * y[1] + y[2]


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", FUNCTIONS[:4], ids=named)
def test_text(function: Function) -> None:
    lines = [line.strip() for line in grad(function).source(X).splitlines()]
    assert not any(line.endswith("] = g") for line in lines)
