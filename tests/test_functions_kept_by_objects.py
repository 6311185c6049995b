"""Functions of what varies that are given to a call which keeps them: a constructor that calls another, a helper."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


class Process:
    def __init__(self):
        self.t = 0.0

    def rate(self, v):
        raise NotImplementedError

    def run(self, v, steps):
        for _ in range(steps):
            v = v + 0.1 * self.rate(v)
            self.t += 0.1
        return v


class Heated(Process):
    def __init__(self, k, outside):
        super().__init__()
        self.k, self.outside = k, outside

    def rate(self, v):
        return self.k * (self.outside(self.t) - v)


class Both(Process):
    def __init__(self, k, outside, inside):
        super().__init__()
        self.k = 2 * k
        self.both = [outside, inside]
        self.outside = outside
        self.inside = inside

    def rate(self, v):
        return self.k * (self.outside(self.t) - self.inside(v))


class Wrapped(Process):
    def __init__(self, k, outside):
        super().__init__()
        self.k = k
        self.outside = lambda t: outside(t) * k

    def rate(self, v):
        return self.outside(self.t) - v


class Changed(Heated):
    def exchange(self, outside):
        self.outside = outside
        return self.outside(self.t)


def made_by_a_helper(k, outside):
    process = Heated(k, outside)
    process.t = 1.0
    return process


def chosen(first, second, which):
    return first if which else second


def same(f):
    return f


def pair(f, k):
    return f, k * 2


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def a_lambda(x):
    return Heated(x[0], lambda t: x[1] + x[2] * t).run(1.0, 3)


@right
def with_a_name(x):
    a, b = x[1], x[2]
    outside = lambda t: a + b * t**2  # noqa: E731
    process = Heated(x[0], outside)
    return process.run(a, 3) * outside(2.0)


@right
def a_definition(x):
    a = x[1] * 2

    def outside(t):
        return a * np.cos(t) + x[2]

    return Heated(x[0], outside).run(1.0, 4)


@right
def two_functions(x):
    a, b = x[1], x[2]
    return Both(x[0], lambda t: a + t, lambda v: b * v**2).run(0.5, 3)


@refused("this gives a function that captures differentiated values")
def wrapped(x):
    a = x[1]
    return Wrapped(x[0], lambda t: a + x[2] * t).run(0.5, 3)


@right
def bound_again(x):
    a = x[1]
    process = Heated(x[0], lambda t: a + x[2] * t)
    first = process.run(0.5, 2)
    a = a * x[2]
    return first * process.run(0.5, 2)


@right
def exchanged(x):
    a = x[1]
    process = Changed(x[0], lambda t: a + t)
    first = process.run(0.5, 2)
    second = process.exchange(lambda t: a * x[2] + t)
    return first * second + process.run(0.5, 2)


@right
def by_a_helper(x):
    a = x[1]
    return made_by_a_helper(x[0], lambda t: a * t + x[2]).run(0.5, 2)


@right
def given_back(x):
    a = x[1]
    f = same(lambda t: a * t + x[2])
    return f(2.0) * f(a)


@right
def given_back_in_a_tuple(x):
    a = x[1]
    f, k = pair(lambda t: a * t + x[2], x[0])
    return f(2.0) * k


@right
def given_back_later(x):
    a = x[1]
    f = same(lambda t: a * t + x[2])
    a = a**2
    return f(2.0)


@right
def chosen_by_a_helper(x):
    a = x[1]
    return chosen(lambda t: a * t, lambda t: a + t, True)(x[0])


@right
def of_an_array(x):
    weights = x**2
    process = Heated(x[0], lambda t: np.sum(weights) * t + weights[1])
    return process.run(0.5, 2)


@refused("this function reads 'inner'")
def of_an_object(x):
    inner = Heated(x[0], lambda t: x[1] * t)
    process = Heated(x[2], lambda t: inner.rate(t))
    return process.run(0.5, 2)


@right
def in_a_loop(x):
    total = 0.0
    for k in range(3):
        a = x[k]
        total += Heated(x[0], lambda t: a * t + k).run(total, 2)  # noqa: B023
    return total


@right
def a_partial(x):
    def outside(a, t):
        return a * t + x[2]

    return Heated(x[0], functools.partial(outside, x[1])).run(0.5, 2)


@right
def inside_of_a_function(x):
    def total(k):
        process = Heated(k, lambda t: k * t + x[1])
        return process.run(0.5, 2)

    return total(x[0]) + total(x[2])


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
