"""Objects of constants, of several classes, in a list: each of them is called in a sum or a list over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)


class Quadratic:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * np.sum(x**2)

    def __call__(self, x):
        return np.tanh(self.k * x)


class Quartic(Quadratic):
    def energy(self, x):
        return self.k * np.sum(x**4)

    def __call__(self, x):
        return np.sin(self.k * x)


class Harmonic:
    def __init__(self, centre):
        self.centre = centre

    def energy(self, x):
        return np.sum((x - self.centre) ** 2)


class System:
    def __init__(self):
        self.terms = [Quadratic(1.0), Quartic(2.0), Harmonic(0.5)]

    def energy(self, x):
        return sum(t.energy(x) for t in self.terms)


TERMS = (Quadratic(1.0), Quartic(2.0), Harmonic(0.5))
LAYERS = (Quadratic(1.0), Quartic(2.0))


def total(x, terms):
    return sum(t.energy(x) for t in terms)


@followed
def in_a_sum(x):
    terms = [Quadratic(1.0), Quartic(2.0), Harmonic(0.5)]
    return sum(t.energy(x) for t in terms)


@followed
def in_a_list(x):
    terms = [Quartic(2.0), Quadratic(1.0)]
    e = np.array([t.energy(x) for t in terms])
    return e @ e


@followed
def called(x):
    terms = [Quadratic(1.0), Quartic(2.0)]
    return np.sum(sum(t(x) for t in terms) ** 2)


@followed
def counted(x):
    terms = [Quadratic(1.0), Quartic(2.0)]
    return sum(k * t.energy(x) for k, t in enumerate(terms, 1)) ** 2


@followed
def given(x):
    return total(x, [Quadratic(1.0), Harmonic(2.0)]) * x[0]


@followed
def held(x):
    system = System()
    return system.energy(x) * System().energy(x * 2)


@followed
def on_each_trip(x):
    terms = [Quadratic(0.1), Quartic(0.2)]
    for _ in range(3):
        x = x * sum(t.energy(x) for t in terms)
    return np.sum(x)


@followed
def beside_weights(x):
    terms = [Quadratic(1.0), Quartic(2.0), Harmonic(0.5)]
    total = sum(w * t.energy(x) for t, w in zip(terms, x))
    for w, t in zip(x, terms):
        total = total + t.energy(x * w)
    return total


@followed
def in_a_tuple_of_the_module(x):
    for layer in LAYERS:
        x = layer(x)
    return sum(t.energy(x) for t in TERMS)


@followed
def in_a_tuple_beside_weights(x):
    total = 0.0
    for k, (w, t) in enumerate(zip(x, TERMS)):
        total += k * w * t.energy(x)
    return total


test_right = each_right(FUNCTIONS, np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5]))
