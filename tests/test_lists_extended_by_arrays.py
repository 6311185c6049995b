"""`xs.extend(x)` of an array takes its elements, as `xs.extend(list(x))` does; `xs += x` makes xs an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


class Path:
    def __init__(self):
        self.s = [0.0]

    def add(self, d):
        self.s.extend(d)


def add(s, d):
    s.extend(d * 2)


def weighed(s):
    return sum(v * v * k for k, v in enumerate(s, 1))


@kept_in(RIGHT)
def sums(x):
    s = [0]
    s.extend(np.cumsum(x))
    return s[2] * s[1]


@kept_in(RIGHT)
def rows(x):
    s = []
    s.extend(np.outer(x, x))
    s.extend(np.outer(x, x)[:2] * 2)
    return np.sum(s[1] * s[2] + s[5])


@kept_in(RIGHT)
def in_a_loop(x):
    s = []
    for k in range(4):
        s.extend(x[k:] * k)
        s.append(x[0])
    return weighed(s)


@kept_in(RIGHT)
def what_is_written_to_later(x):
    y = x * 2
    s = [x[0]]
    s.extend(y)
    y[1] = 3.0
    s.extend(y)
    return weighed(s)


@kept_in(RIGHT)
def in_functions_and_methods(x):
    s, path = [], Path()
    add(s, x)
    add(s, x**2)
    path.add(x)
    path.add(np.sin(x))
    return weighed(s) * weighed(path.s)


@kept_in(RIGHT)
def none_at_all(x):
    s = [1.0]
    s.extend(x[4:])
    return s[-1] * x[0] * len(s)


@refused_in(REFUSED)("this is no list")
def by_an_operator(x):
    s = [0]
    s += np.cumsum(x)
    return s[2] * s[1]


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
