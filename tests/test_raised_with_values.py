"""Exceptions that are raised with what varies, and leave the function: they show what they are given, and no more."""

from __future__ import annotations

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 0.4, 0.9])
V = np.array([0.3, -0.2, 0.5])


class Negative(Exception):
    pass


class Writing(Exception):
    def __init__(self, v):
        v[0] = 9.0


def with_a_number(x):
    if x[0] > 0:
        return x[0] ** 2 * x[1]
    raise ValueError("negative", x[0])


def with_a_tuple(x):
    s = 0.0
    for kind, v in [("lens", x[0]), ("space", x[1])]:
        if kind == "lens":
            s += v**2
        elif kind == "space":
            s += v * x[2]
        else:
            raise ValueError((kind, v))
    return s


def of_a_case(x):
    for element in [("lens", x[0]), ("space", x[1])]:
        match element:
            case ("lens", f):
                y = 1 / f
            case ("space", v):
                y = y * v
            case _:
                raise ValueError(element)
    return y


def with_what_was_computed(x):
    y = x * 2.0
    for _ in range(2):
        y *= x
        if np.sum(y) < 0:
            raise Negative(y)
    return np.sum(y)


@pytest.mark.parametrize(
    "function", [with_a_number, with_a_tuple, of_a_case, with_what_was_computed]
)
def test_the_other_ways_are_differentiated(function):
    gradient = grad(function)
    expected = numeric_gradient(function, [X.copy()], 0, 1.0)
    assert_close(gradient(X.copy()), expected, "gradient")
    second = numeric_gradient(lambda x: V @ gradient(x), [X.copy()], 0, 1.0)
    assert_close(hvp(function)(X.copy(), V), second, "second derivative")
    assert_close(jvp(function, (X.copy(),), (V,))[1], V @ expected, "tangent")


@pytest.mark.parametrize("function", [with_a_number, with_what_was_computed])
def test_they_are_raised_with_what_the_function_gives_them(function):
    calls = [grad(function), lambda x: hvp(function)(x, V), lambda x: jvp(function, (x,), (V,))]
    with pytest.raises((ValueError, Negative)) as expected:
        function(-X)
    for call in calls:
        with pytest.raises(type(expected.value)) as found:
            call(-X)
        np.testing.assert_equal(found.value.args, expected.value.args)


def caught_here(x):
    y = x * 2
    try:
        if x[0] > 0:
            raise Negative(y)
    except Negative as e:
        e.args[0][1] = 3.0
    return np.sum(y**2)


def negative_within(x):
    if x[0] > 0:
        raise Negative("positive", x[0] * x[1])
    return x[1]


def caught_by_the_caller(x):
    try:
        return negative_within(x)
    except Negative as e:
        return x[2] ** 2 * e.args[1]


def written_when_made(x):
    y = x * 2
    if x[0] < 0:
        raise Writing(y)
    return np.sum(y)


@pytest.mark.parametrize("function", [caught_here, caught_by_the_caller, written_when_made])
def test_those_that_are_caught_are_refused(function):
    with pytest.raises(NotDifferentiable, match="no derivative rule"):
        grad(function)(X.copy())
