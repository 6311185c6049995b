"""Class methods and static methods that are called through an object, and through those in a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.3]), np.array([0.3, -0.4])


class Link:
    scale = 2.0

    def __init__(self, p):
        self.p = p

    @staticmethod
    def product(a, b):
        return a * b

    @classmethod
    def scaled(cls, a):
        return a * cls.scale

    @classmethod
    def longer(cls, a):
        return cls(a * 2 + cls.scaled(a))

    def energy(self, x):
        return self.scaled(x * self.p) + type(self).scaled(x) + self.__class__.product(x, self.p)

    def next(self):
        return self.longer(self.p * 3)


class Arm(Link):
    scale = 3.0

    @classmethod
    def squared(cls, a):
        return cls.scaled(a) * a


class Hidden(Link):
    def __init__(self, p):
        self.p = p
        self.scaled = lambda a: a * 7


@right
def of_one_object(x):
    link, arm = Link(x[0]), Arm(x[1])
    return link.scaled(arm.p) * arm.scaled(link.p) + arm.squared(x[0]) * link.product(x[0], arm.p)


@right
def in_methods(x):
    arm = Arm(x[0])
    longer = arm.next()
    return longer.p * longer.energy(x[1]) + Link(x[1]).next().energy(x[0])


@right
def of_elements(x):
    links = [Link(p * x[0]) for p in (1.0, 2.0, 3.0)]
    t = 1.0
    for i in range(len(links)):
        t = links[i].product(t, links[i].p)
    for link in links:
        t = link.scaled(t * link.p)
    return t + sum(link.product(link.p, x[1]) * link.scaled(x[0]) for link in links)


@right
def hidden_by_an_attribute(x):
    hidden = Hidden(x[0])
    return hidden.scaled(x[1] * hidden.p) + hidden.product(x[1], x[0])


@right
def of_one_that_may_be_none(x):
    link = None
    if x[0] > 0:
        link = Link(x[0])
    return link.scaled(x[1]) * x[0] if link is not None else x[1]


test_right = each_right(FUNCTIONS, X, X_DOT)


def energy(link, x):
    return link.energy(x) + link.scaled(link.p)


@pytest.mark.parametrize(("cls", "expected"), [(Link, 2 * 1.3 + 1.3 + 2), (Arm, 3 * 1.3 + 1.3 + 3)])
def test_of_a_given_object(cls: type, expected: float) -> None:
    assert_close(grad(energy)(cls(0.7), 1.3).p, expected, cls.__name__)


def test_a_class_that_changes() -> None:
    class Own:
        rate = 2.0

        @classmethod
        def of(cls, a):
            return a * cls.rate

    def f(x):
        own = Own()
        own.x = x
        return own.of(own.x)

    slope = grad(f)
    assert slope(1.0) == 2.0
    Own.of = classmethod(lambda cls, a: a * a * cls.rate)  # type: ignore[assignment]
    assert slope(1.5) == 6.0
    Own.rate = 5.0
    assert slope(1.5) == 15.0
