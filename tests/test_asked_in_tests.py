"""Properties, `len` and methods of objects made of attributes, in tests, in conditional expressions and over loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []


class Tank:
    def __init__(self, level, rate):
        self._level = level
        self.rate = rate
        self.count = 2

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = max(value, 0.0)

    def __len__(self):
        return self.count

    def steps(self):
        return self.count + 1

    def outflow(self):
        if self.level > 0:
            return math.sqrt(self.level)
        return 0.0

    def chosen(self):
        return math.sqrt(self.level) if self.level > 0 else 0.0

    def both(self):
        if self.level > 0.1 and self.rate > 0:
            return self.level * self.rate
        elif self.level > 10:
            return 0.0
        return self.rate

    def between(self):
        return self.level**2 if 0.1 < self.level < 5 else self.rate

    def over_length(self):
        s = 0.0
        for i in range(len(self)):
            s += self.level * i
        return s

    def over_steps(self):
        s = 0.0
        for _ in range(self.steps()):
            s += self._level * self.rate
        return s


def advanced(x, flow):
    tank = Tank(x[0], x[1])
    s = 0.0
    for _ in range(3):
        q = flow(tank)
        tank.level = tank.level - 0.1 * q
        s += q
    return s


@kept_in(FUNCTIONS)
def a_property_in_a_test(x):
    return advanced(x, lambda tank: tank.outflow())


@kept_in(FUNCTIONS)
def in_a_conditional_expression(x):
    return advanced(x, lambda tank: tank.chosen())


@kept_in(FUNCTIONS)
def beside_another_test(x):
    return advanced(x, lambda tank: tank.both())


@kept_in(FUNCTIONS)
def in_a_chain(x):
    return advanced(x, lambda tank: tank.between())


@kept_in(FUNCTIONS)
def the_length_of_an_object(x):
    return advanced(x, lambda tank: tank.over_length())


@kept_in(FUNCTIONS)
def a_method_in_a_range(x):
    return advanced(x, lambda tank: tank.over_steps())


@kept_in(FUNCTIONS)
def outside_of_a_method(x):
    tank = Tank(x[0], x[1])
    s = 0.0
    for i in range(len(tank)):
        if tank.level > 0.2:
            tank.level = tank.level * x[2]
            s += tank.level * (i + 1)
    return s if tank.level > 0 else tank.rate


class Part:
    def __init__(self, v, next=None):
        self.v = v
        self.next = next


@kept_in(FUNCTIONS)
def one_that_is_none_after_the_first_trip(x):
    part = Part(x[0])
    s = 0.0
    for k in range(3):
        if part:
            s += part.v * x[1]
        s += x[2] if not part else k * x[1]
        part = None
    return s


@kept_in(FUNCTIONS)
def one_that_a_while_runs_to_the_end_of(x):
    part = Part(x[0], 1.0)
    s = x[2]
    while part:
        s = s * part.v + x[1]
        part = None
    return s


@kept_in(FUNCTIONS)
def one_that_comes_later(x):
    part = None
    s = 0.0
    for k in range(3):
        s += part.v * x[1] if part else x[2]
        part = Part(x[0] * k)
    return s


test_what_is_asked_of_objects = each_right(
    FUNCTIONS, np.array([0.9, 0.4, 0.7]), np.array([0.3, -1.0, 0.5])
)
