"""Iterators that have a name: `it = iter(x); first = next(it); for v in it: ...`."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import grad

X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)


def smoothed(vs, k):
    vs = iter(vs)
    s = next(vs) * 1.0
    for v in vs:
        s = k * v + (1 - k) * s
    return s


@right
def first_and_others(x):
    return smoothed(x, x[1]) * smoothed([v**2 for v in x], 0.3)


@right
def two_and_the_sum_of_others(x):
    it = iter(x)
    a = next(it)
    b = next(it) ** 2
    return a * b + sum(it)


@right
def rows(x):
    it = iter(x.reshape(2, 2))
    y = next(it)
    for row in it:
        y = y @ np.outer(row, row)
    return np.sum(y)


@refused("an iterator that is kept is not followed")
def changed_meanwhile(x):
    y = x * 2
    it = iter(y)
    a = next(it)
    y[1] = 5.0
    return a * sum(it)


@refused("an iterator that is kept is not followed")
def taken_on_one_way(x):
    it = iter(x)
    a = next(it) if x[0] > 0.5 else 1.0
    return a * sum(it)


@refused("an iterator that is kept is not followed")
def run_over_twice(x):
    it = iter(x)
    return sum(it) * 2 + sum(it)


@right
def until_it_ends(x):
    it = iter(x)
    s = 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s += v**2
    return s


@right
def until_there_is_none(x):
    it = iter([v**2 for v in x])
    s = 0.0
    while (v := next(it, None)) is not None:
        s += v * np.sin(next(it, 0.5))
    return s


@right
def two_loops_and_a_line(x):
    it = iter(x)
    s = 0.0
    for v in it:
        if v > 0.8:
            break
        s = s * v + next(it)
    for v in it:
        s += v**3
    return s * next(it, 2.0)


@refused("an iterator that is kept is not followed")
def changed_on_each_trip(x):
    y = x * 1.0
    it = iter(y)
    s = 0.0
    for _ in range(2):
        s += next(it) ** 2
        y *= 2
    return s


def test_more_than_there_are() -> None:
    def f(x):
        it = iter(x)
        s = 0.0
        for _ in range(5):
            s += next(it)
        return s

    with pytest.raises(StopIteration):
        grad(f)(X)


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
