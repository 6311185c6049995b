"""Stores to an array that a name is bound to anew: what the name stood for before need not be kept for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


class Rod:
    def __init__(self, u, k):
        self.u, self.k = u * 1.0, k

    def flux(self):
        return self.k * np.sin(self.u)

    def ends(self):
        self.u[0] = self.u[-1] = 0.1

    def plainly(self):
        self.u = self.u + self.flux()
        self.u[0] = self.u[-1] = 0.1

    def by_a_method(self):
        self.u = self.u + self.flux()
        self.ends()

    def read_between(self):
        self.u = self.u + self.flux() * self.u
        first = self.u[0] * self.u[1]
        self.u[0] = self.u[-1] * first
        self.u[1] = np.sin(self.u[0]) * first

    def stored_before_and_after(self):
        self.u[1] = self.u[0] * self.u[1]
        kept = np.sin(self.u)
        self.u = self.u * kept
        self.u[0] = kept[1] * self.u[0]
        self.u[2] *= self.u[0]

    def on_one_way(self, z):
        if z > 0.5:
            self.u = self.u * self.flux()
        self.u[0] = z * self.u[0]
        self.k = self.k + self.u[0] * self.u[1]

    def on_some_trips(self, z):
        for k in range(3):
            self.k = self.k + self.u[0] * self.u[1]
            self.u[0] = self.u[0] * z
            if k == 1:
                self.u = self.u * self.flux()
            self.u[1] = self.u[0] * self.u[1]

    def a_view(self, z):
        u = self.u[::-1] * z
        self.u = u[::-1]
        self.u[0] = z * self.u[0] * self.u[1]
        self.k = self.k * self.u[0]


@kept_in(RIGHT)
def plainly(x):
    rod = Rod(x, x[0])
    for _ in range(3):
        rod.plainly()
    return rod.u @ x


@kept_in(RIGHT)
def by_a_method(x):
    rod = Rod(x, x[0])
    for _ in range(3):
        rod.by_a_method()
    return rod.u @ x


@kept_in(RIGHT)
def read_between(x):
    rod = Rod(x, x[0])
    first = rod.u
    for _ in range(3):
        rod.read_between()
    return rod.u @ first


@kept_in(RIGHT)
def stored_before_and_after(x):
    rod = Rod(x, x[0])
    first = rod.u
    for _ in range(2):
        rod.stored_before_and_after()
    return rod.u @ first


@kept_in(RIGHT)
def on_some_ways(x):
    rod = Rod(x, x[0])
    for k in range(4):
        rod.on_one_way(x[k])
        rod.on_some_trips(x[k])
    return rod.u @ x * rod.k


@kept_in(RIGHT)
def views(x):
    rod = Rod(x, x[0])
    first = rod.u * x
    rod.a_view(x[1])
    rod.a_view(x[2])
    return rod.u @ x * rod.k + first @ first


@kept_in(RIGHT)
def names(x):
    w = x * 1.0
    s = w[0] * w[1]
    w[0] = s * x[2]
    s += np.sin(w[0]) * w[1]
    for i in range(3):
        w = w * x
        w[i] = s * w[i]
        s += np.tanh(w[0])
    w = np.cos(w)
    w[0] = s
    return s + w.sum()


test_right = each_right(RIGHT, X, X_DOT)


def test_ends_are_not_kept() -> None:
    for function in (plainly, by_a_method):
        text = grad(function).source(X)
        assert "_old" not in text
        assert "copy_shared" not in text
