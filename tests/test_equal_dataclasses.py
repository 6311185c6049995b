"""Dataclasses that are compared as Python does: by their fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import NotDifferentiable, grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


@dataclass
class Part:
    v: float
    w: float = 0.0
    note: str = field(default="a", compare=False)


@dataclass(eq=False)
class Marked(Part):
    mark: float = 1.0


@dataclass
class Pair:
    first: Part
    k: float


right = kept_in(RIGHT)


@right
def equal(x):
    a, b = Part(x[0], x[1]), Part(x[0], x[1], "b")
    return a.v * 2 if a == b else a.v * b.w


@right
def not_equal(x):
    a, b = Part(x[0]), Part(x[1])
    return a.v * 2 if a != b else a.v * b.v


@right
def itself(x):
    a = Part(x[0], x[1])
    b = a
    return a.v * b.w if a == b else x[2]


@right
def of_a_subclass(x):
    a, b = Marked(x[0], x[1], "a", x[0]), Marked(x[0], x[1], "a", x[2])
    return a.mark * 2 if a == b else b.mark * 3


@right
def in_a_loop(x):
    target, total = Part(x[1]), 0.0
    for v in x:
        p = Part(v)
        total += p.v**2 if p == target else 3 * p.v
    return total


@right
def attributes(x):
    p, q = Pair(Part(x[0]), x[1]), Pair(Part(x[0]), x[2])
    return p.k * 2 if p.first == q.first else q.k


test_right = each_right(RIGHT, X, X_DOT)


def test_one_that_is_none_on_later_trips() -> None:
    def function(x):
        p, q = Part(x), Part(x)
        s = 0.0
        for _ in range(3):
            s += x if p == q else 2 * x
            q = None
        return s

    with pytest.raises(NotDifferentiable, match="or None: ask a flag of its own"):
        grad(function)(0.7)


def test_given_in_a_loop() -> None:
    def function(a, others):
        s = 0.0
        for b in others:
            s += b.v * a.v if a == b else a.v
        return s

    assert grad(function)(Part(0.7), [Part(0.7), Part(0.8)]) == Part(1.7)


def test_given() -> None:
    def function(a, b):
        return a.v * 2 if a == b else a.v * 3

    assert grad(function)(Part(0.7), Part(0.8)) == Part(3.0)
    assert grad(function)(Part(0.7), Part(0.7)) == Part(2.0)
    assert grad(function)(Part(0.7), Part(0.7, 0.1)) == Part(3.0)
