"""Names that are None on some ways and a tuple, a dict or an object on others, and get a second name before that is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from every_mode import Function, each_right, kept_in

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.7, 1.1])


class Pair:
    def __init__(self, u: Any, v: Any) -> None:
        self.u, self.v = u, v


def pair(x):
    return x**2, np.sin(x)


@keep
def a_second_name(x):
    s = None
    if x[0] > 1:
        s = (x**2, x * 3)
    a = s
    if x[0] > 1:
        return np.sum(a[0] * x)
    return np.sum(x**3)


@keep
def one_of_two(x):
    s = t = None
    if x[0] > 0:
        s = pair(x)
    else:
        t = (x, x**3)
    both = (s, t, x)
    if x[0] > 0:
        return np.sum(both[0][0] * both[2])
    return np.sum(both[1][1])


@keep
def one_of_two_nested(x):
    s, t = None, None
    if x[0] > 1:
        s = [x**2, (x, x * 2)]
    else:
        t = (x, x**3)
    both = s, t
    if x[0] > 1:
        return np.sum(both[0][0] * both[0][1][1])
    return np.sum(both[1][1])


@keep
def the_one_before(x):
    s, y, k = None, x, 0
    while k < 3:
        if k > 0:
            t = s
            y = y * t[0]
        s = (x * (k + 1), x**2)
        k += 1
    return np.sum(y * s[1])


@keep
def entries(x):
    s = None
    if x[0] < 0:
        s = {"u": x**2, "v": x * 3}
    a = s
    if x[0] < 0:
        return np.sum(a["u"] * x)
    return np.sum(x**3)


@keep
def attributes(x):
    s = None
    if x[0] < 0:
        s = Pair(x**2, x * 3)
    a = s
    if x[0] < 0:
        return np.sum(a.u * x)
    return np.sum(x**3)


def chosen(x):
    s = t = None
    if x[0] > 0:
        y, s = np.sin(x) * x, pair(x)
    else:
        y, t = x**2, pair(x * 2)
    return y, (s, t, x)


@keep
def from_a_call(x):
    y, (s, t, z) = chosen(x)
    return np.sum(s[0] * y) if z[0] > 0 else np.sum(t[1] * y)


test_right = each_right(RIGHT, X, X_DOT)
