"""Tangents that nobody reads are not computed: what a value gets in its place has a tangent of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish.asking.asked import Asked
from tangentish.calling.dispatch import derivative

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])


@dataclass
class State:
    position: float = 0.0
    velocity: float = 0.0
    steps: float = 0.0


@keep
def what_takes_the_place_of_a_constant(x):
    state = State()
    state.position = x[0]
    state.velocity = x[1] * x[0]
    return state.position * state.velocity


@keep
def what_only_a_loop_reads(x):
    """The steps are counted, without a tangent: nobody reads them."""
    state, old = State(x[0], x[1]), 0.0
    for v in x:
        state.position = state.position + 0.1 * state.velocity
        state.steps = state.steps + v
        old, state.velocity = state.velocity, state.velocity * np.cos(old + v)
    return state.position**2


@keep
def what_only_one_way_reads(x):
    a, b = x[0] * x[1], x[2]
    if x[0] > 0:
        a = b
    c = a * 2
    a = x[1]
    try:
        a = a / x[0]
    except ZeroDivisionError:
        a = c
    return a * c


class Stepped:
    def __init__(self, x):
        self.x = x
        self.history = []

    def step(self):
        self.history.append(self.x)
        self.x = self.x * self.x


@keep
def what_a_method_appends_for_nobody(x):
    q = Stepped(x[0])
    for _ in range(2):
        q.step()
    return x[1] ** 2


@keep
def what_a_function_inside_reads(x):
    k = x[0]

    def inner(v):
        return v * k

    first = inner(x[1])
    k = x[2]
    return first * inner(x[0])


@keep
def arrays_that_are_written_to(x):
    y, z = np.zeros(3), x * 2
    view = y[1:]
    view[0] = x[0]
    z[1:] = view
    y = z
    return np.sum(y * z)


@keep
def list_of_an_array_that_does_not_vary(x):
    """What was put into it later varies; at first nothing does, though `x` is named where it is made."""
    left, signs = list(np.full_like(x, 3.0)), list(np.sign(x))
    total = 0.0
    for v in x:
        total += left.pop() * v * signs[0]
        signs[0] = v**2
    left.append(x[1] * total)
    return left[0] + sum(signs)


def places(xs):
    return sorted(range(len(xs)), key=lambda k: xs[k])[:2]


def counts(xs):
    return list(map(int, xs))


@keep
def lists_of_what_does_not_vary(x):
    i, j = places([v * v for v in x])
    a, b, _ = counts(x * 3.0)
    return x[i] * x[j] ** 2 * (a + b)


test_right = each_right(RIGHT, X, X_DOT)


def tangent(function: Callable[..., Any]) -> str:
    return derivative(function, Asked("jvp", (0,))).source(X)


def test_no_tangent_is_set_to_zero_for_nobody() -> None:
    assert "_dot = 0.0" not in tangent(what_takes_the_place_of_a_constant)


def test_no_tangent_is_added_up_for_nobody() -> None:
    assert "state_steps_dot" not in tangent(what_only_a_loop_reads)
