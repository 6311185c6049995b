"""Generators and other iterators that functions of the user's are given, and take all at once."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([0.3, -0.2, 0.5])
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)


def mean(vs):
    total, count = 0.0, 0
    for v in vs:
        total += v
        count += 1
    return total / count


def log_sum(vs):
    vs = list(vs)
    largest = max(vs)
    return largest + math.log(sum(math.exp(v - largest) for v in vs))


def dot(us, vs):
    return sum(u * v for u, v in zip(us, vs))


def squares(x):
    for v in x:
        yield v * v


def smoothed(vs, a=0.3):
    s = 0.0
    for v in vs:
        s = a * v + (1 - a) * s
        yield s


def rms(vs):
    return math.sqrt(mean(v * v for v in vs))


class Series:
    def __init__(self, values):
        self.values = list(values)

    def weighed(self, weights):
        return sum(w * v for w, v in zip(weights, self.values))


@right
def generators(x):
    return mean(v * v for v in x) * log_sum(v * x[0] for v in x) + dot((2 * v for v in x), x)


@right
def other_iterators(x):
    y = mean(map(math.sin, x)) * mean(filter(lambda v: v > 0.5, x)) + mean(reversed(x)) ** 2
    return y * dot(iter(x), enumerate_only(enumerate(x))) + mean(itertools.accumulate(x))


def enumerate_only(pairs):
    return [k * v for k, v in pairs]


@right
def generator_functions(x):
    vs = squares(x)
    y = mean(vs) * rms(smoothed(squares(x)))
    for v in smoothed(smoothed(x)):
        y += v**2
    return y


@right
def methods(x):
    series = Series(v * 2 for v in x)
    return series.weighed(v**2 for v in x) + Series(squares(x)).weighed(map(math.cos, x))


def twice(vs):
    return sum(vs) + sum(vs)


def first_large(vs):
    for v in vs:
        if v > 0.5:
            return v
    return 0.0


def forgiving(vs):
    try:
        return sum(vs)
    except ZeroDivisionError:
        return 0.0


def doubling(vs, y):
    total = 0.0
    for v in vs:
        y *= 2
        total += v
    return total


@dataclass
class Kept:
    items: object


@right
def kept_where_nothing_varies(x):
    return len(list(Kept(0 * k for k in range(len(x))).items)) * np.sum(x**2)


@refused("a generator that is kept is not followed")
def kept_by_an_object(x):
    return sum(Kept(v * v for v in x).items)


@refused("a generator that is kept is not followed")
def kept_in_a_list(x):
    rows = []
    rows.append(v * v for v in x)
    return sum(rows[0]) + sum(rows[0])


@refused("a generator that is kept is not followed")
def kept_in_a_dict(x):
    rows = {}
    row = rows.setdefault("a", (v * v for v in x))
    return sum(row) + sum(rows["a"])


@refused("a generator that is kept is not followed")
def run_over_twice(x):
    return twice(v * v for v in x)


@refused("a generator that is kept is not followed")
def left_early(x):
    return first_large(1 / x[k] for k in range(5))


@refused("a generator that is kept is not followed")
def under_a_try(x):
    return forgiving(v / (v - v) for v in x)


@refused("a generator that is kept is not followed")
def while_it_changes(x):
    y = x * 2
    return doubling((v * y[0] for v in x), y)


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
