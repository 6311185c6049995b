"""What a call gives back is given to another one, which gives it back, too: each happens once."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import NotDifferentiable, grad

RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])


class Stack:
    def __init__(self):
        self.items, self.scale = [], 1.0

    def push(self, x):
        self.items.append(x)
        return self

    def times(self, k):
        self.scale = self.scale * k
        return self

    def total(self):
        return sum(self.items) * self.scale


def handed(p):
    return p


def counted(p, n):
    n[0] += 1
    return p


def doubled(d):
    d["v"] = d["v"] * 2
    return d


@kept_in(RIGHT)
def object_that_a_method_gives_back(x):
    other = handed(Stack().push(x))
    other.push(2.0).times(x)
    return np.sum(other.times(3.0).total())


@kept_in(RIGHT)
def by_keyword(x):
    other = handed(p=Stack().push(x).push(1.0))
    other.times(x)
    return np.sum(other.total())


@kept_in(RIGHT)
def several_times(x):
    other = handed(handed(Stack().push(x)).times(x[0]).push(2 * x))
    other.times(x)
    return np.sum(other.times(3.0).total())


@kept_in(RIGHT)
def dict_that_is_counted(x):
    n, d = [0], {"v": x}
    e = counted(counted(d, n), n)
    e["v"] = e["v"] * x
    return np.sum(e["v"]) * n[0]


@kept_in(RIGHT)
def dict_that_is_changed(x):
    d = {"v": x, "k": 1.0}
    return np.sum(handed(doubled(d))["v"] ** 2)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Function) -> None:
    check_along(function, X, X_DOT)


class Held:
    def __init__(self, value):
        self.value = value

    def grow(self, k):
        self.value = self.value * k


def last(first, second):
    return second


def test_by_a_partial_of_what_is_made_in_the_call() -> None:
    def loss(x):
        held = functools.partial(last, 0)(Held(x[0]))
        held.grow(x[1])
        return held.value

    with pytest.raises(NotDifferentiable, match="give the result of the call a name first"):
        grad(loss)(X)
