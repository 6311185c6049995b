"""Lists of placeholders, `[[None]] * n`, each of which is replaced before it is used; and those that are used."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad, jvp

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, -0.4, 1.1]), np.array([0.3, 0.9, -0.5])


def turned(t):
    return np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])


@right
def forth_and_back(x):
    """As the inverse dynamics of chains of bodies are written."""
    n = len(x)
    A = [[None]] * (n + 1)
    V = np.zeros((2, n + 1))
    V[:, 0] = x[0], 1.0
    A[n] = turned(x[1] * x[2])
    for i in range(n):
        A[i] = turned(x[i])
        V[:, i + 1] = np.dot(A[i], V[:, i]) + x[i]
    f, s = np.ones(2), 0.0
    for i in range(n - 1, -1, -1):
        f = np.dot(np.array(A[i + 1]).T, f) + V[:, i]
        s += f @ V[:, i + 1]
    return s


@right
def some_left(x):
    """The first is not asked for."""
    A = [[None]] * 3
    for i in range(1, 3):
        A[i] = np.outer(x, x) * i
    return np.sum(np.dot(A[1], x) - A[2])


@right
def on_no_trip(x):
    A = [[None]] * 2
    for i in range(len(x) - 3):
        A[i] = x * i
    return np.sum(x * x)


test_right = each_right(RIGHT, X, X_DOT)


def asked_for(x):
    A = [[None]] * 3
    A[0] = x
    return np.sum(x * x) if A[1] is None else np.sum(x)


def of_shape(x):
    A = [[None]] * 3
    A[0] = x
    return np.sum(A[0] * len(A[1]))


def under_another_name(x):
    A = [[None]] * 2
    B = A
    B[0] = x
    return np.sum(A[0] - x * x) if A[1] == [None] else np.sum(x)


@pytest.mark.parametrize("function", [asked_for, of_shape, under_another_name])
def test_placeholders_that_are_asked(function: Function) -> None:
    """Right, or refused."""
    try:
        gradient, tangent = grad(function)(X), jvp(function, (X,), (X_DOT,))[1]
    except NotDifferentiable:
        return
    expected = {asked_for: np.ones(3), of_shape: np.ones(3), under_another_name: 1 - 2 * X}
    assert_close(gradient, expected[function], "gradient")
    assert_close(tangent, expected[function] @ X_DOT, "tangent")


def test_one_that_is_used_raises() -> None:
    def f(x):
        A = [[None]] * 2
        A[0] = x
        return np.sum(np.dot(A[1], x) + A[0])

    with pytest.raises((NotDifferentiable, TypeError)):
        grad(f)(X)
