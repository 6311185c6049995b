"""Numbers that an object of the module holds, read by methods of it: sizes, widths, steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_along_after, each_right, kept_in, named
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


class Column:
    def __init__(self, n, trips, step):
        self.n, self.trips, self.step = n, trips, step

    def run(self, x):
        c, q = np.zeros(self.n), np.zeros(self.n)
        outlet = 0.0
        for _ in range(self.trips):
            rate = x[0] * (x[1] * c / (1 + c) - q)
            upstream = np.concatenate((np.ones(1), c[:-1]))
            c = c + self.step * (x[2] * (upstream - c) - rate)
            q = q + self.step * rate
            outlet = outlet + c[-1] * self.step
        return outlet


class World:
    def __init__(self, steps, parts, weights):
        self.steps, self.parts, self.weights = steps, parts, weights

    def simulate(self, x):
        y = x[0]
        for _ in range(self.steps):
            f = x[1]
            for part in self.parts:
                f = f + part.step * np.sin(y * part.n)
            for w, z in zip(self.weights, x):
                f = f * w * z
            y = y * f * 0.1
        return y

    def changed(self, x):
        y = x[0]
        for part in self.parts:
            y = y * y * part.step
        sorted([1, 2], key=lambda k: self.parts.append(self.parts[0]) or k)
        for part in self.parts:
            y = y * y * part.step
        return y

    def reset(self):
        del self.parts[2:]


class Growing:
    def __init__(self):
        self.n, self.step = 1, 0.5

    def grow(self):
        self.n, self.step = self.n + 1, self.step + 0.25

    def reset(self):
        self.n, self.step = 1, 0.5

    def run(self, x):
        c = np.full(self.n, x[0] * self.step)
        sorted([1, 2], key=lambda k: self.grow() or k)
        return np.sum(c * np.full(self.n, x[1] * self.step))


PROBLEM = Problem(3, 2.0, Solver(2))
COLUMN, COLUMNS = Column(4, 3, 0.2), [Column(1, 2, 0.3), Column(3, 2, 0.2)]
GROWING = Growing()
WORLD = World(3, [Column(1, 2, 1.3), Column(2, 2, 0.7)], [0.5, 1.5, 2.5])


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


@followed
def passed(x):
    return COLUMN.run(x)


@followed
def each_passed(x):
    total = 0.0
    for column in COLUMNS:
        total += column.run(x) * column.step
    return total


@followed
def together(x):
    total = np.zeros(3)
    for column in COLUMNS:
        total = total + np.full(column.n, x[0]) * column.step * x
        total = total * np.full(COLUMNS[0].n, x[1]) + np.full(COLUMN.n - 1, x[2])
    return np.sum(total)


@followed
def simulated(x):
    return WORLD.simulate(x)


def run_over_again(x):
    return WORLD.changed(x)


def grown(x):
    return GROWING.run(x)


def grown_by_another_name(x):
    growing = GROWING
    c = np.full(growing.n, x[0] * growing.step)
    sorted([1, 2], key=lambda k: growing.grow() or k)
    return np.sum(c * np.full(growing.n, x[1] * growing.step))


test_right = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", [grown, grown_by_another_name], ids=named)
def test_changed_out_of_sight(function: Callable[..., Any]) -> None:
    check_along_after(GROWING.reset, function, X, X_DOT)


def test_lists_that_change_out_of_sight() -> None:
    check_along_after(WORLD.reset, run_over_again, X, X_DOT)


def test_lists_are_run_over_again() -> None:
    text = grad(simulated).source(X)
    assert "for part in reversed(self.parts):" in text, text


def test_text() -> None:
    text = grad(clipped).source(X)
    assert "plain(" not in text and "unbroadcast(" not in text, text


def test_text_of_a_loop() -> None:
    """Arrays made for one number are equally long, and a number that stays is read again."""
    text = grad(passed).source(X)
    assert "unbroadcast(" not in text and "= self.step" not in text, text
    assert "dt = dc * self.step" in text, text


@pytest.mark.parametrize("n", [0, 1, 2, np.int64(3)])
def test_lengths_change_between_calls(monkeypatch: pytest.MonkeyPatch, n: Any) -> None:
    gradient = grad(passed)
    gradient(X)
    monkeypatch.setattr(COLUMN, "n", n)
    monkeypatch.setattr(COLUMN, "trips", min(n, 2))
    assert_close(gradient(X), numeric_gradient(passed, (X,), 0, 1.0), "passed")


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
