"""Variables, parameters and functions that are called `_` and read: what nobody reads has another name beside them."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import differentiate

RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])


def _(text):
    return text


class State:
    def __init__(self, x):
        self.x, self.k = x, 2.0


def two(x, k):
    return x * 2, k


def moved(state):
    new = State(state.x * state.x)
    new.k = state.k
    return new


@kept_in(RIGHT)
def parameter(_):
    t, k = two(_, 3)
    return np.sum(t * _)


@kept_in(RIGHT)
def parameter_beside_objects(_):
    state = State(_[0])
    for i in range(2):
        state = moved(state)
    return state.x * state.k * _[2]


def of_many(_):
    y = 0.0
    for k in range(3):
        y = y + two(_ * k, k)[0]
    return y * _


@kept_in(RIGHT)
def parameter_of_a_helper(x):
    return np.sum(of_many(x) * of_many(2 * x))


@kept_in(RIGHT)
def bound_by_a_function_inside(x):
    _ = x * 2

    def go():
        nonlocal _
        t, u = two(_, 2)
        _ = _ * t

    go()
    go()
    return np.sum(_)


@kept_in(RIGHT)
def of_a_loop(x):
    s = 0.0
    for _ in range(3):
        t, k = two(x, _)
        s = s + np.sum(t * x) * _
    return s


@kept_in(RIGHT)
def of_the_module(x):
    if len(x) > 7:
        raise ValueError(_("too long"))
    t, u = two(x, 3)
    return np.sum(t * x)


@kept_in(RIGHT)
def of_the_module_beside_objects(x):
    state = State(x[0])
    for i in range(2):
        state = moved(state)
        print(end=_(""))
    return state.x * x[1]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Function) -> None:
    check_along(function, X, X_DOT)


def test_the_loop_keeps_its_name() -> None:
    text = differentiate(of_a_loop).jvp.source(X)
    assert "for _ in range(3):" in text
    assert "t, k, t_dot, unread = two_tangent(x, _, x_dot)" in text
