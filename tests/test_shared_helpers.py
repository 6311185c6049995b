"""Helpers that say the same for several kinds of arguments are written once; those that only look alike are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])


def at_least(x, low):
    return low if x < low else x


@keep
def of_other_gradients(x):
    """One forward function, two adjoints: with respect to both, and to the first alone."""
    return at_least(x[1], x[0]) * at_least(x[2] * x[0], 0.2)


def made(k, j=1.0):
    def inner(v, by=k):
        return v * v * by + j

    return inner


@keep
def of_functions_that_hold_others(x):
    """Each holds its own k."""
    f, g = made(x[0]), made(3.0)
    return f(x[1]) * g(x[2]) + made(2.0, x[1])(x[0])


CUBED, SQUARED = (lambda k: lambda v: v**k)(3), (lambda k: lambda v: v**k)(2)


@keep
def of_closures_of_one_text(x):
    """One text, and one code: what they hold outside is not the same."""
    return CUBED(x[0]) * SQUARED(x[1]) + CUBED(x[2])


def power(x, n):
    return x * power(x, n - 1) * 0.5 if n else x


@keep
def of_a_recursion(x):
    return power(x[0], 3) * power(x[1] * x[2], 2)


class Part:
    factor = 2.0

    def __init__(self, a):
        self.a = np.asarray(a)

    def value(self, b):
        return self.factor * np.sum(self.a**2) * b


class Other(Part):
    factor = 3.0


@keep
def of_a_class_and_a_special_case(x):
    return Part(x).value(x[0]) + Other(x * x).value(x[1])


test_right = each_right(RIGHT, X, X_DOT)


def test_one_forward_function_has_two_adjoints() -> None:
    text = grad(of_other_gradients).source(X)
    assert text.count("def at_least_forward") == 1
    assert text.count("def at_least_adjoint") == 2


def test_methods_that_only_find_their_class_elsewhere_are_shared() -> None:
    text = grad(of_a_class_and_a_special_case).source(X)
    assert text.count("def value_forward") == text.count("def value_adjoint") == 1
