"""Attributes that an object gets in a loop or a branch, or that its class holds until it gets one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])
DATA = np.array([1.0, 2.0, -1.0])


class Model:
    total = 0.0
    scale = np.float64(2.0)
    name = "model"

    def __init__(self, w):
        self.w = w

    def fit(self, x, y):
        self.residual = y - self.w * x
        return self

    def fit_in_place(self, x, y):
        self.residual = y - self.w * x
        self.size = np.sum(self.residual**2)

    def score(self):
        return -np.sum(self.residual**2)

    def add(self, v):
        self.total += v * self.w

    def grow(self):
        self.scale *= self.w

    def train(self, x, y, n):
        for _ in range(n):
            self.fit(x, y)
            self.w = self.w + 0.1 * np.sum(self.residual * x)
        return self.score()

    def bump(self):
        self.total = self.total + self.w
        return self.total

    def restart(self):
        self.inner = Model(self.w**2)

    def note(self, v):
        self.path = [v, self.w]


class Lazy:
    def __init__(self, w):
        self.w = w

    def value(self, x):
        if not hasattr(self, "kept"):
            self.kept = self.w * x
        self.kept = self.kept * x
        return self.kept


class ByDefault:
    def __init__(self, w):
        self.w = w

    def value(self, x):
        self.before = getattr(self, "before", 1.0) * self.w + x
        return self.before


class Tried:
    def __init__(self, w):
        self.w = w

    def value(self, x):
        try:
            old = self.tried
        except AttributeError:
            old = self.w * x
        self.tried = old * x
        return self.tried


class Slotted:
    __slots__ = ("made", "w")

    def __init__(self, w):
        self.w = w

    def make(self, v):
        self.made = self.w * v


class Pair:
    def __init__(self, a, b):
        self.first, self.second = Model(a), Model(b)

    def step(self, x):
        self.first.fit(x, x)
        self.gap = self.first.score() - self.second.w


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def fitted_in_a_loop(x):
    m, total = Model(x[0]), 0.0
    for _ in range(3):
        m.fit(x, DATA)
        m.w = m.w + 0.1 * np.sum(m.residual * x)
        total += m.score()
    return total


@right
def several_attributes(x):
    m = Model(x[0])
    for k in range(3):
        m.fit_in_place(x, k * DATA)
        m.w = m.w + 0.1 * m.size
    return m.size * m.score()


@right
def set_directly(x):
    m = Model(x[0])
    for v in x:
        m.last = m.w * v
        m.w = m.w + m.last**2
    return m.last


@right
def in_a_branch(x):
    m = Model(x[0])
    if x[1] > 0:
        m.fit(x, DATA)
    return m.score()


@right
def in_both_branches(x):
    m = Model(x[0])
    if x[1] > 0:
        m.fit(x, DATA)
    else:
        m.residual = x
    return m.score()


@right
def in_a_method(x):
    return Model(x[0]).train(x, DATA, 3)


@right
def in_a_method_of_one_with_a_name(x):
    m = Model(x[0])
    m.train(x, DATA, 2)
    return m.train(x, 2 * DATA, 2) * np.sum(m.residual)


@right
def of_the_class(x):
    m = Model(x[0])
    for v in x:
        m.add(m.total + v)
    return m.total


@right
def of_the_class_in_a_branch(x):
    m, n = Model(x[0]), Model(x[1])
    if x[2] > 0:
        m.add(x[1])
    if x[2] < 0:
        n.add(x[1])
    return m.total * x[2] + n.total


@right
def of_the_class_updated(x):
    m = Model(x[0])
    m.total += x[1]
    m.scale *= x[2]
    m.total -= m.scale
    return m.total


@right
def of_the_class_and_a_method(x):
    m = Model(x[0])
    for _ in range(3):
        m.grow()
    return m.scale * x[1]


@right
def objects_made_in_a_loop(x):
    total = 0.0
    for v in x:
        m = Model(v)
        for k in range(2):
            m.fit(x, k * DATA)
            m.w = m.w + 0.1 * np.sum(m.residual)
            m.add(v)
        total += m.score() * m.total
    return total


@right
def attributes_of_attributes(x):
    p, total = Pair(x[0], x[1]), 0.0
    for v in x:
        p.step(v)
        p.first.w = p.first.w * p.gap
        total += p.gap * v
    return total


@right
def made_anew_by_a_method(x):
    m = Model(x[0])
    m.restart()
    for v in x:
        m.restart()
        m.inner.fit(x, v * DATA)
        m.w = m.w + 0.1 * m.inner.score()
    return m.w


@right
def lists_made_in_a_loop(x):
    m = Model(x[0])
    for v in x:
        m.note(v)
        m.w = m.w * m.path[0] + m.path[1]
    return m.w


@right
def in_slots(x):
    s, total = Slotted(x[0]), 0.0
    for v in x:
        s.make(v)
        total += s.made * s.w
        s.w = s.w + s.made
    return total


@right
def in_a_while_loop(x):
    m, n = Model(x[0]), 0
    while True:
        m.fit(x, DATA)
        n += 1
        m.w = m.w * np.sum(m.residual)
        if n > 2:
            break
    return m.score() * m.w


@right
def by_another_name(x):
    m, total = Model(x[0]), 0.0
    n = m
    for v in x:
        n.fit(v, DATA)
        total += m.score()
    return total


@right
def before_a_break(x):
    m = Model(x[0])
    for v in x:
        if v > 1:
            m.fit(v, DATA)
            break
    else:
        m.fit(x, DATA)
    return m.score()


@right
def a_class_that_asks(x):
    lazy = Lazy(x[0])
    return lazy.value(x[1]) + lazy.value(x[2])


@right
def asked_in_a_loop(x):
    lazy, total = Lazy(x[0]), 0.0
    for v in x:
        total += lazy.value(v)
    return total


@right
def by_default_in_a_loop(x):
    o, total = ByDefault(x[0]), 0.0
    for v in x:
        total += o.value(v)
    return total


@right
def tried_in_a_loop(x):
    o, total = Tried(x[0]), 0.0
    for v in x:
        total += o.value(v)
    return total


@refused("a dict or an object has one form on one path")
def asked_on_some_trips(x):
    lazy, total = Lazy(x[0]), 0.0
    for v in x:
        if v > 0.5:
            total += lazy.value(v)
    return total


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_nothing_set() -> None:
    def function(x, n):
        m = Model(x)
        for _ in range(n):
            m.fit(1.0, 2.0)
        return m.score()

    assert grad(function)(0.7, 1) == pytest.approx(2 * (2.0 - 0.7))
    for call in (function, grad(function)):
        with pytest.raises((AttributeError, TypeError)):
            call(0.7, 0)


def test_another_default_later() -> None:
    class Counter:
        total = 1.0

        def __init__(self, w):
            self.w = w

    def function(x, n):
        c = Counter(x)
        for _ in range(n):
            c.total *= c.w
        return c.total

    gradient = grad(function)
    assert gradient(0.5, 2) == pytest.approx(1.0)
    Counter.total = 3.0
    assert gradient(0.5, 2) == pytest.approx(3.0)
    assert gradient(0.5, 0) == 0.0
