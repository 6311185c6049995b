"""Integrands and equations that read attributes and elements: each is an argument of its own."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in
from scipy.integrate import quad
from scipy.optimize import brentq

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
REFUSED: list[tuple[Function, str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.2, 0.5])


class Decay:
    def __init__(self, rate, start):
        self.rate, self.parts = rate, {"start": start, "moved": [rate, start]}

    def at(self, t):
        return self.parts["start"] * np.exp(-self.rate * t)

    def root(self):
        def left(t):
            return self.rate * t**3 + self.parts["start"] * t - 1

        return brentq(left, 0, 5)


@keep
def changed_between_calls(x):
    decay = Decay(x[0], x[1])

    def at(t):
        return decay.parts["start"] * np.exp(-decay.rate * t) + decay.parts["moved"][1]

    s = 0.0
    for k in range(2):
        s += quad(at, 0, k + 1.0)[0]
        decay.rate = decay.rate * 2
    return s


@keep
def elements_of_a_list(x):
    p = [x[0], x[1]]
    return quad(lambda t, k: np.exp(-p[0] * t) * p[1] * k, 0, 1, args=(x[2],))[0]


@keep
def where_a_method_finds_a_root(x):
    return Decay(x[0], x[1]).root() * x[2]


@refused("its function reads a list, dict or object")
def a_method_of_it(x):
    decay = Decay(x[0], x[1])
    return quad(lambda t: decay.at(t) ** 2, 0, 1)[0]


@refused("its function captures what it also binds")
def a_name_that_is_taken(x):
    p, p_0 = [x[0], x[1]], x[2]
    return quad(lambda t: p[0] * p_0 * t, 0, 1)[0]


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
