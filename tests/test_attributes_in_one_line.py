"""Attributes that are set several in one line, `self.bodies, self.G = bodies, G`, or by a call among arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

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


class Mixture:
    def __init__(self, mu):
        self.mu = mu

    def estep(self, x):
        r = np.exp(-((x[:, None] - self.mu) ** 2))
        self.ll = np.sum(np.log(r.sum(1)))
        return r / r.sum(1, keepdims=True)

    def mstep(self, x, r, rate=1.0):
        self.mu = rate * (r.T @ x) / r.sum(0)

    def fit(self, x, n):
        history = []
        for _ in range(n):
            self.mstep(x, self.estep(x))
            history.append(self.ll)
        return history


@form
def made_among_arguments_in_a_loop(x):
    m = Mixture(x[:2])
    history = m.fit(x, 3)
    return history[-1] - 2 * history[0] + m.mu @ x[2:]


@form
def made_among_arguments(x):
    m = Mixture(x[2:])
    m.mstep(x, r=m.estep(x), rate=m.ll)
    return m.mu @ x[:2] * m.ll


test_every_mode = each_right(
    FUNCTIONS, np.array([0.9, 0.5, 1.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6])
)
