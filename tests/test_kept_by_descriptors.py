"""Descriptors of the user's that keep what they gave, as functools.cached_property does: told by their text."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import NotDifferentiable, grad

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 0.4, 1.1]), np.array([0.3, 0.9, -0.5])


class reify:
    def __init__(self, method):
        self.method = method

    def __get__(self, instance, objtype=None):
        if instance is None:
            return self
        value = self.method(instance)
        instance.__dict__[self.method.__name__] = value
        return value


class lazy:
    """As the lazy attributes of several libraries are written."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function)

    def __get__(self, o, cls):
        """What is kept."""
        if o is None:
            return self
        found = self.function(o)
        o.__dict__[self.__name__] = found
        return found


class doubling:
    """None of these: what it gives is not what it keeps."""

    def __init__(self, method):
        self.method = method

    def __get__(self, instance, objtype=None):
        if instance is None:
            return self
        value = self.method(instance)
        instance.__dict__[self.method.__name__] = value * 2
        return value


class Time:
    def __init__(self, x):
        self.x = x

    @reify
    def y(self):
        return np.sum(self.x * self.x)

    @lazy
    def z(self):
        return self.x * self.y

    @doubling
    def w(self):
        return self.x * 2


class Later(Time):
    @lazy
    def y(self):
        return np.sum(np.sin(self.x))


@right
def once(x):
    return Time(x).y * 3


@right
def twice(x):
    t = Time(x)
    return t.y * np.sum(t.z) + t.y


@right
def of_a_subclass(x):
    t, s = Later(x), 0.0
    for k in range(3):
        s += t.z[k] * t.y
    return s


@right
def of_several(x):
    times = [Time(x), Later(x * x)]
    return sum(t.y for t in times) * times[0].z[0]


test_right = each_right(RIGHT, X, X_DOT)


def changed_after(x):
    t = Time(x)
    y = t.y
    t.x = x * 3
    return y * t.y


def none_of_these(x):
    t = Time(x)
    return np.sum(t.w * t.w)


@pytest.mark.parametrize("function", [changed_after, none_of_these])
def test_refused(function: Function) -> None:
    with pytest.raises(NotDifferentiable):
        grad(function)(X)


def test_what_an_argument_has_kept_before() -> None:
    def f(t: Any):
        return t.y * 2

    given = Time(X)
    assert given.y
    with pytest.raises(NotDifferentiable):
        grad(f)(given)
