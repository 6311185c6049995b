"""zip and enumerate of arrays beside objects of the user's that are run over, and range of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, kept_in, named

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Steps:
    def __init__(self, n):
        self.k = 0
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= self.n:
            raise StopIteration
        self.k += 1
        return self.k * 1.0


class Weights:
    def __init__(self):
        self.values = [1.0, 2.0, 3.0]

    def __iter__(self):
        return iter(self.values)


class Count:
    def __init__(self, k):
        self.k = k

    def __index__(self):
        return self.k


@kept_in(RIGHT)
def an_iterator_first(x):
    s = 0.0
    for w, v in zip(Steps(2), x):  # noqa: B905
        s = s + w * v * v
    return s


@kept_in(RIGHT)
def an_iterator_of_a_list_first(x):
    weights = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    s = sum([w * v * v for w, v in zip(weights, x)])  # noqa: B905
    for w in weights:
        s = s + w * x[0] ** 3
    return s


@kept_in(RIGHT)
def an_iterator_between(x):
    weights = iter([1.0, 2.0, 3.0, 4.0, 5.0])
    s = 0.0
    for v, w, u in zip(x, weights, x[1:]):  # noqa: B905
        s = s + w * v * u
    return s * next(weights)


@kept_in(RIGHT)
def an_iterator_of_pairs_before_one_of_places(x):
    weights = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    s = 0.0
    for (k, w), v in zip(enumerate(weights), x):  # noqa: B905
        s = s + w * v * v * k
    return s * next(weights)


@kept_in(RIGHT)
def an_iterator_that_lasts_longer(x):
    s = 0.0
    for k, (v, w) in enumerate(zip(x, Steps(9))):  # noqa: B905
        s = s + w * v * v * k
    return s


@kept_in(RIGHT)
def an_iterator_without_items(x):
    s = x[0] * x[1]
    for w, v in zip(Steps(0), x):  # noqa: B905
        s = s + w * v * v
    return s


@kept_in(RIGHT)
def an_object_that_is_run_over(x):
    s, weights = 0.0, Weights()
    for v, w in zip(x, weights, strict=True):
        s = s + w * v * v
    return s


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, X, X_DOT)


def test_a_range_of_an_object_is_refused():
    def function(x):
        s = 0.0
        for k in range(Count(3)):
            s = s + x[k] * x[k]
        return s

    check_refused(function, "range() of an object", X)
