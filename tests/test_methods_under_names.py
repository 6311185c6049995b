"""Methods of objects that are taken apart, read as values: what calls them stands in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


class Part:
    def __init__(self, k):
        self.k, self.count = k, 0

    def scaled(self, x):
        return self.k * x

    def power(self, x, p=2):
        return self.k * x**p

    def counted(self, x):
        self.count = self.count + 1
        return self.k * x * self.count

    def thrice(self, x):
        step = self.scaled
        for _ in range(3):
            x = step(x)
        return x


class Cubed(Part):
    def scaled(self, x):
        return self.k * x**3


class Spread:
    def __init__(self, k):
        self.low, self.high = Part(k), Part(2 * k)

    def between(self, x, name):
        low, high = getattr(self.low, name), getattr(self.high, name)
        return low(x) - high(x) ** 2

    def exchanged(self, x):
        first = self.low.scaled
        self.low = self.high
        return first(x) * self.low.scaled(x)


PART, SPREAD = Part(0.8), Spread(0.4)


def twice(f, x):
    return f(x) * f(x * x)


def of_another(part, x):
    f = part.scaled
    return f(x) + f(2 * x)


@kept_in(RIGHT)
def under_a_name(x):
    part = Part(x[0])
    scaled, power = part.scaled, part.power
    return np.sum(scaled(x) + power(x, 3) + power(x))


@kept_in(RIGHT)
def in_a_loop_of_a_method(x):
    return np.sum(Part(x[0]).thrice(x))


@kept_in(RIGHT)
def by_a_name_that_is_known(x):
    return np.sum(Spread(x[0]).between(x, "power"))


@kept_in(RIGHT)
def an_object_without_a_name(x):
    scaled = Part(x[0]).scaled
    return np.sum(scaled(x))


@kept_in(RIGHT)
def given_to_a_function(x):
    spread = Spread(x[0])
    y = twice(spread.low.scaled, x)
    return twice(spread.high.power, x[1]) * np.sum(y)


@kept_in(RIGHT)
def of_an_object_of_the_module(x):
    y = twice(PART.scaled, x)
    return twice(SPREAD.low.power, x[1]) * np.sum(y)


@kept_in(RIGHT)
def that_changes_the_object(x):
    part = Part(x[0])
    counted = part.counted
    return np.sum(counted(x)) * np.sum(counted(x)) + part.count * x[1]


@kept_in(RIGHT)
def of_an_object_that_changes(x):
    part = Part(x[0])
    scaled = part.scaled
    part.k = x[1] ** 2
    return np.sum(scaled(x))


@kept_in(RIGHT)
def of_a_name_bound_again(x):
    part = Part(x[0])
    scaled = part.scaled
    part = Cubed(x[1])
    return np.sum(scaled(x)) * np.sum(part.scaled(x))


@kept_in(RIGHT)
def of_a_part_put_elsewhere(x):
    return np.sum(Spread(x[0]).exchanged(x))


@kept_in(RIGHT)
def of_several_classes(x):
    return np.sum(of_another(Part(x[0]), x) * of_another(Cubed(x[1]), x))


@refused_in(REFUSED)("not supported here")
def kept_from_the_first_trip(x):
    total, scaled = 0.0, None
    for k in range(3):
        part = Part(x[0] * (k + 1))
        if k == 0:
            scaled = part.scaled
        total = total + np.sum(scaled(x))
    return total


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
