"""Loops along a list of dicts or objects and an array: written out, as far as the array reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


@dataclass
class Bar:
    area: float

    def st(self):
        return self.area**2


class T:
    def __init__(self, bars, loads):
        self.bars = bars
        self.loads = loads

    def c(self):
        t = 0.0
        for b, l in zip(self.bars, self.loads):
            t += l**2 / b.area
        return t


def weighted(layers, gates):
    s = 0.0
    for layer, g in zip(layers, gates):
        s += layer["w"] * g
    return s


@kept_in(RIGHT)
def objects(p):
    layers = [Bar(p[0]), Bar(p[1])]
    s = 0.0
    for l, g in zip(layers, p):
        s += l.area * g * l.st()
    return s


@kept_in(RIGHT)
def as_far_as_the_array_reaches(p):
    return weighted([{"w": p[0]}, {"w": p[1]}], p) + weighted([{"w": p[0]}, {"w": p[1]}], p[:1])


@kept_in(RIGHT)
def in_a_method(p):
    return T([Bar(p[0]), Bar(p[1])], p * 2).c()


@kept_in(RIGHT)
def in_a_method_with_a_shorter_array(p):
    return T([Bar(p[0]), Bar(p[1])], p[2:]).c()


@kept_in(RIGHT)
def rows_that_are_written_to(p):
    m = np.outer(p, p)
    layers = [Bar(p[0]), Bar(p[1])]
    s = 0.0
    for l, row in zip(layers, m):
        row[1] = l.area
        s += np.sum(row)
    return s + m[0, 1] * m[2, 1]


@kept_in(RIGHT)
def in_a_sum(p):
    bars = [Bar(p[0]), Bar(p[1])]
    return sum(b.area * row @ row for b, row in zip(bars, np.outer(p, p)))


@kept_in(RIGHT)
def trip_after_trip(p):
    bars = [Bar(p[0]), Bar(p[1])]
    for _ in range(3):
        for b, v in zip(bars, p):
            b.area = b.area * 0.5 + v
    return bars[0].area * bars[1].area


test_right = each_right(RIGHT, P, P_DOT)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_given_dicts_and_an_array_of_any_length(count: int) -> None:
    layers, gates = [{"w": 0.5}, {"w": 2.0}], np.arange(1.0, 1.0 + count)
    gradients = grad(weighted)(layers, gates)
    assert [g["w"] for g in gradients] == [gates[k] if k < count else 0.0 for k in range(2)]
    expected = [layer["w"] for layer in layers] + [0.0]
    np.testing.assert_array_equal(grad(weighted, wrt=1)(layers, gates), expected[:count])
