"""Objects that keep a state, in lists of known length, stepped inside of sums, maxima and comprehensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
Q, Q_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Comb:
    def __init__(self, delay, gain):
        self.buffer = [0.0] * delay
        self.gain, self.pos = gain, 0

    def tick(self, x):
        y = self.buffer[self.pos]
        self.buffer[self.pos] = x + self.gain * y
        self.pos = (self.pos + 1) % len(self.buffer)
        return y


class Filter:
    def __init__(self, k):
        self.k, self.y = k, 0.0

    def tick(self, x):
        self.y += self.k * (x - self.y)
        return self.y


@kept_in(RIGHT)
def comb_filters(g):
    combs = [Comb(2, g[0]), Comb(3, g[1])]
    out = []
    for _ in range(8):
        out.append(sum(c.tick(1.0) for c in combs))
    return sum(v * v for v in out)


@kept_in(RIGHT)
def read_after_the_sum(g):
    filters = [Filter(g[0]), Filter(g[1])]
    s = sum(c.tick(1.0) for c in filters) + filters[0].y
    return s * filters[1].y


@kept_in(RIGHT)
def read_before_the_sum(g):
    filters = [Filter(g[0]), Filter(g[1])]
    s = filters[0].y + sum(c.tick(v) * c.y for c, v in zip(filters, g))  # noqa: B905
    return s * filters[1].y


@kept_in(RIGHT)
def listed_from_a_dict(g):
    filters = {"a": Filter(g[0]), "b": Filter(g[1])}
    ys = [c.tick(2.0) for c in filters.values()]
    return ys[0] * ys[1] + filters["a"].tick(1.0)


@kept_in(RIGHT)
def one_of_them_twice(g):
    a, b = Filter(g[0]), Filter(g[1])
    ys = [c.tick(2.0) for c in (a, b, a)]
    return ys[0] * ys[1] + ys[2] * a.y


@kept_in(RIGHT)
def the_greatest(g):
    filters = [Filter(g[0]), Filter(g[1])]
    return max(c.tick(g[2]) for c in filters) + filters[1].y


@kept_in(RIGHT)
def two_loops_in_one(g):
    filters = [Filter(g[0]), Filter(g[1])]
    s = 0.0
    for _ in range(3):
        s += sum([c.tick(v) for c in filters for v in (g[2], g[3])]) * filters[0].y
    return s


@kept_in(RIGHT)
def some_of_them(g):
    filters = [Filter(g[0]), Filter(g[1])]
    return sum(c.tick(g[2]) for c in filters if c.k > 0.5) + filters[0].y + filters[1].y


test_right = each_right(RIGHT, Q, Q_DOT)
