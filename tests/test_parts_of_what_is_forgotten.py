"""What varies comes into lists and arrays that constant containers hold, around calls that change these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, named, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp

FOLLOWED: list[Callable[..., Any]] = []
FIRST_ORDER: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
followed, first_order, refused = kept_in(FOLLOWED), kept_in(FIRST_ORDER), refused_in(REFUSED)


def first_row(values, table):
    values[0] = values[1]
    return table[0]


def put_in_first(row, v):
    row[0] = v


def grown(values, row):
    values[0] = values[0] + 1
    row.append(2.0)


def counted(values, table, k):
    table[k][0] += 1.0
    values[k] *= 2


def exchanged(table, i, j):
    table[i], table[j] = table[j], table[i]


def exchanged_both(values, table):
    values[0], values[1] = values[1], values[0]
    table[0], table[1] = table[1], table[0]


@followed
def rows_that_a_function_counts_in(x):
    table, values = [[0.0, 0.0] for _ in range(3)], [x[0], x[1], x[2]]
    for k in range(3):
        counted(values, table, k)
        table[k][1] = values[k] * table[k][0]
    return sum(row[1] ** 2 for row in table)


@first_order
def a_row_that_a_function_gives(x):
    table, values = [[1.0, 2.0], [3.0, 4.0]], [x[0], x[1]]
    row = first_row(values, table)
    row[0] = x[1] ** 2
    return table[0][0] * values[0]


@first_order
def an_array_that_a_function_gives(x):
    arrays, values = [np.ones(2), np.ones(2)], [x[0], x[1]]
    array = first_row(values, arrays)
    array *= x[2]
    array[0] = x[1] ** 2
    return np.sum(arrays[0]) * values[0]


@first_order
def a_row_that_grows(x):
    table, values = [[1.0, 2.0], [3.0, 4.0]], [x[0], x[1]]
    row = first_row(values, table)
    row.append(x[1] ** 2)
    return table[0][-1] * values[0]


@first_order
def a_row_that_is_handed_on(x):
    table, values = ([1.0, 2.0], [3.0, 4.0]), [x[0], x[1]]
    row = first_row(values, table)
    put_in_first(row, x[1] ** 2)
    return table[0][0] * values[0] + table[1][0]


@followed
def rows_that_change_places(x):
    rows = [[x[0], x[1]], [x[2], x[3]], [x[0], x[2]]]
    exchanged(rows, 0, 2)
    rows[0][1] += rows[2][0] ** 2
    return rows[0][1] * rows[1][0] + rows[2][1]


@first_order
def constants_change_places(x):
    rows, table = [[x[0], x[1]], [x[2], x[3]]], [[1.0, x.size], [x.size, 4.0]]
    exchanged_both(rows, table)
    table[0][1] += x[0] ** 2
    return table[0][1] * rows[0][1]


@first_order
def a_constant_row_that_grows(x):
    values, table = [x[0], x[1]], ([1.0, 2.0], [3.0, 4.0])
    grown(values, table[0])
    row = first_row(values, table)
    return values[0] * sum(table[0]) + values[1] * row[-1] ** 2


HIDDEN = "of which it is not known any more what it holds"


@refused(HIDDEN)
def an_array_beside_a_list(x):
    array = np.ones(2)
    both = [array, [7.0, 8.0]]
    array[0] = x[0] ** 2
    return sum(row[0] * row[1] for row in both)


@followed
def a_list_beside_an_array_that_varies(x):
    row, total = [7.0, 8.0], 0.0
    both = [x[:2], row]
    row[0] = x[3] ** 2
    for one in both:
        total += one[0] * one[1]
    return total


@refused(HIDDEN)
def an_array_or_a_list(x):
    array = np.ones(3)
    one = array if x[0] > 0 else [1.0, 2.0, 3.0]
    array[0] = x[1] ** 2
    return one[0] * x[0]


@refused(HIDDEN)
def logged_arrays_and_lists(x):
    array, log = np.zeros(2), []
    for i in range(3):
        array[0] += 1.0
        log.append(array if i < 2 else [5.0, 1.0])
    array[1] = x[0] ** 2
    return sum(one[1] for one in log)


X, X_DOT = np.array([0.7, 1.3, 0.4, 1.9]), np.array([0.3, -0.8, 1.1, 0.6])


test_in_every_mode = each_right(FOLLOWED, X, X_DOT)


@pytest.mark.parametrize("function", FIRST_ORDER, ids=named)
def test_first_derivatives(function: Callable[..., Any]) -> None:
    numeric = numeric_gradient(function, (X,), 0, 1.0)
    assert_close(grad(function)(X.copy()), numeric, function.__name__)
    assert_close(jvp(function, (X,), (X_DOT,))[1], numeric @ X_DOT, function.__name__)


test_refused = each_refused(REFUSED, X)
