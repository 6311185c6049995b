"""Sums and counts by name, in dicts or objects that `setdefault` or a default dict makes for names that are new."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import NotDifferentiable, grad

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3, 0.4, 2.1]), np.array([0.3, -0.2, 0.5, 0.1])
NAMES = ("a", "b", "a", "c")


@dataclass
class Sums:
    total: float = 0.0
    n: int = 0


class Product:
    def __init__(self, v=1.0):
        self.v = v
        self.n = 0

    def times(self, w):
        self.v *= w
        self.n += 1


class Counted:
    made = 0

    def __init__(self, v):
        Counted.made += 1
        self.v = v


@right
def attributes_updated(x):
    m = {}
    for name, v in zip(NAMES, x, strict=True):
        m.setdefault(name, Sums(0.0)).total += v**2
        m[name].n += 1
    return sum(s.total**2 * s.n for s in m.values())


@right
def under_a_name(x):
    m = {}
    for name, v in zip(NAMES, x, strict=True):
        s = m.setdefault(name, Sums())
        s.total += v**2
        s.n += 1
    return sum(s.total**2 / s.n for s in m.values())


@right
def dicts_updated(x):
    m = {}
    for name, v in zip(NAMES, x, strict=True):
        m.setdefault(name, {"total": 0.0, "n": 0})["total"] += v**2
        m[name]["n"] += 1
    return sum(s["total"] ** 2 / s["n"] for s in m.values())


@right
def on_a_line_of_its_own(x):
    m = {"a": {"total": x[0], "n": 1}}
    for name, v in zip(NAMES, x, strict=True):
        m.setdefault(name, {"total": 0.0, "n": 0})
        m[name]["total"] += v**2
        m[name]["n"] += 1
    return sum(s["total"] ** 2 / s["n"] for s in m.values())


@right
def default_dict_of_objects(x):
    m = defaultdict(lambda: Sums(1.0))
    for name, v in zip(NAMES, x, strict=True):
        m[name].total *= v
        m[name].n += 1
    return sum(s.total**2 / s.n for s in m.values())


@right
def default_dict_of_a_class(x):
    m = defaultdict(Product)
    for name, v in zip(NAMES, x, strict=True):
        m[name].times(v)
    return sum(p.v**2 * p.n for p in m.values())


@right
def default_dict_of_dicts(x):
    m = defaultdict(lambda: {"total": 0.0, "n": 0})
    for name, v in zip(NAMES, x, strict=True):
        s = m[name]
        s["total"] += v**2
        s["n"] += 1
    return sum(s["total"] ** 2 / s["n"] for s in m.values())


@right
def known_names(x):
    m = {}
    m.setdefault("a", Sums(2.0)).total *= x[0]
    m.setdefault("a", Sums(3.0)).total *= x[1]
    return m["a"].total


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)


def test_a_class_that_counts_its_objects_is_asked_as_often_as_python_asks():
    def f(x):
        m = {}
        for name, v in zip(NAMES, x, strict=True):
            m.setdefault(name, Counted(0.0)).v += v
        return m["a"].v * m["b"].v * Counted.made

    with pytest.raises(NotDifferentiable):
        grad(f)(X)
