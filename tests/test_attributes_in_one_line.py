"""Attributes that are set several in one line, `self.bodies, self.G = bodies, G`, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


class Body:
    def __init__(self, m, p):
        self.m, self.p = m, p


class System:
    def __init__(self, bodies, strength=1.0):
        self.bodies, self.strength, self.name = bodies, strength, "system"

    def total(self):
        return sum(self.strength * b.m * b.p**2 for b in self.bodies)


@form
def list_of_objects(x):
    return System([Body(x[k], x[k - 1]) for k in range(4)], x[0]).total()


class Pair:
    def __init__(self, a, b):
        self.a, self.b, self.k = a, b, 2.0

    def exchange(self):
        a, b = self.a, self.b
        self.a, self.b = b, a * self.k


@form
def exchanged(x):
    pair = Pair(x[0], x[1] * x[2])
    for _ in range(3):
        pair.exchange()
    return pair.a**2 * pair.b


class Counted:
    def __init__(self):
        self._v, self.n = 0.0, 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value * (1 + self.n)
        self.n += 1


@form
def by_setters_in_order(x):
    c, a, b = Counted(), x[0] ** 2, x[1]
    c.v, c.w = a, b
    c.n, c.v = 5, b
    return c.v * c.n * c.w


@form
def the_same_attribute_twice(x):
    c, a, b = Pair(x[0], x[1]), x[2], x[3]
    c.a, c.a = a, b
    return c.a**2 * c.b


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_every_mode(f: Callable[..., Any]) -> None:
    check_along(f, np.array([0.9, 0.5, 1.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6]))
