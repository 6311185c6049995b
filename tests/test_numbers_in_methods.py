"""Numbers that an object of the module holds, read by methods of it: sizes, widths, steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Solver:
    def __init__(self, power):
        self.power = power
        self.factors = {"first": 1.5, "second": 2}


class Problem:
    def __init__(self, n, width, solver):
        self.n = n
        self.width = width
        self.first = np.float64(0.3)
        self.solver = solver

    @property
    def step(self):
        return self.width / self.n

    def shifted(self, x):
        z = x - np.zeros(self.n)
        w = np.empty_like(z)
        w[0] = z[0] * self.first
        w[1:] = z[1:] ** self.solver.power
        return np.sum(w)

    def clipped(self, x):
        z = x / self.n
        z[z > 0.4] = 0.0
        return np.sum(z * z)

    def evaluate(self, x, out):
        f = np.ones((2, self.n)) * x * self.solver.factors["first"]
        f[:, 1:] *= x[(self.n - 2) :: -1] ** self.solver.factors["second"]
        out["F"] = f

    def march(self, x):
        u = np.zeros(self.n + 1)
        for i in range(self.n):
            u[i + 1] = u[i] + self.step * x[i] * np.cos(u[i])
        return u


PROBLEM = Problem(3, 2.0, Solver(2))


@followed
def shifted(x):
    return PROBLEM.shifted(x)


@followed
def clipped(x):
    return PROBLEM.clipped(x)


@followed
def evaluated(x):
    out = {}
    PROBLEM.evaluate(x, out)
    return np.sum(out["F"])


@followed
def marched(x):
    return PROBLEM.march(x) @ PROBLEM.march(x * x)


test_right = each_right(FUNCTIONS, X, X_DOT)


def test_text() -> None:
    text = grad(clipped).source(X)
    assert "plain(" not in text and "unbroadcast(" not in text, text


@pytest.mark.parametrize(
    ("width", "power"),
    [
        (3, 2.5),
        (np.float64(0.7), 2),
        (np.float32(0.5), np.array([2.0, 3.0])),
        (np.array(1.5), np.int64(3)),
    ],
)
def test_numbers_of_another_sort(
    monkeypatch: pytest.MonkeyPatch, width: object, power: object
) -> None:
    """What the object holds is looked at in every call."""
    gradients = {function: grad(function) for function in (shifted, marched)}
    for function, gradient in gradients.items():
        assert_close(gradient(X), numeric_gradient(function, (X,), 0, 1.0), function.__name__)
    monkeypatch.setattr(PROBLEM, "width", width)
    monkeypatch.setattr(PROBLEM.solver, "power", power)
    for function, gradient in gradients.items():
        assert_close(gradient(X), numeric_gradient(function, (X,), 0, 1.0), function.__name__)
        check_along(function, X, X_DOT)
