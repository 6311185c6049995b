"""Elements of an Enum of floats or integers in arithmetic: they are the numbers, where no class says otherwise."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.3]), np.array([1.0, -2.0, 0.5])


class Rate(float, enum.Enum):
    LOW = 0.1
    HIGH = 0.4

    @property
    def doubled(self):
        return 2 * self.value


class Count(int, enum.Enum):
    TWO = 2


class Level(enum.IntEnum):
    THREE = 3


class Own(float, enum.Enum):
    A = 2.0

    def __mul__(self, other):
        return 0.0

    __rmul__ = __mul__


right = kept_in(RIGHT)
refused = refused_in(REFUSED)


@right
def times(x):
    return np.sum(x * Rate.HIGH) + Rate.LOW / x[0]


@right
def powers(x):
    return x[0] ** Rate.HIGH + Rate.LOW ** x[1] + np.sum(x**Count.TWO) - x[2] ** Level.THREE


@right
def signs(x):
    return -Rate.HIGH * x[0] + 2 * Rate.LOW * x[1] - x[2] // Count.TWO


@right
def compared(x):
    return x[0] if x[0] > Rate.HIGH else x[1]


@right
def of_an_object(x):
    rate = Rate.HIGH if x[1] > 1 else Rate.LOW
    return x[0] * rate + x[1] * rate.value


@right
def given_to_functions(x):
    return np.sum(np.maximum(x, Rate.HIGH) * x) + max(x[0], Rate.HIGH) * np.hypot(x[1], Level.THREE)


@right
def chosen_by_where(x):
    return np.sum(np.where(x > Rate.HIGH, x**2, Rate.LOW * x) + np.clip(x, Rate.LOW, Level.THREE))


@right
def updated(x):
    total = x[0]
    total *= Rate.HIGH
    total += Count.TWO
    return total**2


@refused("a value of type Own meets a differentiated one")
def its_own_operators(x):
    return x[0] * Own.A


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_arguments() -> None:
    def function(x, rate):
        return np.sum(x * rate) ** 2

    for rate in (Rate.HIGH, Rate.LOW, Count.TWO, 0.5):
        expected = 2 * np.sum(X * rate) * float(rate) * np.ones(3)
        np.testing.assert_allclose(grad(function)(X, rate), expected)


def test_precision() -> None:
    def function(x):
        return np.sum((x * Rate.HIGH) ** 2)

    x = X.astype(np.float32)
    gradient = grad(function)(x)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, 2 * 0.16 * x, rtol=1e-6)
