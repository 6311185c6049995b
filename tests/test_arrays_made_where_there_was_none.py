"""What is None at first and an array from the first trip on, which a function called on each trip updates in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp

X = np.array([0.7, 1.3])


class Adagrad:
    def __init__(self, start=None):
        self.squares = start

    def update(self, w, g):
        if self.squares is None:
            self.squares = np.zeros(np.shape(w))
        self.squares += g**2
        return w - 0.1 * g / np.sqrt(self.squares + 0.5)


def several_trips(o, w, n):
    for _ in range(n):
        w = o.update(w, 0.5 * w)
    return np.sum(w * w)


def none_again(o, w, n):
    for k in range(n):
        if k % 3 == 2:
            o.squares = None
        w = o.update(w, 0.5 * w)
        if o.squares is not None:
            w = w + np.sin(0.1 * o.squares)
    return np.sum(w * w)


def known_by_another_name(o, w, n):
    held = o.squares
    for _ in range(n):
        w = o.update(w, 0.1 * w)
        if held is not None:
            w = w + held * held
    return np.sum(w * w)


def made(squares, w):
    if squares is None:
        squares = np.zeros(np.shape(w))
    squares += w * w
    return squares, w / np.sqrt(squares + 0.3)


def of_a_function(o, w, n):
    squares = o.squares
    for k in range(n):
        squares, w = made(squares, w)
        if k == 1:
            squares = None
    return np.sum(w * w)


FUNCTIONS = [several_trips, none_again, known_by_another_name, of_a_function]


@pytest.mark.parametrize("trips", [0, 1, 4])
@pytest.mark.parametrize("start", [None, 1.5])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradient_and_tangent(
    function: Callable[..., Any], start: float | None, trips: int
) -> None:
    def given() -> Adagrad:
        return Adagrad(None if start is None else np.full(2, start))

    def of_x(x: Any) -> Any:
        return function(given(), x, trips)

    numeric: Any = numeric_gradient(of_x, (X,), 0, 1.0)
    assert_close(grad(function, wrt=1)(given(), X, trips), numeric, function.__name__)
    x_dot = np.array([0.3, -0.4])
    slope = jvp(function, (given(), X, trips), (None, x_dot, None))[1]
    assert_close(slope, numeric @ x_dot, function.__name__)


def test_the_object_given_stays_as_it_is() -> None:
    for o in Adagrad(), Adagrad(np.ones(2)):
        before = None if o.squares is None else o.squares.copy()
        grad(several_trips, wrt=1)(o, X, 3)
        assert np.array_equal(o.squares, before)
