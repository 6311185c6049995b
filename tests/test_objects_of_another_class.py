"""An object takes the place of one of another class, or of None: what its class holds is read of its own class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad, jvp

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


class Water:
    density = 2.0

    def __init__(self, depth):
        self.depth = depth

    def weight(self, area):
        return self.depth * area * self.density


class Brine(Water):
    density = 5.0


class Tank:
    def __init__(self, filling, width=1.0):
        self.filling = filling
        self.width = width

    def fill(self, depth):
        self.filling = Brine(depth)

    def salt(self):
        self.filling = Brine(self.filling.depth * self.width)

    def loss(self):
        self.salt()
        return self.filling.weight(3.0)


def fill(tank, depth):
    tank["filling"] = Brine(depth)


@keep
def by_a_method(x):
    tank = Tank(Water(x[1]))
    before = tank.filling.weight(x[0])
    tank.fill(x[0])
    return tank.filling.weight(x[2]) * before + tank.filling.density * x[1]


@keep
def where_nothing_was(x):
    tank = Tank(None)
    tank.fill(x[0])
    return tank.filling.weight(x[2])


@keep
def in_a_dict(x):
    tank, empty = {"filling": Water(x[1])}, {"filling": None}
    fill(tank, x[0])
    fill(empty, x[1])
    return tank["filling"].weight(x[2]) * empty["filling"].weight(x[0])


@keep
def by_a_function_inside(x):
    filling, none = Water(x[1]), None

    def change():
        nonlocal filling, none
        filling, none = Brine(x[0]), Brine(x[2])

    change()
    return filling.weight(x[2]) * none.weight(x[1])


@keep
def beside_a_name_for_the_one_before(x):
    tank = Tank(Water(x[1]))
    before = tank.filling
    tank.fill(x[0])
    return before.weight(2.0) * tank.filling.weight(x[2])


X = np.array([0.7, 1.35, 0.4])
test_right = each_right(FUNCTIONS, X, np.array([0.5, -1.0, 0.25]))


def stored(tank):
    tank.filling = Brine(tank.width * tank.filling.depth)
    return tank.filling.weight(tank.width)


def changed_by_a_method(tank):
    before = tank.filling
    tank.salt()
    return before.weight(2.0) * tank.filling.weight(3.0)


def made_by_a_function(tank):
    tank.filling = salted(tank.filling)
    return tank.filling.weight(tank.width)


def salted(water):
    return Brine(water.depth * 2.0)


def test_of_an_object_that_is_given() -> None:
    """(d f / d depth, d f / d width) at a depth of 1.5 and a width of 0.7; the object is left as it was."""
    expected = {
        stored: (5 * 0.7**2, 5 * 2 * 0.7 * 1.5),
        changed_by_a_method: (2 * 2 * 3 * 5 * 0.7 * 2 * 1.5, 2 * 2 * 3 * 5 * 1.5**2),
        made_by_a_function: (2 * 5 * 0.7, 2 * 5 * 1.5),
        Tank.loss: (3 * 5 * 0.7, 3 * 5 * 1.5),
    }
    for function, slopes in expected.items():
        tank = Tank(Water(1.5), 0.7)
        gradient = grad(function)(tank)
        assert_close(
            np.array([gradient.filling.depth, gradient.width]), np.array(slopes), function.__name__
        )
        assert type(tank.filling) is Water
        assert tank.filling.depth == 1.5
        tangent = jvp(function, (tank,), (Tank(Water(0.5), -1.0),))[1]
        assert_close(tangent, 0.5 * slopes[0] - slopes[1], function.__name__)


class Begun:
    def __init__(self, v):
        self.v = v

    def step(self, x):
        return Moved(self.v * x[0], x[1])


class Moved(Begun):
    def __init__(self, v, w):
        self.v, self.w = v, w


def moved_in_a_loop(x):
    o = Begun(x[0])
    for _ in range(3):
        o = o.step(x)
    return o.v


def test_of_another_class_from_the_second_trip_on() -> None:
    """It is said so, and not that a call of a method gives too few arguments."""
    with pytest.raises(NotDifferentiable) as error:
        grad(moved_in_a_loop)(np.array([0.7, 0.4]))
    messages = [refusal.message for refusal in error.value.refusals]
    assert any("of one class at first and of another later" in m for m in messages)
    assert not any("misses the argument" in m for m in messages)
