"""Lists that grow, joined with arrays: `np.concatenate((x, right))`; what comes back to them is a list again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
joined = kept_in(FUNCTIONS)


def products(x):
    found = []
    for k in range(3):
        found.append(x[k] * x[k - 1])
    return found


@joined
def after_append(x):
    right = []
    right.append(x[0] * x[1])
    return np.sum(np.concatenate((x, right)) ** 3)


@joined
def on_both_sides(x):
    small, large = [], []
    for v in x:
        if v > 0.5:
            large.append(v * x[0])
        else:
            small.append(v * v)
    return np.sum(np.concatenate((small, x, large)) ** 3)


@joined
def grown_on_each_trip(x):
    s, right = 0.0, []
    for k in range(3):
        right.append(x[k] * x[0])
        s += np.sum(np.concatenate((x, right)) ** 3)
        right[0] = right[0] * x[1]
    return s


@joined
def rows_in_a_list(x):
    rows = [x * x]
    for k in range(3):
        rows.append(x * x[k])
    return np.sum(np.concatenate(([x], rows)) ** 3) + np.sum(np.vstack((x, rows)) ** 3)


@joined
def lists_in_a_list(x):
    rows = [[x[0], x[1]]]
    for k in range(3):
        rows.append([x[k] * x[k - 1], x[0]])
    return np.sum(np.concatenate((rows, rows)) ** 3)


@joined
def in_other_ways(x):
    right = products(x)
    s = np.sum(np.hstack((x, right)) ** 3) + np.sum(np.column_stack((x, right)) ** 3)
    s += np.sum(np.vstack((x, right)) ** 2 * x) + np.sum(np.r_[x, right] ** 3)
    return s + np.sum(np.stack((right, x)) ** 3) + np.sum(np.stack((x, right), axis=1) ** 3)


@joined
def with_parts_of_it(x):
    right = products(x)
    return np.sum(np.concatenate((right, right[::-1], right[1:], tuple(right))) ** 3)


@joined
def converted_together(x):
    t, p = x[0], [x[1], 2.0, x[0] ** 2]
    s, t, p = map(np.asanyarray, (x, t, p))
    return np.sum(s * t / (1 - p / 10))


@joined
def converted_in_a_comprehension(x):
    right = [x[1], x[2] ** 2, 1.0]
    parts = [np.asarray(v) * 2 for v in (x, right, 0.5)]
    right[0] = x[0]
    return np.sum(parts[0] * parts[1]) * parts[2] * right[0]


test_in_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.3, 0.9]), np.array([0.2, 0.5, -0.4]))


def given(x, right, v):
    right.append(v)
    return np.sum(np.concatenate((x, right)) ** 2)


def of_any(s, t, p):
    s, t, p = list(map(np.asanyarray, (s, t, p)))
    return np.sum(s * t / (1 - p / 10))


def test_arrays_numbers_and_lists() -> None:
    x = np.array([1.0, 2.0])
    for given_so in ((x, x, [1.0, 2.0]), ([1.0, 2.0], x, 0.5), (x, 2.0, [1.0, 2.0])):
        of_arrays = grad(of_any, wrt=("s", "t", "p"))(*map(np.asarray, given_so))
        found = grad(of_any, wrt=("s", "t", "p"))(*given_so)
        for one, other in zip(found, of_arrays, strict=True):
            np.testing.assert_allclose(one, other)


def test_lists_that_are_given() -> None:
    x = np.array([0.5, 1.0])
    np.testing.assert_equal(grad(given, wrt="right")(x, [1.0], 2.0), [2.0])
    found = grad(given, wrt=("x", "right", "v"))(x, [1.0], 2.0)
    np.testing.assert_equal(found, (2 * x, [2.0], 4.0))
    np.testing.assert_equal(grad(given, wrt=("x", "v"))(x, [], 2.0), (2 * x, 4.0))
