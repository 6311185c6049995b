"""`made().run(x)`, `net.train()(x)`: objects that a call gives are changed by what varies in the same line."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, named

X, X_DOT = np.array([0.7, 0.4]), np.array([1.0, -2.0])


class Plant:
    def __init__(self, tau):
        self.tau, self.y = tau, 0.0

    def step(self, u):
        self.y = self.y + (u - self.y) / self.tau
        return self.y

    def run(self, u):
        for _ in range(3):
            self.step(u)
        return self.y**2


class Loop:
    def __init__(self):
        self.plant, self.gain = Plant(2.0), 1.0

    def inner(self):
        return self.plant

    def raised(self):
        self.gain = self.gain * 1.5
        return self

    def run(self, u):
        return self.plant.run(u) * self.gain


def made():
    return Plant(2.0)


def made_in_another():
    return Loop()


def by_a_method(x):
    return made().run(x[0]) * x[1]


def by_a_function(x):
    def run(p, u):
        return p.run(u) + p.y

    return x[1] * made().run(x[0]) * run(made(), x[1])


def in_an_object(x):
    return made_in_another().run(x[0]) + made_in_another().plant.step(x[1])


def given_back_by_a_method(x):
    m = Loop()
    return m.raised().run(x[0]) + m.raised().run(x[1]) * m.plant.y


def of_what_a_method_gives(x):
    m = Loop()
    y = m.inner().run(x[0]) + m.plant.y
    return y + m.inner().run(x[1]) * m.raised().plant.run(x[1]) + m.gain


def on_each_trip(x):
    m = Loop()
    t = 0.0
    for v in x:
        t = t + m.raised().plant.step(v) * m.gain
    return t + m.plant.y + sum(made().run(v) for v in x)


def while_it_is_small(x):
    t = 0.0
    while t < 1.0:
        t = t + made().run(x[0]) + 0.1
    return t


def counted(k):
    n = 0

    def times(t):
        nonlocal n
        n += 1
        return k * t * n

    return times


def of_a_function_that_counts(x):
    return counted(x[0])(x[1]) + counted(2.0)(x[0]) * counted(x[1])(x[1])


class Layer:
    def __init__(self, w):
        self.w, self.x = w, 0.0

    def forward(self, x):
        self.x = x
        return np.tanh(x * self.w)


class Net:
    def __init__(self, ws):
        self.layers = []
        self.log = []
        for w in ws:
            self.layers.append(Layer(w))

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        self.log.append(x)
        return x


def layered(ws):
    return Net(ws)


def total(net, x):
    return net.forward(x) + net.layers[-1].x * net.log[-1]


def of_a_list_in_what_is_given(x):
    return total(Net(x), 2.0) * x[0] + total(layered(x), x[1])


def of_a_list_by_a_method(x):
    return x[0] * Net(x).forward(x[1]) + layered(x).forward(x[0])


FUNCTIONS = (
    by_a_method, by_a_function, in_an_object, given_back_by_a_method, of_what_a_method_gives, on_each_trip,
    while_it_is_small, of_a_function_that_counts,
    of_a_list_in_what_is_given, of_a_list_by_a_method,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function):
    check_along(function, X, X_DOT)
