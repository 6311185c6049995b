"""Arrays in tuples and lists that lie in a list are updated where they lie: other names for them see it, and its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


def rows_of(x):
    rows = [[1, x * 2], [3, x * 3]]
    rows.append([2, x + 1])
    return rows


def weighed(rows):
    return sum(k * np.sum(v**2) for k, v in rows)


@form
def row_named_before(x):
    rows = rows_of(x)
    first = rows[0]
    s = np.sum(first[1] ** 2)
    rows[0][1] += x
    return s + weighed(rows)


@form
def array_named_before(x):
    rows = rows_of(x)
    first = rows[0][1]
    s = np.sum(first**2)
    rows[0][1] *= x
    return s + weighed(rows)


@form
def unpacked_before(x):
    rows = [[1, x * 2], [3, x * 3]]
    rows.append([2, x + 1])
    (_, a), (_, b), *_ = rows
    s = np.sum(a**2 * b)
    rows[0][1] += x
    return s + weighed(rows)


@form
def on_each_trip(x):
    rows = rows_of(x)
    s = 0.0
    for j in range(2):
        array = rows[j][1]
        s += np.sum(array**2)
        rows[j][1] += x
        s += np.sum(rows[j][1] ** 3)
    return s + weighed(rows)


@form
def replaced_and_updated(x):
    rows = [[1, x * 2], [3, x * 3]]
    rows.append([2, x + 1])
    first = rows[0][1]
    s = np.sum(first**2)
    rows[0][1] = x**2 * first
    rows[0][1] += first
    return s + weighed(rows)


@form
def deeper(x):
    rows = [[1, [x * 2, x]], [1, [x * 3, x]]]
    rows.append([2, [x**2, x]])
    pair = rows[0][1]
    s = np.sum(pair[0] ** 2)
    rows[0][1][0] += x
    return s + sum(k * np.sum(v[0] ** 2) for k, v in rows)


@form
def in_dicts(x):
    rows = [{"weight": 1, "values": x * 2}]
    rows.append({"weight": 2, "values": x + 1})
    first = rows[0]["values"]
    s = np.sum(first**2)
    rows[0]["values"] += x
    return s + sum(row["weight"] * np.sum(row["values"] ** 2) for row in rows)


@form
def numbers(x):
    rows = [[1, x[0] * 2], [1, x[1] * 3]]
    rows.append([2, x[2]])
    s = 0.0
    for j in range(3):
        number = rows[j][1]
        s += number**2
        rows[j][1] *= x[1]
        rows[j][0] += 1
        rows[j][1] = rows[j][1] * rows[j - 1][1]
    return s + sum(k * v**2 for k, v in rows)


def doubled_and_squared(x):
    return x * 2, x**2


@form
def in_a_tuple_that_is_run_over(x):
    p = x**2
    last = x
    for w in (p + 1.0, p + 2.0):
        w *= 2.0
        last = w
    return np.sum(last**2)


@form
def in_a_tuple_that_has_a_name(x):
    pair = (x + 1.0, x * 2)
    s = 0.0
    for w in pair:
        w += s
        s = s + np.sum(w**2)
    for w in pair[::-1]:
        s += np.sum(w) * s
    return s


@form
def in_a_tuple_that_a_function_gives(x):
    s = 0.0
    for w in reversed(doubled_and_squared(x)):
        w[1] = x[0] * w[0]
        w += x
        s = s * 2 + np.sum(w * w)
        w **= 2
        s += np.sum(w)
    return s


@form
def numbers_of_a_tuple(x):
    s = 0.0
    for v in (x[0] * 2, x[1] ** 2):
        v *= 2.0
        s += v**2
    return s


class Counter:
    def __init__(self):
        self.n = 5


@form
def at_a_place_that_an_object_gives(x):
    numbers, counter = [x[0], x[1], x[2]], Counter()
    numbers[counter.n % 4 % len(numbers)] = numbers[0] ** 2
    return sum([v * (j + 1) for j, v in enumerate(numbers)]) ** 2


@form
def copied_before_it_is_emptied(x):
    rows = [x * 2, x * 3]
    for i in range(1, 2):
        g = rows[i - 1][:].copy()
        rows[i - 1][:] = 0
        rows[i - 1] += g * rows[i]
    return np.sum(rows[0])


@form
def copied_before_one_place_is_scaled(x):
    rows, s = [x * 2, x * 3], 0.0
    for k in (1, 0):
        g = np.array(rows[k])
        rows[k][0] *= x[1]
        s += np.sum(g * rows[k])
    return s


@form
def entry_copied_before_it_is_scaled(x):
    d, s = {"a": x * 2, "b": x * 3}, 0.0
    for k in d:
        g = d[k].copy()
        d[k][0] *= x[1]
        s += np.sum(g * d[k])
    return s


@form
def product_with_one_before_it_is_scaled(x):
    rows, s = [x * 2, x * 3], 0.0
    for k in (1, 0):
        g = rows[k][1:] * 1
        rows[k][1] *= x[1]
        s += np.sum(g * rows[k][1:])
    return s


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))
