"""`f(*p)` of an array or a list: beside defaults, in functions of elements, and the least and the greatest of all."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])

Triple = namedtuple("Triple", "a b c", defaults=(1.0,))


@dataclass
class Record:
    a: float
    b: float = 2.0
    c: float = 3.0


@dataclass
class Cell:
    a: float
    b: float
    c: float = 3.0
    history: list = field(default_factory=list)
    options: dict = field(default_factory=dict)

    def out(self, e):
        self.history.append(self.a * e)
        return self.history[-1] * self.b + self.c


class Gains:
    def __init__(self, kp, ki, kd, limit=2.0):
        self.kp = kp
        self.ki = ki
        self.kd = kd
        self.limit = limit

    def out(self, e, k=1.0):
        return self.kp * e * k + self.ki


class Pair:
    def __init__(self, w, x):
        self.w = w
        self.x = x

    def __mul__(self, o):
        return Pair(self.w * o.w - self.x * o.x, self.w * o.x + self.x * o.w)

    def turned(self, v):
        r = self * Pair(0.0, *v) * Pair(self.w, -self.x)
        return r.w + r.x


def model(a, b, c=1.0, d=2.0):
    return a * b + c * d


@kept_in(RIGHT)
def classes(x):
    few, all_of_them = Gains(*x[:3]), Gains(*x)
    t, u, r = Triple(*x[:2]), Triple(*x[:3]), Record(*x[:2])
    s = few.kp * few.limit + all_of_them.limit * all_of_them.kd + all_of_them.out(*x[:2])
    return s + t.a * t.b * t.c + u.c * u.a + r.a * r.b * r.c


@kept_in(RIGHT)
def in_loops(x):
    s = sum(model(*row) for row in np.outer(x, x))
    for k in range(3):
        s += model(*x[k:])
    return s + model(x[3], *x[:2]) * model(*(x * 2))


@kept_in(RIGHT)
def on_one_way(x):
    s = 0.0
    if x[0] > 0:
        s = model(*x[1:])
    p = x[:3] * 2
    y = model(*p)
    p[0] = 7.0
    return s * x[1] + y * p[1]


@kept_in(RIGHT)
def lists(x):
    some = [v for v in x if v > 0.5]
    return model(*some) * Gains(*[v * x[0] for v in x]).limit


@kept_in(RIGHT)
def none_by_default(x):
    def scaled(a, b=None):
        return a if b is None else a * b

    return scaled(*x[:2]) + scaled(*x[:1])


@kept_in(RIGHT)
def operators(x):
    return Pair(x[0], x[1]).turned(np.array([1.0]))


@kept_in(RIGHT)
def of_elements(x):
    return np.hypot(*x[:2]) * np.arctan2(*x[2:]) + np.sum(np.maximum(*np.outer(x[:2], x)))


@kept_in(RIGHT)
def least_and_greatest(x):
    scaled = [v * x[0] for v in x]
    s = max(*x) * min(*scaled) + max(x[0] * 2, *x[1:]) - min(*x, x[0] * x[1])
    while min(*x) > 0.3:
        x = x * 0.9
    return s * max(*x, key=lambda v: -v)


@kept_in(RIGHT)
def length_of_all(x):
    s = math.hypot(*x) ** 2
    for k in range(2):
        s += math.hypot(*[v * v * k for v in x])
    return s


@kept_in(RIGHT)
def others_after_it(x):
    step = x[3]
    three, all_of_them = Gains(*x[:2], step), Gains(*x[:3], step)
    s = three.out(x[0]) * three.kd * three.limit + all_of_them.out(2.0, *x[:1]) * all_of_them.limit
    for k in range(2):
        s += model(x[0], *x[k + 2 :], x[1] * x[k])
    return s + all_of_them.kd


@kept_in(RIGHT)
def two_after_it(x):
    p = x[:2] * 2
    few = x[:1] * 3
    y = model(*p, x[2], x[3]) + model(*few, x[2], x[3] * 2) * model(*few[:0], p[0], x[1])
    p[0] = 7.0
    return y * p[1]


@kept_in(RIGHT)
def containers_made_where_none_is_given(x):
    two, three, known = Cell(*x[:2]), Cell(*x[1:]), Cell(*x[:2], history=[])
    return two.out(x[0]) * two.c + two.out(x[1]) + three.out(x[2]) * three.c + known.out(x[3])


@refused_in(REFUSED)("how many arguments this gives is not known")
def a_container_after_it(x):
    return Cell(*x[:3], [1.0]).out(x[0])


@refused_in(REFUSED)("how many arguments this gives is not known")
def defaults_of_what_varies(x):
    def f(a, b=x[0]):
        return a * b

    return f(*x[:2])


@refused_in(REFUSED)("how many arguments this gives is not known")
def in_a_try(x):
    try:
        return model(*x[:3])
    except TypeError:
        return x[0]


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def all_given(p):
    return model(*p)


def test_any_length() -> None:
    slope = grad(all_given)
    for count in (2, 3, 4):
        p = np.arange(1.0, count + 1)
        assert_close(slope(p), numeric_gradient(all_given, (p,), 0, 1.0), str(count))
    with pytest.raises(ValueError, match="too many values to unpack"):
        slope(np.ones(5))
    assert "    if len(p) == 2:\n        a, b = p\n        c = 1.0" in slope.source(X)


def one_after(p, t):
    return model(*p, t)


def test_any_length_before_others() -> None:
    slope = grad(one_after)
    for count in (1, 2, 3):
        p = np.arange(1.0, count + 1)
        assert_close(slope(p, 0.5), numeric_gradient(one_after, (p, 0.5), 0, 1.0), str(count))
    with pytest.raises(ValueError, match="too many values to unpack"):
        slope(np.ones(4), 0.5)
    text = slope.source(X, 0.5)
    assert "    if len(p) == 1:\n        a, = p\n        b = t\n        c = 1.0" in text, text


def test_too_many_for_a_dataclass() -> None:
    slope = grad(lambda p: Cell(*p).b)
    assert_close(slope(np.ones(3)), np.array([0.0, 1.0, 0.0]), "three")
    with pytest.raises(ValueError, match="too many values to unpack"):
        slope(np.ones(4))
