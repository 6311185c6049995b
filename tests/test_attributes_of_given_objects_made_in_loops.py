"""Attributes that an object which is given gets in a loop or a branch first, as optimizers keep their last step."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


class Adam:
    def __init__(self, trainable=True):
        self.m = 0.0
        self.rate = 0.1
        self.trainable = trainable

    def update(self, w, g):
        self.m = 0.9 * self.m + 0.1 * g
        self.step = self.rate * self.m
        return w - self.step


def in_a_loop(o, w, n=3):
    for _ in range(n):
        w = o.update(w, 2 * w)
    return np.sum(w)


def never(o, w):
    return in_a_loop(o, w, 0)


def in_a_branch(o, w):
    if o.trainable:
        w = o.update(w, w**2)
    return np.sum(w**2)


def read_afterwards(o, w):
    for k in range(2):
        w = o.update(w, w**2 * (k + 1))
    return np.sum(o.step * w)


def in_a_helper(o, w):
    total = in_a_loop(o, w, 2)
    return total + np.sum(o.step**2)


def from_trip_to_trip(o, w):
    total = 0.0
    for k in range(3):
        if k > 0:
            total += np.sum(o.last**2)
        o.last = w * (k + 1)
        total += np.sum(o.last * w)
    return total


def made_here(o, w):
    new = Adam()
    first = in_a_loop(new, w, 2)
    return first + np.sum(new.step * w) + in_a_branch(o, w)


WITH_OPTIMIZER: list[Callable[..., Any]] = [
    in_a_loop,
    never,
    in_a_branch,
    read_afterwards,
    in_a_helper,
    from_trip_to_trip,
    made_here,
]


def check(function: Callable[..., Any], make: Callable[[], Any]) -> None:
    def of_w(w):
        return function(make(), w)

    numeric = numeric_gradient(of_w, (X,), 0, 1.0)
    given = make()
    assert_close(grad(function, wrt="w")(given, X), numeric, function.__name__)
    assert pickle.dumps(given) == pickle.dumps(make())
    tangent = jvp(function, (make(), X), (None, X_DOT))[1]
    assert_close(tangent, numeric @ X_DOT, function.__name__)

    def along(w):
        return np.sum(grad(function, wrt="w")(make(), w) * X_DOT)

    slope = numeric_gradient(along, (X,), 0, 1.0)
    assert_close(hvp(function, wrt="w")(make(), X_DOT, X), slope, function.__name__)


@pytest.mark.parametrize("function", WITH_OPTIMIZER)
def test_optimizer(function: Callable[..., Any]) -> None:
    check(function, Adam)


def test_not_trainable() -> None:
    check(in_a_branch, lambda: Adam(trainable=False))


def test_of_the_object() -> None:
    found = grad(in_a_loop, wrt="o")(Adam(), X)
    h = 1e-6
    ends = []
    for sign in (1, -1):
        o = Adam()
        o.rate += sign * h
        ends.append(in_a_loop(o, X))
    assert_close(found.rate, (ends[0] - ends[1]) / (2 * h), "rate")
