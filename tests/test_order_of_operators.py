"""Operators of two classes: where Python asks the second operand, or another method, that is no silent mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

X = np.array([0.7, 1.3, 0.4, 2.1])
ALONG = np.array([0.3, -0.8, 0.5, 0.2])

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
keep = kept_in(RIGHT)
refused = refused_in(REFUSED)


class Length:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

    def __gt__(self, other):
        return self.value > other.value

    def __add__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(self.value + other.value)


class Width(Length):
    pass


class Unbounded(Length):
    def __gt__(self, other):
        return True

    def __radd__(self, other):
        return Length(other.value * self.value)


class Unsaid(Length):
    def __lt__(self, other):
        return NotImplemented


@keep
def of_one_class(x):
    total = Length(x[0]) + Length(x[1] * x[2])
    return total.value * x[3] if Length(x[0]) < Length(x[1]) else x[0]


@keep
def a_special_case_adds_as_its_base_does(x):
    return (Length(x[0]) + Width(x[1] ** 2)).value * (Width(x[2]) + Length(x[3])).value


@refused("second operand first")
def compared_with_a_special_case(x):
    return x[0] * 2 if Length(x[1]) < Unbounded(x[0]) else x[1]


@refused("second operand first")
def added_to_a_special_case(x):
    return (Length(x[0]) + Unbounded(x[1])).value


@refused("may give NotImplemented")
def compared_by_the_other(x):
    return x[0] * 2 if Unsaid(x[0]) < Unsaid(x[1]) else x[1]


test_right_in_every_mode = each_right(RIGHT, X, ALONG)


test_refused = each_refused(REFUSED, X)
