"""What objects find in their class: descriptors are there, attributes of the metaclass are not, and properties change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import value_and_grad

functions: list[Any] = []
refusals: list[tuple[Any, str]] = []
program = kept_in(functions)
refused = refused_in(refusals)

X, X_DOT = np.array([0.7, 0.4]), np.array([0.3, -0.5])


class Meta(type):
    @property
    def width(cls):
        return 3.0


class Made(metaclass=Meta):
    def __init__(self, v):
        self.v = v


class Slotted:
    __slots__ = ("twice", "v")

    def __init__(self, v):
        self.v = v

    def lazy(self):
        if not hasattr(self, "twice"):
            self.twice = self.v * 2
        return self.twice * self.v


@program
def slots_that_are_not_set(x):
    o = Slotted(np.sum(x))
    y = o.v**2 if hasattr(o, "twice") else o.v**3
    return y + o.lazy() + o.lazy() + (o.v**4 if hasattr(o, "twice") else 0.0)


class Value:
    def __get__(self, obj, objtype=None):
        return obj.v


class Described:
    described = Value()

    def __init__(self, v):
        self.v = v


@program
def asked_in_a_try(x):
    o = Made(np.sum(x))
    try:
        y = o.width
    except AttributeError:
        y = 7.0
    return y * o.v**2


@program
def asked_by_hasattr(x):
    o = Made(x[0])
    a = o.width if hasattr(o, "width") else 7.0
    b = 2.0 if hasattr(o, "__name__") else 5.0
    return a * b * o.v**2


@program
def asked_with_a_default(x):
    return getattr(Made(x), "width", 7.0) * np.sum(x**2)


@program
def asked_of_the_class(x):
    return Made.width * np.sum(x**2)


@refused("the attribute .described is not supported here")
def described_in_a_try(x):
    o = Described(x[0])
    try:
        y = o.described
    except AttributeError:
        y = 2.0
    return y * x[1]


@refused("the attribute .described is not supported here")
def described(x):
    return Described(x[0]).described * x[1]


test_right = each_right(functions, X, X_DOT)
test_refused = each_refused(refusals, X)


class Scaled:
    def __init__(self, v):
        self.v = v

    @property
    def scaled(self):
        return self.v * 2


def of_a_property(x):
    return Scaled(x).scaled * x


def test_properties_that_are_put_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = value_and_grad(of_a_property)
    assert gradient(0.5) == (0.5, 2.0)
    monkeypatch.setattr(Scaled, "scaled", property(lambda self: self.v * 3))
    assert gradient(0.5) == (0.75, 3.0)
    assert value_and_grad(of_a_property)(0.5) == (0.75, 3.0)
