"""Objects, functions of NumPy and None as attributes of a class: what all its objects share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along_after, each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


def scaled(x, by):
    return x * by


class Curve:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, v):
        return self.a * v**2 + self.b

    def slope(self, v):
        return 2 * self.a * v


class Counted:
    def __init__(self):
        self.calls = 0

    def __call__(self, v):
        self.calls += 1
        return v * self.calls


class Table:
    def __init__(self, x, y):
        self.x, self.y = np.asarray(x), np.asarray(y)

    def __call__(self, v):
        return np.interp(v, self.x, self.y)


class Engine:
    torque = Curve(2.0, 0.5)
    table = Table([0.0, 1.0, 3.0], [1.0, 4.0, 3.0])
    squash = np.tanh
    triple = functools.partial(scaled, by=3.0)
    counted = Counted()
    limit = None

    def __init__(self, ratio):
        self.ratio = ratio

    def force(self, v):
        return self.torque(v * self.ratio) * self.ratio

    def looked_up(self, v):
        return self.table(v * self.ratio) * self.ratio

    def slope(self, v):
        return self.torque.slope(v) * self.torque.a * self.ratio

    def squashed(self, v):
        return self.squash(v * self.ratio)

    def tripled(self, v):
        return self.triple(v * self.ratio)

    def limited(self, v):
        return v * self.ratio if self.limit is None else self.limit

    def number(self, v):
        return self.counted(v * self.ratio)


class Turbo(Engine):
    torque = Curve(5.0, 0.1)
    limit = 2.0


class Own(Engine):
    def __init__(self, ratio, a):
        super().__init__(ratio)
        self.torque = Curve(a, 1.0)


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def called(x):
    return Engine(x[0]).force(x[1]) * x[2]


@right
def found_in_a_table(x):
    return Engine(x[0]).looked_up(x[1])


@right
def asked(x):
    return Engine(x[0]).slope(x[1])


@right
def function_of_numpy(x):
    return np.sum(Engine(x[0]).squashed(x))


# From Python 3.13 on a partial in a class warns that it will be a method.
@refused("the attribute .triple") if hasattr(functools.partial, "__get__") else right
def function_with_a_value(x):
    return Engine(x[0]).tripled(x[1])


@right
def none(x):
    return Engine(x[0]).limited(x[1]) * x[2]


@right
def of_subclasses(x):
    total = 0.0
    for engine in (Engine(x[0]), Turbo(x[1])):
        total += engine.force(x[2]) * engine.limited(x[0])
    return total


@right
def its_own(x):
    return Own(x[0], x[1]).force(x[2]) + Own(x[0], x[1]).slope(x[2])


@right
def in_a_loop(x):
    engines = [Engine(v) for v in x]
    return sum(e.force(e.ratio) * x[1] for e in engines)


@right
def set_beside(x):
    engine = Engine(x[0])
    first = engine.force(x[1])
    engine.torque = Curve(x[2], x[1])
    return first * engine.force(x[1])


@right
def by_another_name(x):
    engine = Engine(x[0])
    torque = engine.torque
    return torque(x[1]) * engine.ratio


@refused("stores to attributes of an object of Curve are not supported")
def put_into_what_the_class_holds(x):
    engine = Engine(x[0])
    engine.torque.a = x[1]
    return engine.force(x[2])


test_right = each_right(RIGHT, X, X_DOT)


def changed_meanwhile(x):
    return Engine(x[0]).number(x[1])


def test_changed_meanwhile() -> None:
    def start_again() -> None:
        Engine.counted.calls = 1

    check_along_after(start_again, changed_meanwhile, X, X_DOT)
    assert Engine.counted.calls == 2


test_refused = each_refused(REFUSED, X)


def test_another_one_later() -> None:
    class Pump:
        curve = Curve(2.0, 0.5)

        def __init__(self, q):
            self.q = q

        def head(self):
            return self.curve(self.q)

    def function(x):
        return Pump(x[0]).head()

    gradient = grad(function)
    assert gradient(X)[0] == pytest.approx(4 * X[0])
    Pump.curve.a = 3.0
    assert gradient(X)[0] == pytest.approx(6 * X[0])
    Pump.curve = Curve(1.0, 0.0)
    assert gradient(X)[0] == pytest.approx(2 * X[0])
    Pump.curve = np.sinh
    assert gradient(X)[0] == pytest.approx(np.cosh(X[0]))
