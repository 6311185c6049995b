"""`a | b`, `a >> b` and `~a` of the user's objects: parallel circuits, layers one after another, masks of their own."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3]), np.array([0.3, -0.2])


class Element:
    def __or__(self, other):
        return Parallel(self, other)

    def __ror__(self, other):
        return Parallel(Resistance(other), self)

    def __rshift__(self, other):
        return Series(self, other)

    def __invert__(self):
        return Resistance(1.0 / self.at(1.0))


class Resistance(Element):
    def __init__(self, r):
        self.r = r

    def at(self, w):
        return self.r


class Capacity(Element):
    def __init__(self, c):
        self.c = c

    def at(self, w):
        return 1.0 / (w * self.c)


class Parallel(Element):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def at(self, w):
        one, other = self.a.at(w), self.b.at(w)
        return one * other / (one + other)


class Series(Element):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def at(self, w):
        return self.a.at(w) + self.b.at(w)


class Changed:
    def __init__(self, v):
        self.v = v

    def __ior__(self, k):
        self.v = self.v * k
        return self

    def __and__(self, other):
        return Changed(self.v * other.v)

    def __xor__(self, other):
        return Changed(self.v + other.v)


@right
def of_two_classes(x):
    return (Resistance(x[0]) | Capacity(x[1])).at(3.0)


@right
def one_in_another(x):
    return ((Resistance(x[0]) >> Capacity(x[1])) | ~Resistance(x[0] * 2.0)).at(3.0)


@right
def number_first(x):
    return (float(x[0]) | Capacity(x[1])).at(3.0)


@right
def in_a_loop(x):
    e = Resistance(x[0])
    for _ in range(3):
        e = Resistance((e | Capacity(x[1])).at(2.0))
    return e.at(2.0)


@right
def in_place(x):
    a = Changed(x[0])
    for _ in range(3):
        a |= x[1]
    b = a & Changed(2.0)
    b ^= a
    return b.v * a.v


@right
def of_constants(x):
    return (Changed(3.0) & Changed(2.0)).v * x[0] ** 2


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)
