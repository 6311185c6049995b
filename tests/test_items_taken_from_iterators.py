"""Iterators that have a name: `it = iter(x); first = next(it); for v in it: ...`."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

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


@refused("an iterator that is kept is not followed")
def until_it_ends(x):
    it = iter(x)
    try:
        a = next(it)
    except StopIteration:
        a = 0.0
    return a * x[0]


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
