"""Items of lists that have no name: `list(rows(x))[1]` of what a call gives, taken whole or unpacked, in full shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

X = np.array([0.7, 1.2, -0.4, 0.9])
X_DOT = np.array([0.3, -1.0, 0.8, 0.5])
FUNCTIONS: list[Any] = []
STEPS = np.arange(3.0)


def moved(s):
    rows = []
    for k in range(2):
        rows.append(STEPS + s * k)
    return rows


def halves(x):
    pairs = []
    for k in range(2):
        pairs.append([x[:2] * k, x[2:] * (k + 1)])
    return pairs


def halves_in_tuples(x):
    pairs = []
    for k in range(2):
        pairs.append((x[:2] * k, x[2:] * (k + 1)))
    return pairs


def generated(p):
    yield p


@kept_in(FUNCTIONS)
def summed(x):
    return np.sum(list(moved(x[0] ** 2))[1])


@kept_in(FUNCTIONS)
def averaged(x):
    row = [*moved(x[0] ** 2)][1]
    return np.mean(row) * x[1]


@kept_in(FUNCTIONS)
def of_a_generator(x):
    row = [*generated(STEPS + x[0] ** 2)][0]
    return np.sum(row) * x[1]


@kept_in(FUNCTIONS)
def unpacked(x):
    a, b = list(halves(x))[1]
    return np.sum(a) + np.sum(b**3)


@kept_in(FUNCTIONS)
def one_unpacked_for_nothing(x):
    _, b = list(halves(x))[1]
    return np.sum(b**3)


@kept_in(FUNCTIONS)
def one_of_a_tuple_unpacked_for_nothing(x):
    _, b = list(halves_in_tuples(x))[1]
    return np.sum(b[0] ** 3)


@kept_in(FUNCTIONS)
def parts_of_a_split(x):
    left, right = [*generated(np.split(x * x, 2))][0]
    both = [*generated(np.concatenate((right, left)))][0]
    return np.sum(both) + np.sum(left * x[0])


@kept_in(FUNCTIONS)
def first_part_of_a_split(x):
    left, _ = [*generated(np.array_split(np.sin(x), 2))][0]
    return np.sum(left**2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function) -> None:
    check_along(function, X, X_DOT)
