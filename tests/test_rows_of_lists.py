"""`np.r_[ab]` of a list or a tuple that carries no derivative: a vector, which is known where it is unpacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp

X, X_DOT = np.array([0.2, 1.3, 2.1, 3.4]), np.array([0.3, -0.2, 0.5, 0.1])
LIMITS = ([0.5, 2.5], (0.5, 2.5), [1, 3], (1, 2.5), np.array([0.5, 2.5]))


def between(x, limits):
    a, b = np.r_[limits]
    y = np.zeros(len(x))
    places = np.nonzero((x > a) & (x < b))[0]
    y[places] = (x[places] - a) ** 2 / (b - a)
    return np.sum(y)


def beside_numbers(x, limits):
    edges = np.r_[limits, 4.0] if isinstance(limits, list) else np.r_[np.array(limits), 4.0]
    y = np.zeros(len(edges))
    y[0] = x[0] * edges[1]
    y[-1] = x[1] ** 2 * edges[2]
    return np.sum(y**2)


@pytest.mark.parametrize("function", [between, beside_numbers])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_every_mode_gives_the_derivative(function: Any, limits: Any) -> None:
    def f(x):
        return function(x, limits)

    truth = numeric_gradient(f, (X,), 0, 1.0)
    assert_close(grad(function, wrt=0)(X, limits), truth, function.__name__)
    assert_close(jvp(f, (X,), (X_DOT,))[1], truth @ X_DOT, function.__name__)
    slope = numeric_gradient(lambda z: grad(f)(z) @ X_DOT, (X,), 0, 1.0)
    assert_close(hvp(f)(X, X_DOT), slope, function.__name__)


def test_a_row_of_integers_takes_no_floats() -> None:
    def f(x, places):
        row = np.r_[places]
        row[0] = x
        return np.sum(row)

    with pytest.raises((NotDifferentiable, TypeError)):
        grad(f, wrt=0)(0.7, [1, 2])
    assert grad(f, wrt=0)(0.7, [1.0, 2.0]) == 1.0
