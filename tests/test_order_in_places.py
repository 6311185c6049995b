"""Places of stores that are found by calls: what is read before a call is what it was then; or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named
from numeric import assert_close

from tangentish import vjp

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])

ONES = np.arange(1.0, 4.0)


class Part:
    def __init__(self, v):
        self.v = v
        self.c = v * np.ones(3)


class Track:
    def __init__(self, w):
        self.w = w
        self.n = 0
        self.x = w * 2
        self.c = w * np.ones(3)
        self.part = Part(w)

    def step(self):
        self.n += 1
        self.x = self.x * self.w
        return self.n

    def grow(self):
        self.c = self.c * self.w
        return 1

    def renew(self, v):
        self.part = Part(v * 3)
        return v


# -- what an index reads before a call in it


@kept_in(RIGHT)
def counted_before(x):
    t, y = Track(x[0]), x * 2
    y[t.n + t.step()] *= t.x
    y[t.n + t.step() - 3] = t.x * x[1]
    return y @ ONES


@kept_in(RIGHT)
def bounds(x):
    t, y = Track(x[0]), x * 2
    y[t.n : t.step()] *= t.x
    y[t.n - 2 : t.step() - 1] = y[t.n - 1 : t.step()] * t.x
    y[t.n - 3 : t.step() - 2] += t.x
    return y @ ONES


@kept_in(RIGHT)
def two_axes(x):
    t, y = Track(x[0]), np.outer(x, x)
    y[t.n, t.step()] *= t.x
    y[t.step(), t.n] = t.x * x[1]
    return np.sum(y * np.arange(9.0).reshape(3, 3))


@kept_in(RIGHT)
def axis_beside_new_ones(x):
    t, y = Track(x[0]), np.outer(x, x)
    y[np.newaxis, t.n, t.step()] *= t.x
    return np.sum(y * np.arange(9.0).reshape(3, 3))


@kept_in(RIGHT)
def arrays_of_a_list(x):
    t, rows = Track(x[0]), [x * 2, x * 3]
    rows[t.n][t.step()] *= t.x
    rows[t.n][t.step()] = t.x
    return np.sum(rows[0]) + rows[1] @ x


@kept_in(RIGHT)
def in_a_loop(x):
    t, y = Track(x[0]), x * 2
    for v in x[1:]:
        y[t.n : t.step()] += v * t.x
    return y @ ONES


@kept_in(RIGHT)
def one_of_two_targets(x):
    t, y = Track(x[0]), x * 2
    a, y[t.n : t.step() + 1], b = t.n, t.x, t.x
    return y @ ONES + a * b * t.x


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    assert_close(vjp(function, X)[0], function(X.copy()), function.__name__)
    check_along(function, X, X_DOT)
