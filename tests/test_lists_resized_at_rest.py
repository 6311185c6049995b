"""Lists that get longer or shorter before anything in them varies: those of their tangents do, too."""

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([1.3, 0.7, -0.4]), np.array([0.3, -1.1, 0.6])


def by_places(values):
    return sum((k + 1) * v for k, v in enumerate(values))


def counted():
    values = []
    for k in range(3):
        values.append(float(k))
    return values


def repeat(values):
    values *= 2


def cut(values):
    del values[1:]


@keep
def without_the_first(x):
    values = counted()
    del values[0]
    values.append(x[0])
    return by_places(values) * x[1]


@keep
def without_a_part(x):
    values = counted()
    del values[1:]
    values.append(x[0])
    return by_places(values) * x[1] + values[1]


@keep
def without_a_value(x):
    values = counted()
    values.remove(1.0)
    values.append(x[0])
    return by_places(values) * x[1]


@keep
def repeated_under_two_names(x):
    values = [1.0, 2.0]
    other = values
    values *= 2
    other.append(x[0])
    return by_places(values) * other[2] + len(other) * other[4]


@keep
def by_helpers(x):
    values, others = counted(), [1.0, 2.0]
    cut(values)
    values.append(x[0])
    repeat(others)
    others[2] = x[1]
    return by_places(values) * by_places(others)


@keep
def in_a_list(x):
    rows = [[float(k) for k in range(3)] for _ in range(2)]
    del rows[0][1:]
    rows[1] *= 2
    rows[0].append(x[0])
    rows[1].append(x[1])
    return by_places(rows[0]) * by_places(rows[1]) * rows[1][5]


test_right = each_right(RIGHT, X, X_DOT)
