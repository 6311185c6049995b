"""`s.advance(sum(f(s) for f in forces), dt)`: steps in a comprehension among the arguments of an element's method."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, check_refused, named

X, X_DOT = np.array([0.7, 0.4]), np.array([1.0, -2.0])


class State:
    def __init__(self, place):
        self.place = place

    def advance(self, a, dt):
        self.place = self.place + a * dt

    def plus(self, a):
        return self.place + a


class Spring:
    def __init__(self, k):
        self.k, self.energy = k, 0.0

    def __call__(self, s):
        self.energy = self.energy + 0.5 * self.k * s.place**2
        return -self.k * s.place


class Holder:
    def __init__(self, state):
        self.state = state


class Swap:
    def __init__(self, k):
        self.k = k

    def __call__(self, h):
        h.state = State(self.k)
        return h.state.place * self.k


class Grow(Swap):
    def __call__(self, h):
        h.state.place = h.state.place * self.k
        return h.state.place


def of_each_element(x):
    forces = [Spring(x[0]), Spring(x[1])]
    states = [State(x[0]), State(2.0)]
    for _ in range(2):
        for s in states:
            s.advance(sum(f(s) for f in forces), 0.1)
    return states[1].place + forces[0].energy


def of_a_list(x):
    forces = [Spring(x[0]), Spring(x[1])]
    states = [State(x[0]), State(2.0)]
    for s in states:
        s.advance(sum([f(s) for f in forces]), 0.1)
    return states[1].place * forces[1].energy


def of_what_an_object_holds(x):
    h = Holder(State(x[0]))
    return h.state.plus(sum(f(h) for f in [Grow(x[0]), Grow(x[1])])) * h.state.place


def of_what_is_another_then(x):
    h = Holder(State(x[0]))
    swaps = [Swap(x[0]), Swap(x[1])]
    return h.state.plus(sum(f(h) for f in swaps)) + h.state.place


def of_arrays(x):
    forces = [Spring(x[0]), Spring(x[1])]
    s = State(x[1])
    t = 0.0
    for row in [x * 2.0, x + 1.0]:
        t = t + row.dot(x * sum(f(s) for f in forces))
    return t + forces[0].energy


FUNCTIONS = (
    of_each_element, of_a_list, of_what_an_object_holds, of_what_is_another_then, of_arrays,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function):
    check_along(function, X, X_DOT)


def with_two_names(x):
    h = Holder(State(x[0]))
    old = h.state
    swaps = [Swap(x[0]), Swap(x[1])]
    h.state.advance(sum(f(h) for f in swaps), 0.1)
    return h.state.place + 2.0 * old.place


def test_what_is_another_and_has_two_names():
    check_refused(with_two_names, "a call puts something else", X)
