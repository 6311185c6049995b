"""Functions and methods that call themselves with objects that vary, read what these hold, and change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.1, 0.7, 1.6]), np.array([0.3, -1.0, 0.4])


class Integrand:
    def __init__(self, rate, tolerance):
        self.rate = rate
        self.tolerance = tolerance

    def at(self, t):
        return np.exp(-self.rate * t * t)

    def rule(self, a, b):
        return (b - a) / 6 * (self.at(a) + 4 * self.at((a + b) / 2) + self.at(b))

    def integral(self, a, b, depth=0):
        m = (a + b) / 2
        whole, halves = self.rule(a, b), self.rule(a, m) + self.rule(m, b)
        if abs(halves - whole) < self.tolerance or depth > 4:
            return halves
        return self.integral(a, m, depth + 1) + self.integral(m, b, depth + 1)


@right
def adaptive(x):
    return Integrand(x[0], 1e-3).integral(0.0, x[2])


@right
def on_each_trip(x):
    f, s = Integrand(x[0], 1e-2), 0.0
    for v in x:
        s += f.integral(0.0, v)
    return s


class Walker:
    def __init__(self, step):
        self.step = step
        self.count = 0
        self.total = 0.0

    def go(self, at, n):
        self.count += 1
        if n == 0:
            return at
        self.total = self.total + at * self.step
        self.step = self.step * 1.1
        return self.go(at * self.step, n - 1) * self.step


@right
def changed_by_itself(x):
    walker = Walker(x[0])
    end = walker.go(x[1], 3)
    return end * walker.total * walker.count + walker.step


class Turns:
    def __init__(self, gain):
        self.gain = gain

    def even(self, v, n):
        return v if n == 0 else self.odd(v * self.gain, n - 1)

    def odd(self, v, n):
        return v * 2 if n == 0 else self.even(np.sin(v) * self.gain, n - 1)


@right
def of_each_other(x):
    return Turns(x[0]).even(x[1], 5) * Turns(x[2]).odd(x[0], 2)


@dataclass
class Ray:
    origin: float
    direction: float


def traced(ray, mirror, depth):
    if depth == 0:
        return ray.origin * 0.1
    reflected = Ray(ray.origin + ray.direction * mirror.step, ray.direction * 0.5)
    return ray.origin + mirror.step * traced(reflected, mirror, depth - 1)


@right
def with_new_objects(x):
    return traced(Ray(x[1], x[2]), Walker(x[0]), 3)


class Signal:
    def __init__(self, y):
        self.y = y

    def go(self, n):
        if n == 0:
            return np.sum(self.y**2)
        self.y *= 1.5
        self.y[0] += n
        return self.go(n - 1) * np.sum(self.y)


@right
def written_to_in_place(x):
    signal = Signal(x * x)
    return signal.go(2) * signal.y[1]


class Tree:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def total(self):
        t = self.v**2
        if self.left is not None:
            t += self.left.total() * 2
        return t if self.right is None else t + self.right.total()


@right
def subtrees_that_may_be_none(x):
    return Tree(x[0], Tree(x[1], None, Tree(x[2])), Tree(x[0] * x[1])).total()


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
