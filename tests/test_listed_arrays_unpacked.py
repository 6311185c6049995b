"""`a, b = listed(x)` of arrays in a list: each has its whole gradient, also where that of a sum is one number."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])
WEIGHTS = np.array([1.0, 2.0])


def matrices(x):
    return [np.array([[v * v, v * k], [v, x[0]]]) for k, v in enumerate(x)]


def columns(rows):
    return tuple([np.array([row[k] for row in rows]) for k in range(2)])


@kept_in(RIGHT)
def summed(x):
    a, b, c = matrices(x)
    return np.sum(a) * np.mean(c) + np.sum(b, axis=1) @ WEIGHTS


@kept_in(RIGHT)
def summed_along_an_axis(x):
    a, _, c = tuple(matrices(x))
    return np.sum(np.sum(a, axis=0) * WEIGHTS) + np.sum(c)


@kept_in(RIGHT)
def columns_of_rows(x):
    a, b = columns([(v * v, 1.0) for v in x])
    return np.sum(a) * np.sum(b)


@kept_in(RIGHT)
def some_of_them(x):
    a, *rest = matrices(x)
    b, c = rest
    return np.max(a) * np.sum(b) + np.sum(c)


test_right = each_right(RIGHT, X, X_DOT)
