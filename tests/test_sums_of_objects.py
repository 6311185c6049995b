"""`sum(vectors, Vector(0, 0))`: the operator of a class adds them up, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + 2 * other.y)

    @classmethod
    def zero(cls):
        return cls(0.0, 0.0)


@kept_in(RIGHT)
def of_a_list(p):
    vectors = [Vector(v, v * v) for v in p]
    total = sum(vectors, Vector(0.0, 0.0))
    return total.x * total.y


@kept_in(RIGHT)
def of_a_list_that_grew(p):
    vectors = []
    for v in p:
        if v > 0.5:
            vectors.append(Vector(v, v * v))
    return sum(vectors, start=Vector(p[1], p[2])).y


@kept_in(RIGHT)
def of_a_generator(p):
    def force(i):
        others = [j for j in range(len(p)) if j != i]
        return sum((Vector(p[j] - p[i], p[j] * p[i]) for j in others), Vector.zero())

    return sum(force(i).x * force(i).y for i in range(len(p)))


@kept_in(RIGHT)
def inside_of_an_expression(p):
    a = 2.0 * sum([Vector(p[0], p[1]), Vector(p[1], p[2])], Vector.zero()).y
    return a * sum((Vector(v, 1.0) for v in p), Vector(p[0], 0.0)).x


@kept_in(RIGHT)
def of_nothing(p):
    return sum((Vector(v, v) for v in p[:0]), Vector(p[0], p[1])).y * p[2]


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)
