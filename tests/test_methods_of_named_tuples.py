"""Classes of named tuples that only add methods: `class U(namedtuple("U", "x y"))`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


@dataclass
class Sized:
    a: float
    b: float


class Vector(namedtuple("Vector", "x y", defaults=(2.0,))):
    __slots__ = ()

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)

    def scaled(self, k):
        return Vector(self.x * k, self.y * k)

    def moved(self, d):
        return self._replace(x=self.x + d)

    @property
    def area(self):
        return self.x * self.y

    @classmethod
    def square(cls, side):
        return cls(side, side)


class Base(NamedTuple):
    x: float
    y: float


class Other(Base):
    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Open(namedtuple("Open", "x y")):
    def noted(self, v):
        self.note = v
        return self.x * v


class MadeOtherwise(namedtuple("MadeOtherwise", "x y")):
    def __new__(cls, x):
        return super().__new__(cls, x, 2 * x)


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def a_method(x):
    return Vector(x[0], x[1]).norm()


@right
def a_chain(x):
    return Vector(x[0], x[1]).scaled(x[2]).moved(x[0]).norm()


@right
def a_default(x):
    return Vector(x[0]).area * Vector(y=x[1], x=x[2]).area


@right
def items(x):
    u = Vector(*x[:2])
    a, b = u
    return a * b + u[0] * u[-1] + len(u) * x[2] + sum(u)


@right
def a_base_with_types(x):
    return Other(x[0], x[1]).dot(Other(x[2], 2.0))


@right
def a_list(x):
    us = [Vector(v, 2 * v) for v in x]
    return sum(u.norm() * u.x for u in us)


@right
def a_class_method(x):
    return Vector.square(x[0]).norm() * x[1]


@right
def in_a_loop(x):
    u = Vector(x[0], x[1])
    for v in x:
        u = u.scaled(v).moved(x[2])
    return u.area


@right
def as_a_dict(x):
    u = Vector(x[0], x[1])
    return sum(v**2 for v in u._asdict().values())


@right
def made_and_asked_in_one_line(x):
    v = Vector(x[0], x[1])._replace(x=x[2] ** 2).norm() + sum(Vector(x[1], x[2])._asdict().values())
    return v * replace(Sized(x[0], x[1]), a=x[2] * x[0]).a + sum(astuple(Sized(x[1], v)))


@refused("there is no derivative rule for")
def made_otherwise(x):
    return MadeOtherwise(x[0]).y


@refused("attributes")
def with_attributes(x):
    return Open(x[0], x[1]).noted(x[2])


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_given() -> None:
    gradient = grad(lambda u: u.moved(1.0).norm())(Vector(2.0, 4.0))
    assert isinstance(gradient, Vector)
    np.testing.assert_allclose(gradient, (0.6, 0.8))
