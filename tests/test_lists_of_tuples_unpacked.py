"""Lists of tuples that are unpacked, and lists of tuples that are put at the end of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


def weighed(x):
    points = []
    for k in range(2):
        points.append((k + 1, x[k]))
    return points


@form
def read_as_a_whole_as_well(x):
    points = [(0, x[0]), (1, x[1])]
    a, b = points
    return a[1] ** 2 * b[1] + sum([v * (j + 2) for j, v in points]) ** 2


@form
def grown_in_a_loop(x):
    points = []
    for k in range(2):
        points.append((k, x[k]))
    (i, u), (j, v) = points
    return u**2 * v * (j + i)


@form
def given_by_a_function(x):
    a, b = weighed(x)
    return a[1] ** 2 * b[1] * b[0]


@form
def in_order(x):
    a, b = sorted([(x[0], x[1]), (x[2], x[1])])
    return a[0] * b[1] ** 2


@form
def part_of_a_list(x):
    points = weighed(x) + weighed(x * 2)
    (a, b), c = points[1:3], x[2]
    return a[1] ** 2 * b[1] * c


@form
def on_each_trip(x):
    total = 0.0
    points = weighed(x)
    for _ in range(2):
        a, b = points
        total = total + a[1] * b[1]
        points = [(1, b[1] * 2), (2, a[1] * b[1])]
    for a, b in [points, weighed(x)]:
        total += a[1] ** 2 * b[1]
    return total


@form
def of_another_length(x):
    points = weighed(x)
    try:
        a, b, c = points
    except ValueError:
        a, b = points
        c = (0, x[2])
    return a[1] * b[1] ** 2 * c[1]


@form
def put_at_the_end(x):
    points = [(k, x[k]) for k in range(2)]
    points += [(3, x[1] ** 2)]
    points.extend([(7, x[2]), (5, x[0] * x[1])])
    return sum(k * v for k, v in points) ** 2


@form
def put_at_the_end_in_lists(x):
    nested = []
    for k in range(2):
        nested += [[x[k], [x[k] * 2, x[0]]], [x[k], [x[k] * 3, x[1]]]]
    return nested[0][1][0] * nested[1][1][1] * nested[2][1][1] * nested[3][0]


@form
def weights_in_a_list_in_a_list(x):
    steps = [[x[0], []]]
    steps.append([x[0] * x[1], [(0, x[1]), (1, x[0])]])
    total = 0.0
    for value, before in steps:
        total += value
        for place, weight in before:
            total += (place + 1) * weight**2
    return total


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))


class Tape:
    """What is computed, and by what each step changes with those before it."""

    def __init__(self):
        self.steps = []

    def start(self, value):
        self.steps.append([value, []])
        return len(self.steps) - 1

    def times(self, a, b):
        u, v = self.steps[a][0], self.steps[b][0]
        self.steps.append([u * v, [(a, v), (b, u)]])
        return len(self.steps) - 1


def backwards_by_a_tape(x):
    tape = Tape()
    a, b = tape.start(x[0]), tape.start(x[1])
    last = tape.times(a, b)
    slopes = [0.0] * len(tape.steps)
    slopes[last] = 1.0
    for k in reversed(range(len(tape.steps))):
        for place, weight in tape.steps[k][1]:
            slopes[place] += weight * slopes[k]
    return slopes[a] ** 2 + slopes[b]


def test_a_tape_that_is_walked_back() -> None:
    np.testing.assert_allclose(grad(backwards_by_a_tape)(np.array([0.5, 1.5])), [1.0, 3.0])


@pytest.mark.parametrize("count", [1, 3])
def test_another_number_of_tuples(count: int) -> None:
    def f(x, n):
        a, b = [(k, x[k]) for k in range(n)]
        return a[1] * b[1]

    x = np.array([0.7, 0.4, 0.9])
    with pytest.raises(ValueError) as expected:
        f(x, count)
    with pytest.raises(ValueError) as found:
        grad(f)(x, count)
    assert str(found.value) == str(expected.value)
