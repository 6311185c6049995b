"""Dicts of an object's own methods, one of which is called by its key: state machines, tables of commands."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.13, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


class State(enum.Enum):
    CURRENT = 0
    VOLTAGE = 1


class Charger:
    def __init__(self, r, c):
        self.r, self.c, self.q, self.state = r, c, 0.0, State.CURRENT

    def _current(self, scale=1.0):
        if self.q / self.c + self.r >= 1.2:
            self.state = State.VOLTAGE
        return scale * self.c

    def _voltage(self, scale=1.0):
        return scale * (1.2 - self.q / self.c) / self.r

    def _hold(self):
        self.q = self.q * self.c

    def _jump(self):
        self.q += 10.0
        self.state = State.VOLTAGE
        return self.r

    def update(self, n):
        steps = {State.CURRENT: self._current, State.VOLTAGE: self._voltage}
        for _ in range(n):
            self.q += 0.1 * steps[self.state]()
        return self.q

    def line(self, n):
        steps = {State.CURRENT: self._current, State.VOLTAGE: self._voltage}
        for _ in range(n):
            step = steps[self.state](0.5)
            self.q = self.q + 0.1 * step
        return self.q

    def without_a_name(self, n):
        for k in range(n):
            self.q = self.q + {0: self._current, 1: self._voltage}[k % 2](scale=0.1 + k * self.r)
        return self.q

    def returned(self, command, by):
        table = {"up": self._current, "down": self._voltage}
        return by * table[command](by)

    def for_effect(self, n):
        steps = {State.CURRENT: self._current, State.VOLTAGE: self._hold}
        for _ in range(n):
            self.q = self.q + self.c
            steps[self.state]()
        return self.q

    def changes_what_is_updated(self):
        steps = {State.CURRENT: self._jump, State.VOLTAGE: self._voltage}
        self.q += steps[self.state]()
        return self.q * self.c

    def asked_twice(self):
        steps = {State.CURRENT: self._jump, State.VOLTAGE: self._voltage}
        return steps[self.state]() * self.r + steps[self.state]() * self.c

    def in_a_test(self, n):
        steps = {State.CURRENT: self._current, State.VOLTAGE: self._voltage}
        while steps[self.state]() > 0.2 and n > 0:
            self.q = self.q + 0.1 * self.c
            n -= 1
        return self.q

    def missing(self, key):
        return {"up": self._current}[key]() * self.r

    def handed_on(self):
        steps = {State.CURRENT: self._current, State.VOLTAGE: self._voltage}
        return self.taken(steps)

    def taken(self, steps):
        return steps[self.state]()


class Slow(Charger):
    def _current(self, scale=1.0):
        return 0.5 * super()._current(scale) * self.r


class Replaced:
    def __init__(self, r):
        self.r = r

    def one(self):
        return self.r

    def other(self):
        return self.r**2

    def replace(self):
        self.one = self.other

    def value(self):
        steps = {"a": self.one, "b": self.other}
        self.replace()
        return steps["a"]()


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def update(x):
    return Charger(x[0], x[1]).update(30)


@right
def line(x):
    return Charger(x[0], x[1]).line(40)


@right
def without_a_name(x):
    return Charger(x[0], x[1]).without_a_name(5)


@right
def returned(x):
    charger = Charger(x[0], x[1])
    return charger.returned("up", x[2]) + charger.returned("down", x[2])


@right
def for_effect(x):
    return Charger(x[0], x[1]).for_effect(4)


@right
def changes_what_is_updated(x):
    return Charger(x[0], x[1]).changes_what_is_updated()


@right
def asked_twice(x):
    return Charger(x[0], x[1]).asked_twice()


@right
def in_a_test(x):
    return Charger(x[0], x[1]).in_a_test(5)


@right
def of_a_subclass(x):
    return Slow(x[0], x[1]).update(10)


@right
def of_several(x):
    return sum(c.update(10) for c in [Charger(x[0], x[1]), Slow(x[1], x[2])])


@refused("is not supported here")
def handed_on(x):
    return Charger(x[0], x[1]).handed_on()


@refused("is not supported here")
def replaced(x):
    return Replaced(x[0]).value()


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_no_such_key() -> None:
    def function(x):
        return Charger(x[0], x[1]).missing("up" if x[2] > 1 else "down")

    with pytest.raises(KeyError):
        grad(function)(X)
