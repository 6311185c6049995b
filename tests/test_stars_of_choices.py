"""`f(*(a, b) if c else (d, e))`: a choice that is made for each of its elements is recorded for each; stars of nothing, and of parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([1.0, -1.1, -0.8]), np.array([1.0, -2.0, 0.5])


@kept_in(RIGHT)
def in_a_loop(p, n=0.3):
    s = 0.0
    for e in p[:-1]:
        s = s + np.arctan2(*((0.55, n) if e > 0.26 else (0.85, p[1])))
    return s


@kept_in(RIGHT)
def of_three_elements(p):
    s = p[0]
    for e in p:
        s = s + np.clip(*((s * e, -1.0, p[1] + 3.0) if e > 0 else (s * p[2], -0.5, 4.0)))
    return s


@kept_in(RIGHT)
def where_all_vary(p):
    s = 1.0
    for e in p:
        s = s * np.hypot(*((e, p[1]) if s > 1 else (p[2], s)))
    return s


@kept_in(RIGHT)
def of_an_empty_tuple(p):
    b = ()
    b = (*b, p[0])
    return b[0] * p[1]


@kept_in(RIGHT)
def of_an_empty_list(p, b=[]):
    c = [*b, p[0] ** 2]
    d = [*b]
    d.append(p[1])
    e = [*b, 1.0, *c]
    e.append(p[2])
    return c[0] * d[0] * e[-1] * e[1]


@kept_in(RIGHT)
def of_all_but_one(p):
    def f(a, b, c):
        return a * b + c**2 * a

    args, g = (p[0], p[1], p[2]), np.zeros(3)
    for i in range(len(args)):
        g[i] = f(*args[:i], args[i] + 0.1, *args[i + 1 :]) - f(*args)
    return np.sum(g**2)


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)
