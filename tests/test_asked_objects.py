"""Objects that change when they are asked for a value: as often as Python asks them, or the program is refused.

Python asks them for indices, numbers and arrays, for attributes that patterns look for, and those that __getattr__ finds.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import after, kept_in
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad, jvp, value_and_grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[Callable[..., Any]] = []
right, refused = kept_in(RIGHT), kept_in(REFUSED)

X, V = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Counter:
    """Counts what it is asked."""

    def __init__(self):
        self.n = 0

    def asked(self, value):
        self.n += 1
        return value

    def __index__(self):
        return self.asked(2)

    def __float__(self):
        return self.asked(2.0 + self.n)

    def __array__(self, dtype=None, copy=None):
        return self.asked(np.full(4, 2.0 + self.n))

    def __divmod__(self, other):
        return self.asked((2.0 + self.n, 1))

    def __format__(self, how):
        return self.asked("3")

    @property
    def p(self):
        return self.asked(2.0 + self.n)


class Finder:
    """Finds any attribute, and counts."""

    def __init__(self):
        self.n = 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.n += 1
        return 2.0 + self.n


class Lazy:
    """Makes an attribute when it is first asked for it."""

    def __init__(self):
        self.b = np.array([2.0, 1.0, 3.0, 0.5])

    def __getattr__(self, name):
        if name != "w":
            raise AttributeError(name)
        self.w = np.array([1.0, 2.0, 3.0, 4.0])
        return self.w


def counted():
    COUNTER.n += 1
    return 2.0 + COUNTER.n


class Filling(dict):
    def __missing__(self, key):
        self[key] = counted()
        return self[key]


class Other(collections.UserDict):
    def __missing__(self, key):
        return counted()


class Ending:
    def __del__(self):
        COUNTER.n += 1


FACTORY, FILLING, OTHER = collections.defaultdict(counted), Filling(), Other()


class Place:
    def __index__(self):
        return 2


COUNTER, FINDER, LAZY, PLACE = Counter(), Finder(), Lazy(), Place()


@right
def of_numpy(x):
    y = x * x * COUNTER.n
    return np.sum(y * np.asarray(COUNTER)) * COUNTER.n


@right
def keys_that_are_lacking(x):
    y = x * x * (COUNTER.n + 1)
    k = FACTORY["a"] * FILLING["a"] * OTHER["a"]
    return np.sum(y * y) * k * FACTORY["a"] * FILLING["a"] * OTHER["a"] * COUNTER.n


@right
def lacking_on_each_trip(x):
    s = 1.0
    for k in range(3):
        s = s * x[k] * (FACTORY[k % 2] + COUNTER.n)
    return s


@right
def of_math(x):
    y = x * x * (COUNTER.n + 1)
    z = math.sqrt(COUNTER)
    return np.sum(y * y) * z * math.sqrt(COUNTER)


@right
def on_each_trip(x):
    s = 1.0
    for k in range(3):
        s = s * x[k] * math.sqrt(COUNTER)
    return s


@right
def of_a_builtin(x):
    s = x[3]
    for k in range(3):
        s = s * s * divmod(COUNTER, 2)[0] + x[k]
    return s


@right
def of_a_text(x):
    return np.sum(x * x) * float(f"{COUNTER}") * COUNTER.n


@right
def found_on_each_trip(x):
    s = 1.0
    for k in range(3):
        s = s * x[k] * FINDER.q
    return s


@right
def found_between(x):
    y = x * x * (FINDER.n + 1)
    z = FINDER.q
    return np.sum(y * y) * z * FINDER.n


@right
def found_once(x):
    s = x[0]
    for k in range(4):
        s = s + LAZY.w[k] * x[k] * x[k] * LAZY.b[k] * s
    return s


@right
def places(x):
    return np.sum(x[:PLACE] ** 2) * x[3]


@refused
def slices(x):
    return np.sum(x[:COUNTER]) * COUNTER.n


@refused
def slices_of_two(x):
    return np.sum(np.outer(x, x)[0, 1:COUNTER])


@refused
def stores(x):
    z = np.zeros(4)
    z[:COUNTER] = x[1]
    return z @ z


@refused
def ranges(x):
    s = 0.0
    for k in range(COUNTER):
        s = s + x[k] * x[k]
    return s


@refused
def patterns(x):
    match COUNTER:
        case Counter(p=2.0):
            w = 2.0
        case _:
            w = 1.0
    return np.sum(x * x) * w


@refused
def patterns_that_find(x):
    match FINDER:
        case Finder(q=v):
            w = v
        case _:
            w = 1.0
    return np.sum(x * x) * w


@refused
def ended(x):
    y = x * x * (COUNTER.n + 1)
    t = Ending()
    del t
    return np.sum(y * y) * COUNTER.n


def reset():
    FACTORY.clear()
    FILLING.clear()
    COUNTER.n = FINDER.n = 0
    vars(LAZY).pop("w", None)


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_asked_as_often_as_python_does(f: Any) -> None:
    expected = numeric_gradient(after(reset, f), (X,), 0, 1.0)
    plain, left = after(reset, f)(X), (COUNTER.n, FINDER.n)
    value, got = after(reset, value_and_grad(f))(X)
    assert value == plain
    assert (COUNTER.n, FINDER.n) == left
    np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(after(reset, grad(f))(X), expected, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(
        after(reset, lambda x: jvp(f, (x,), (V,)))(X)[1], expected @ V, rtol=1e-6
    )


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_asked_more_often_is_refused(f: Any) -> None:
    reset()
    with pytest.raises(
        NotDifferentiable, match="which changes something: call a method instead|write range"
    ):
        grad(f)(X)
    assert (COUNTER.n, FINDER.n) == (0, 0)
