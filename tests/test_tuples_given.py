"""Tuples of tuples that a function gives, asked for items of which it shows only later which these are."""

from __future__ import annotations

from typing import Any

import numpy as np
from every_mode import Function, each_right, kept_in

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, -0.4, 1.1]), np.array([0.3, 0.9, -0.5])


def turned(t):
    return ((np.cos(t), -np.sin(t)), (np.sin(t), np.cos(t)))


def pair(x):
    return x[0] * x[1], np.sin(x[2])


def mixed(x):
    """A tuple and an array."""
    return (x[0], x[1] * x[2]), x * x


def transposed(m):
    return tuple(tuple(m[j][i] for j in range(2)) for i in range(2))


def product(a, b):
    return tuple(
        tuple(sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)) for i in range(2)
    )


def weighed(m):
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += (i + 2 * j + 1) * m[j][i]
    return s


def summed(p, n=2):
    s = 0.0
    for i in range(n):
        s += (i + 1) * p[i]
    return s


def noted(calls: list[Any], x):
    calls.append(x[0])
    return pair(x * len(calls))


@right
def by_two_indices(x):
    m, s = turned(x[0]), 0.0
    for i in range(2):
        for j in range(2):
            s += m[i][j] * x[i + j]
    return s


@right
def by_the_second_index(x):
    m, s = turned(x[0] * x[1]), 0.0
    for i in range(2):
        s += m[0][i] * x[i]
    return s * m[1][0]


@right
def handed_on(x):
    return weighed(turned(x[0])) * summed(pair(x))


@right
def handed_on_by_name(x):
    m, p = turned(x[0]), pair(x)
    return weighed(m) * summed(p) + m[0][1] * p[0]


@right
def a_row_handed_on(x):
    m = turned(x[1])
    return summed(m[1]) * summed(m[0], n=1)


@right
def of_matrices(x):
    a = turned(x[0])
    b = transposed(turned(x[1]))
    c = product(a, b)
    return weighed(product(c, transposed(a))) * c[0][1] + weighed(product(turned(x[2]), c))


@right
def on_each_trip(x):
    m = ((1.0, 0.0), (0.0, 1.0))
    for k in range(3):
        m = product(m, turned(x[k]))
    return weighed(m)


@right
def on_no_trip(x):
    m = turned(x[0])
    s = 0.0
    for i in range(0):
        s += m[i][i]
    return s + m[0][0]


@right
def in_order(x):
    """What stands before it on the line is evaluated before."""
    calls: list[Any] = []
    return len(calls) * x[0] + summed(noted(calls, x)) * summed(noted(calls, x))


@right
def beside_arrays(x):
    m, s = mixed(x), 0.0
    for i in range(2):
        s += m[0][i] * m[1][i]
    m[1][1] *= x[0]
    return s * m[1][1] + m[0][int(x[2] > 1.0)]


@right
def a_list_on_one_way(x):
    """Tuple or list, it has as many items."""
    o = pair(x)
    if x[0] > 0:
        o = [2 * m for m in o]
    return o[0] * o[1]


@right
def a_list_on_each_trip(x):
    o = pair(x)
    for _ in range(3):
        o = [m * x[0] for m in o]
    u, v = o
    return u * np.cos(v)


@right
def another_tuple_on_one_way(x):
    o = pair(x)
    first = o
    if x[0] > 0:
        o = tuple(m * m for m in o)
    else:
        o = pair(x * 2)
    return o[0] * o[1] * first[0]


@right
def of_another_length(x):
    if x[0] > 0:
        o = pair(x)
    else:
        o = (x[0], x[1], x[2])
    return o[0] * np.exp(o[1])


test_right = each_right(RIGHT, X, X_DOT)
