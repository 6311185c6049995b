"""An index reads a list, a dict, an object or an array, and that changes: the place is another one from there on."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

RIGHT: list[Function] = []
ONES = np.arange(1.0, 4.0)
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])


class Held:
    pass


@kept_in(RIGHT)
def of_a_list(x):
    x = x * 1
    c = [0]
    c[0], x[c[0]] = 2, x[c[0]] * x[1]
    return x @ ONES


@kept_in(RIGHT)
def of_a_dict(x):
    x = x * 1
    c = {"k": 0}
    c["k"], x[c["k"]] = 2, x[c["k"]] * x[1]
    return x @ ONES


@kept_in(RIGHT)
def of_an_object(x):
    x = x * 1
    c = Held()
    c.k = 0
    c.k, x[c.k] = 2, x[c.k] * x[1]
    return x @ ONES


@kept_in(RIGHT)
def of_an_array(x):
    x = x * 1
    c = np.array([0, 1])
    c[0], x[c[0]] = 2, x[c[0]] * x[1]
    return x @ ONES


@kept_in(RIGHT)
def of_arrays(x):
    x = x * 1
    c = np.array([0, 1])
    t = x[c] * x[1]
    c += 1
    x[c] = t
    return x @ ONES


@kept_in(RIGHT)
def of_arrays_that_are_filled(x):
    x = x * 1
    c = np.array([0, 1])
    t = x[c] * x[1]
    c[...] = [1, 2]
    x[c] = t
    return x @ ONES


@kept_in(RIGHT)
def popped(x):
    x = x * 1
    c = [2, 0]
    t = x[c[-1]] * x[1]
    c.pop()
    x[c[-1]] = t
    return x @ ONES


@kept_in(RIGHT)
def appended(x):
    x = x * 1
    c = [2]
    t = x[c[-1]] * x[1]
    c.append(0)
    x[c[-1]] = t
    return x @ ONES


@kept_in(RIGHT)
def looped(x):
    x = x * 1
    c = [0]
    for k in range(2):
        t = x[c[0]] * x[1]
        c[0] = k + 1
        x[c[0]] = t
    return x @ ONES


@kept_in(RIGHT)
def of_views(x):
    x = x * 1
    c = [0]
    v = x[c[0] :]
    c[0] = 1
    x[c[0] :] = v[:2] * 3
    v = x[c[0] :]
    s = np.sum(v**2)
    c[0] = 0
    return x @ ONES + s + v[0]


@kept_in(RIGHT)
def of_a_list_of_two_names(x):
    x = x * 1
    c = [0]
    b = c
    t = x[b[0]] * x[1]
    c[0] += 1
    x[b[0]] = t
    return x @ ONES


@kept_in(RIGHT)
def of_an_array_and_a_view(x):
    x = x * 1
    c = np.array([0, 2])
    b = c[:1]
    t = x[b[0]] * x[1]
    c[0] += 1
    x[b[0]] = t
    return x @ ONES


@kept_in(RIGHT)
def of_views_that_are_indices(x):
    x = x * 1
    c = np.array([0, 1, 2])
    b = c[:2]
    t = x[b] * x[1]
    c[0] += 2
    x[b] = t
    return x @ ONES


# -- counts, which a dict has of anything


@kept_in(RIGHT)
def sorted_by_counts(x):
    counts = Counter()
    y = np.zeros(3)
    for k in range(3):
        side = "low" if x[k] < 0 else "high"
        y[counts[side]] += x[k] ** 2
        counts[side] += 1
    return y @ ONES


@kept_in(RIGHT)
def rows_by_counts(x):
    A = np.outer(x, x)
    at = defaultdict(int)
    A[at["row"], at["column"] + 1] *= x[2]
    at["row"] += 1
    A[at["row"]] = x
    A[at["row"] :, at["last"]] -= x[0]
    return np.sum(A**2)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Function) -> None:
    check_along(function, X, X_DOT)
