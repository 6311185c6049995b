"""What classes say themselves: how they store, and which class an object is of; in the order in which Python asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])


# ---- the class of an object


class Dual:
    unit = 2.0

    def __init__(self, v):
        self.v = v

    def doubled(self):
        return type(self)(self.v * 2)

    def scaled(self):
        return self.__class__(self.v * self.unit)

    def __add__(self, other):
        return type(self)(self.v + other.v)

    def __rmul__(self, k):
        return self.__class__(k * self.v)

    def of_class(self):
        return self.v * type(self).unit * len(self.__class__.__name__)

    def asks(self, other):
        return self.v * 2 if type(other) is type(self) else self.v


class Special(Dual):
    unit = 5.0

    def __init__(self, v, w=3.0):
        super().__init__(v)
        self.w = w


@kept_in(RIGHT)
def objects_of_their_own_class(x):
    d, e = Dual(x[0]), Special(x[1])
    f = e.doubled()
    return d.doubled().v * d.scaled().v + f.v * e.scaled().scaled().w * f.unit * e.of_class()


@kept_in(RIGHT)
def operators_that_ask_for_the_class(x):
    a, b = Special(x[0]), Special(x[1], 2.0)
    c = a + 2.0 * b + a
    c.v = c.v * x[2]
    return c.doubled().v * c.w * c.of_class() * a.asks(b) + a.asks(Dual(x[0]))


class Measured:
    def __init__(self, v):
        self.v = v
        self.count = 0

    def measure(self, x):
        self.count += 1
        if len(x) > 5:
            raise ValueError(f"{type(self).__name__} has {self.v}")
        self.v = self.v * x[self.count]
        return self.v * len(f"{self.__class__.__name__} {self.count}")


@kept_in(RIGHT)
def a_class_told_in_a_text(x):
    measured = Measured(x[0])
    return measured.measure(x) * measured.measure(x) + len(f"{type(measured)}") * x[2]


@kept_in(RIGHT)
def a_list_of_their_own_class(x):
    specials = [Special(v).doubled() for v in x]
    return sum(s.doubled().v * s.w for s in specials)


@kept_in(RIGHT)
def the_class_of_what_is_given(x, special=Special(0.5)):
    return special.doubled().v * x[0] + np.sum(x)


# ---- functions that set


class Gas:
    R = 8.314

    def __init__(self, n, V, T):
        self.n, self._V, self.T = n, V, T

    @property
    def V(self):
        return self._V

    @V.setter
    def V(self, v):
        if v <= 0:
            raise ValueError("volume")
        self.T = self.T * (self._V / v) ** 0.4
        self._V = v

    @property
    def pressure(self):
        return self.n * self.R * self.T / self._V


class Row:
    def __init__(self, x):
        self.x = x * 1.0
        self.log = []

    def __getitem__(self, k):
        return self.x[k] * 3

    def __setitem__(self, k, v):
        self.log.append(v)
        self.x[k] = 2 * v


class Plane:
    def __init__(self, n):
        self.values = np.zeros((n, n))

    def __getitem__(self, at):
        i, j = at
        return self.values[i, j]

    def __setitem__(self, at, v):
        i, j = at
        self.values[i, j] = v
        self.values[j, i] = v


class ByName:
    def __init__(self):
        self.held = {}

    def __getitem__(self, name):
        return self.held[name]

    def __setitem__(self, name, v):
        self.held[name] = v


class Counter:
    def __init__(self, v):
        self.i, self.v, self.row = 0, v, Row(np.zeros(5))

    def next(self):
        self.i += 1
        return self.i * self.v

    @property
    def following(self):
        return self.next()

    def renewed(self):
        self.row = Row(np.zeros(5))
        return self.v * 2


@kept_in(RIGHT)
def updates_of_a_property(x):
    gas = Gas(x[0], x[1] ** 2, 300.0)
    gas.V = x[2] + 1.0
    gas.V *= 0.9
    for v in x:
        gas.V += v
        if v > 0.5:
            gas.V -= 0.1 * v * gas.pressure / 1000
    return gas.pressure / 1000


@kept_in(RIGHT)
def elements_that_a_class_sets(x):
    row = Row(x)
    row[0] = row[1] = x[0] * row[2]
    for k in range(3):
        row[k] = row[k] + x[0]
        row[k] *= x[1]
    return sum(row.log) + np.sum(row.x)


@kept_in(RIGHT)
def elements_by_two_places(x):
    plane = Plane(3)
    for i in range(3):
        for j in range(i + 1):
            plane[i, j] = x[i] * x[j] + i
    plane[2, 0] -= plane[1, 1] * x[0]
    return np.sum(plane.values @ x) * plane[0, 2]


@kept_in(RIGHT)
def elements_by_name(x):
    """Keys that come later are not among those that the earlier lines ask for."""
    by_name = ByName()
    by_name["a"] = x[0]
    by_name["b"] = x[1] * by_name["a"]
    by_name["a"] *= 3
    return by_name["a"] * by_name["b"]


@kept_in(RIGHT)
def a_method_is_given_what_another_key_holds(x):
    class_of_names = ByName()
    class_of_names.__setitem__("a", x[0])
    class_of_names.__setitem__("b", x[1] * class_of_names["a"])
    return class_of_names["a"] * class_of_names["b"]


@kept_in(RIGHT)
def what_holds_what_is_set(x):
    counter = Counter(x[0])
    counter.row[1] = x[1]
    counter.row[1] += counter.next()
    counter.row[2] = counter.row[1] * x[2]
    return counter.row.x @ np.arange(5.0)


@kept_in(RIGHT)
def the_index_is_asked_for_after_the_value(x):
    row, counter = Row(np.zeros(5)), Counter(x[0])
    row[counter.i] = counter.next()
    row[counter.i] = counter.following * x[1]
    k = 0

    def next_place():
        nonlocal k
        k += 1
        return x[2] * k

    row[k] = next_place()
    row[k] = next_place() * x[1]
    return row.x @ np.arange(5.0) ** 2


@kept_in(RIGHT)
def an_index_that_changes_meanwhile(x):
    row, counter = Row(x * 2.0), Counter(x[0])
    row[counter.i] *= counter.next()
    return row.x @ np.arange(3.0)


@refused("a call in the same line changes this")
def another_row_meanwhile(x):
    counter = Counter(x[0])
    counter.row[1] = counter.renewed()
    return np.sum(counter.row.x)


@refused("")
def another_row_in_an_update(x):
    counter = Counter(x[0])
    counter.row[1] += counter.renewed()
    return np.sum(counter.row.x)


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
