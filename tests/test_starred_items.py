"""Loops whose items are taken apart with a star, `for name, *values in rows`: as on a line of its own."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import grad, vjp

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
REFUSED: list[tuple[Function, str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.7, 1.1])


@keep
def of_lists(x):
    t = 0.0
    for _, *values in [["a", x[0], x[1]], ["b", x[2], x[1]]]:
        t += sum(v * v for v in values)
    return t


@keep
def inside_of_a_target(x):
    s = 0.0
    for k, (a, *rest) in enumerate([(x[0], x[1], x[2]), (x[1], x[2], x[0])]):
        s += k * a * rest[-1] + len(rest)
    return s


@keep
def of_zip(x):
    s = 0.0
    for a, *rest in zip(x, x[::-1], x * 2):
        s += a * rest[0] * rest[1]
    return s


@keep
def left_with_the_last(x):
    rest = [x[0]]
    for a, *rest in [[x[0], x[1]], [x[2], x[0]]]:
        if a > 1:
            continue
    return rest[0] * a


@refused("a star in the target of a comprehension")
def of_a_sum(x):
    return sum(v[0] * k for k, (_, *v) in enumerate([(x[0], x[1]), (x[1], x[2])]))


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def weighted(rows):
    t = 0.0
    for _, *values in rows:
        t += values[0] * values[1]
    return t


def test_structures() -> None:
    rows = [["a", 0.1, 0.2], ["bb", 0.3, 0.5]]
    expected = [[None, 0.2, 0.1], [None, 0.5, 0.3]]
    assert grad(weighted)(rows) == expected
    assert vjp(weighted, rows)[1](1.0) == (expected,)
