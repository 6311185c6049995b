"""Places of stores that are found by calls: what is read before a call is what it was then; or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])

CHANGES = "a call in the same line changes this"
ONES = np.arange(1.0, 4.0)


class Part:
    def __init__(self, v):
        self.v = v
        self.c = v * np.ones(3)


class Track:
    def __init__(self, w):
        self.w = w
        self.n = 0
        self.x = w * 2
        self.c = w * np.ones(3)
        self.part = Part(w)

    def step(self):
        self.n += 1
        self.x = self.x * self.w
        return self.n

    def grow(self):
        self.c = self.c * self.w
        return 1

    def renew(self, v):
        self.part = Part(v * 3)
        return v


# -- what an index reads before a call in it


@kept_in(RIGHT)
def counted_before(x):
    t, y = Track(x[0]), x * 2
    y[t.n + t.step()] *= t.x
    y[t.n + t.step() - 3] = t.x * x[1]
    return y @ ONES


@kept_in(RIGHT)
def bounds(x):
    t, y = Track(x[0]), x * 2
    y[t.n : t.step()] *= t.x
    y[t.n - 2 : t.step() - 1] = y[t.n - 1 : t.step()] * t.x
    y[t.n - 3 : t.step() - 2] += t.x
    return y @ ONES


@kept_in(RIGHT)
def two_axes(x):
    t, y = Track(x[0]), np.outer(x, x)
    y[t.n, t.step()] *= t.x
    y[t.step(), t.n] = t.x * x[1]
    return np.sum(y * np.arange(9.0).reshape(3, 3))


@kept_in(RIGHT)
def axis_beside_new_ones(x):
    t, y = Track(x[0]), np.outer(x, x)
    y[np.newaxis, t.n, t.step()] *= t.x
    return np.sum(y * np.arange(9.0).reshape(3, 3))


@kept_in(RIGHT)
def arrays_of_a_list(x):
    t, rows = Track(x[0]), [x * 2, x * 3]
    rows[t.n][t.step()] *= t.x
    rows[t.n][t.step()] = t.x
    return np.sum(rows[0]) + rows[1] @ x


@kept_in(RIGHT)
def in_a_loop(x):
    t, y = Track(x[0]), x * 2
    for v in x[1:]:
        y[t.n : t.step()] += v * t.x
    return y @ ONES


@kept_in(RIGHT)
def one_of_two_targets(x):
    t, y = Track(x[0]), x * 2
    a, y[t.n : t.step() + 1], b = t.n, t.x, t.x
    return y @ ONES + a * b * t.x


# -- what is stored to, which a call in the place, or the other operand, binds anew


@kept_in(RIGHT)
def rings(x):
    t = Track(x[0])
    for v in x:
        t.c[t.step() % 3] = v * t.x
        t.c[t.step() % 3] *= v + t.part.v
        t.part.c[t.step() % 3] += v * t.x
    return t.c @ ONES + t.part.c @ x


@kept_in(RIGHT)
def counted_by_functions_inside(x):
    k, y = 0, np.zeros(3)

    def following():
        nonlocal k
        k += 1
        return k - 1

    for v in x:
        y[following()] = v * v
    return y @ ONES


@kept_in(RIGHT)
def attributes_of_what_stays(x):
    t = Track(x[0])
    t.part.v *= t.step() * x[1]
    t.x += t.step() * x[2]
    t.part.v = t.renew(x[1])
    return t.x * t.part.v


@refused(CHANGES)
def bound_anew_by_an_index(x):
    t = Track(x[0])
    c = t.c
    t.c[t.grow()] = x[1]
    return np.sum(t.c) + np.sum(c * c)


@refused(CHANGES)
def bound_anew_by_a_bound(x):
    t = Track(x[0])
    t.c[: t.grow()] *= x[1]
    return np.sum(t.c)


@refused(CHANGES)
def its_owner_bound_anew_by_an_index(x):
    t = Track(x[0])
    t.part.c[int(t.renew(1.0))] += x[1]
    return np.sum(t.part.c)


@refused(CHANGES)
def its_owner_bound_anew(x):
    t = Track(x[0])
    t.part.v *= t.renew(x[1])
    return t.part.v


@refused(CHANGES)
def bound_anew_by_a_function_inside(x):
    y = x * 2
    z = y

    def double():
        nonlocal y
        y = y * x[0]
        return 1

    y[double()] = x[1]
    return np.sum(y) + np.sum(z * z)


@refused(CHANGES)
def owner_bound_anew_by_a_function_inside(x):
    t = Track(x[0])

    def another(v):
        nonlocal t
        t = Track(v)
        return v

    t.x *= another(x[1])
    return t.x


@refused(CHANGES)
def dict_bound_anew(x):
    d = {"k": {"z": x[0]}}

    def another(v):
        d["k"] = {"z": v}
        return v

    d["k"]["z"] *= another(x[1])
    return d["k"]["z"]


class Piece:
    def __init__(self, x):
        self.x = x


def put(parts, v):
    parts[0] = Piece(v)
    return v * 2.0


ANOTHER = "a call puts another dict or object in the place of one that this line updates"


@refused(ANOTHER)
def another_element_meanwhile(x):
    parts = [Piece(v) for v in x]
    parts[0].x += put(parts, x[1])
    return parts[0].x


@refused(ANOTHER)
def another_entry_meanwhile(x):
    parts = {}
    for k, v in zip("abc", x):
        parts[k] = Piece(v)

    def renew():
        parts["a"] = Piece(x[1])
        return x[2]

    parts["a"].x += renew()
    return parts["a"].x


@kept_in(RIGHT)
def another_element_before_the_store(x):
    parts = [Piece(v) for v in x]
    parts[0].x = parts[0].x + put(parts, x[1])
    return parts[0].x * parts[1].x


test_refused = each_refused(REFUSED, X)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    assert_close(vjp(function, X)[0], function(X.copy()), function.__name__)
    check_along(function, X, X_DOT)
