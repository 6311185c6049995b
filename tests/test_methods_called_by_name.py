"""Methods that are called by their names: `getattr(self, name)(x)`, where it is known which these are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


class Model:
    terms = ("linear", "quadratic")

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.n = 0.0

    def linear(self, x):
        return self.a * x

    def quadratic(self, x, by=1.0):
        return self.b * x**2 * by

    @staticmethod
    def constant(x):
        return 2.0 * x

    @property
    def doubled(self):
        return 2 * self.a

    def counted(self, x):
        self.n += x * self.a
        return self.n

    def summed(self, x):
        return sum(getattr(self, t)(x) for t in self.terms)

    def in_a_loop(self, x):
        total = 0.0
        for name in self.terms:
            total += getattr(self, name)(x) * self.n
            self.counted(x)
        return total

    def listed(self, x):
        return np.sum([getattr(self, t)(x) for t in self.terms])

    def by_kind(self, kind, x):
        return getattr(self, f"{kind}")(x)


class Other(Model):
    terms = ("linear", "quadratic", "cubic")

    def cubic(self, x):
        return self.a * self.b * x**3


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def summed(x):
    return Model(x[0], x[1]).summed(x[2])


@right
def of_subclasses(x):
    return Model(x[0], x[1]).summed(x[2]) + Other(x[0], x[2]).summed(x[1]) ** 2


@right
def of_arrays(x):
    return np.sum(Other(x[0], x[1]).summed(x) ** 2)


@right
def in_a_loop(x):
    return Model(x[0], x[1]).in_a_loop(x[2])


@right
def listed(x):
    return Other(x[0], x[1]).listed(x[2])


@right
def changing(x):
    m = Model(x[0], x[1])
    total = 0.0
    for name in ("counted", "linear", "counted"):
        total += getattr(m, name)(x[2])
    return total * m.n


@right
def static(x):
    m = Model(x[0], x[1])
    return sum(getattr(m, name)(x[2]) for name in ("constant", "linear"))


@right
def options(x):
    m = Model(x[0], x[1])
    total = 0.0
    for name, given in (("linear", {}), ("quadratic", {"by": x[1]})):
        total += getattr(m, name)(x[2], **given)
    return total


@right
def attributes(x):
    m = Model(x[0], x[1])
    return sum(getattr(m, name) * x[2] for name in ("a", "b", "doubled"))


@right
def by_kind(x):
    m = Model(x[0], x[1])
    return m.by_kind("linear", x[2]) + m.by_kind("quadratic", x[2])


@refused("it reads an attribute under a name that is not known")
def chosen(x):
    m = Model(x[0], x[1])
    name = "linear" if x[2] > 0 else "quadratic"
    return getattr(m, name)(x[2])


@right
def own_name(x):
    def getattr(o, name):
        return lambda v: x[1] * v

    return getattr(Model(x[0], x[1]), "linear")(x[2])  # noqa: B009


@refused("cubic")
def missing(x):
    return getattr(Model(x[0], x[1]), "cubic")(x[2])


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
