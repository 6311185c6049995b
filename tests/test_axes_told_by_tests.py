"""How many axes an array has is known where a test says so: `if A.ndim == 2: y = solve(A, b)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient
from scipy.linalg import solve_triangular

from tangentish import grad, jvp

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 0.4, 0.9, 1.2]), np.array([1.0, -2.0, 0.5, 0.3])
AXES = 2


def of_any_axes(x, n):
    return np.reshape(np.exp(x), tuple(2 for _ in range(n)) if n else (4,))


def solved(A, b):
    return np.sum(solve_triangular(A, b, lower=True) ** 2)


@right
def by_its_attribute(x):
    A = of_any_axes(x, AXES)
    if A.ndim == 2:
        return solved(A, x[:2])
    return np.sum(A)


@right
def beside_another_test(x):
    A, b = of_any_axes(x, AXES), of_any_axes(x, AXES - 2)
    if b.ndim == 1 and A.ndim == 2 and x[0] > 0:
        return np.sum(solve_triangular(A, b[:2], lower=True))
    return np.sum(A)


@right
def where_others_have_left(x):
    A, B = of_any_axes(x, AXES), of_any_axes(x, AXES - 2)
    if len(A.shape) != 2 or np.ndim(B) != 1:
        return np.sum(A)
    assert len(B.shape) == 1
    return solved(A, B[:2]) * np.sum(np.outer(B, x))


def of_one_or_two(A, b):
    if A.ndim == 1:
        A = np.diag(A) + np.eye(len(A))
    elif not A.ndim == 2:
        raise ValueError(A.ndim)
    return solved(A, b)


@right
def bound_anew_there(x):
    one, two = of_any_axes(x, AXES - 2), of_any_axes(x, AXES)
    return of_one_or_two(one, x) * of_one_or_two(two, x[:2])


@right
def in_a_conditional(x):
    A = of_any_axes(x, AXES)
    total = solve_triangular(A, x[:2], lower=True)[1] if np.ndim(A) == 2 else A[0]
    B = of_any_axes(x, AXES - 2)
    total = total + (np.sum(np.linalg.inv(B)) if B.ndim == 2 else B[3])
    return total * np.sum(A * B[:2])


@right
def on_each_trip(x):
    total, A = 0.0, of_any_axes(x, AXES)
    for _ in range(3):
        if 0 < A.ndim and A.ndim == 2:
            total += solved(A, x[:2])
        A = A[0] if A.ndim == 2 else A[:, np.newaxis] * A
    return total + np.sum(A)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_first_derivatives(function: Callable[..., Any]) -> None:
    numeric = numeric_gradient(function, (X,), 0, 1.0)
    assert_close(grad(function)(X.copy()), numeric, "gradient")
    assert_close(jvp(function, (X,), (X_DOT,))[1], numeric @ X_DOT, "tangent")
