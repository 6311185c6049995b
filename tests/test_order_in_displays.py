"""Displays that hold an object, and what a call gives that changes it: the object is what the call made of it."""

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
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])

CHANGES = "a call in the same line changes this"


class State:
    def __init__(self, w):
        self.w = w
        self.x = w * 2
        self.named = {"a": w}

    def grown(self, k):
        self.x = self.x * k + self.w
        return self.x

    def itself(self):
        self.x = self.x * self.w
        return self


@kept_in(RIGHT)
def tuples(x):
    s = State(x[0])
    t = (s, s.grown(x[1]), s.x)
    return t[0].x * t[1] * t[2]


@kept_in(RIGHT)
def lists_and_dicts(x):
    s = State(x[0])
    t, d = [s, s.grown(x[1])], {"a": s, "b": s.grown(x[2])}
    return t[0].x * t[1] * d["a"].x * d["b"]


@kept_in(RIGHT)
def names(x):
    s = State(x[0])
    a, b = s, s.grown(x[1])
    c, d, e = s.x, s.grown(x[2]), s.x
    return a.x * b * c * d * e


@kept_in(RIGHT)
def displays_in_displays(x):
    s = State(x[0])
    t = ((s, 1.0), [s.x, s.grown(x[1])], s.x, {"k": s})
    return t[0][0].x * t[1][0] * t[1][1] * t[2] * t[3]["k"].x


@kept_in(RIGHT)
def two_objects(x):
    s, r = State(x[0]), State(x[1])
    a, b, c = s, r, (s.grown(x[1]), r.grown(x[2]))
    return a.x * b.x * c[0] * c[1]


@kept_in(RIGHT)
def dicts_of_objects(x):
    s = State(x[0])

    def put(v):
        s.named["a"] = v
        return v

    t = (s.named, put(x[1]), s.named["a"])
    return t[0]["a"] * t[1] * t[2] * s.x


@kept_in(RIGHT)
def on_each_trip(x):
    s, t = State(x[0]), 0.0
    for v in x:
        p = (s, s.grown(v), s.x)
        t += p[0].x * p[1] * p[2]
    return t


@kept_in(RIGHT)
def run_over(x):
    s, t = State(x[0]), 0.0
    for p in (s, s.itself(), s):
        t += p.x * x[1]
    for p, v in zip([s.itself(), s.itself()], x):
        t += p.x * v
    return t + sum([p.x for p in (s, s.itself())])


@kept_in(RIGHT)
def numbers_stay(x):
    s = State(x[0])
    t = (s.x, s.grown(x[1]), s.x)
    return t[0] * t[1] * t[2]


@refused(CHANGES)
def dict_bound_anew(x):
    s = State(x[0])

    def put(v):
        s.named = {"a": v}
        return v

    t = (s.named, put(x[1]))
    return t[0]["a"] * t[1]


@refused(CHANGES)
def object_bound_anew(x):
    s = State(x[0])

    def another(v):
        nonlocal s
        s = State(v)
        return v

    t = (s, another(x[1]))
    return t[0].x * t[1]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    assert_close(vjp(function, X)[0], function(X.copy()), function.__name__)
    check_along(function, X, X_DOT)


test_refused = each_refused(REFUSED, X)
