"""Attributes that `setattr` sets under names which are known, and tuples that get more by `+=`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Options:
    def __init__(self, **given):
        self.n = 0
        for name, value in given.items():
            setattr(self, name, value)
            self.n += 1


class Squared:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, v):
        self._a = v * v


@kept_in(RIGHT)
def in_init(p):
    o = Options(k=p[0], m=p[1])
    return o.k / o.m * o.n


@kept_in(RIGHT)
def in_a_loop_over_names(p):
    o = Options(k=p[0], m=p[1])
    for name in ("k", "m"):
        setattr(o, name, getattr(o, name) * p[2])
    return o.k * o.m + o.n


@kept_in(RIGHT)
def by_a_property(p):
    s = Squared(p[0])
    setattr(s, "a", p[1])
    return s.a * s._a


@kept_in(RIGHT)
def a_tuple_that_gets_more(p):
    t = u = (p[0],)
    t += (p[1], 2.0)
    return len(t) * t[1] * u[0] + len(u)


@kept_in(RIGHT)
def a_tuple_in_a_loop(p):
    t = ()
    for v in p:
        t += (v * v,)
    return sum(t) * t[0]


@kept_in(RIGHT)
def a_tuple_on_a_path(p):
    t = (1.0,)
    if p[0] > 0.5:
        t += (p[1],)
    return t[-1] * p[0]


test_right = each_right(RIGHT, P, P_DOT)
