"""Loops over lists that are written in their head, and that their lines change: on the way back they are those."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

X, X_DOT = np.array([0.5, 1.2, 0.7]), np.array([0.3, -0.2, 0.5])
RIGHT: list[Function] = []
keep = kept_in(RIGHT)


@keep
def stored_to(x):
    s = 0.0
    for a in [[1.0, 2.0], [3.0, 4.0]]:
        a[0] *= 2
        s += a[0] * x[0] ** 2
    return s


@keep
def grown(x):
    s = 0.0
    for a in ([1.0, 2.0], [3.0, 4.0]):
        a.append(5.0)
        s += a[-1] * x[0] ** 2 * len(a)
    return s


@keep
def filled_with_what_varies(x):
    s = 0.0
    for a in [[], []]:
        a.append(x[0])
        a.append(x[1] ** 2)
        s += a[0] * a[1]
    return s


@keep
def made_by_a_comprehension(x):
    s = 0.0
    for a in [[k * 1.0] for k in range(3)]:
        a.append(x[0])
        a[0] *= 2
        s += a[0] * a[1] ** 2
    return s


@keep
def in_loops_of_loops(x):
    s = 0.0
    for row in reversed([[1.0, 2.0], [3.0, 4.0]]):
        for r in [row, [2.0, 3.0]]:
            r[0] += 1.0
            s = s * r[0] * x[1] + x[0] * r[1]
    return s


def doubled(a, v):
    a[0] = a[0] * 2
    return a[0] * v


@keep
def changed_by_a_function(x):
    s = 0.0
    for r in [[1.0, 2.0], [3.0, 4.0]]:
        s += doubled(r, x[0]) * x[1] + r[0] * x[2] ** 2
    return s


@keep
def an_array_that_stands_there_twice(x):
    s = 0.0
    for a in [np.zeros(3)] * 2:
        a += 1
        s += np.sum(a * x**2)
    return s


@keep
def made_again_on_each_trip(x):
    s = 0.0
    for k in range(2):
        for a, b in zip([np.ones(3)] * 2, [[1.0]] * 2):
            a += k
            b[0] += 1.0
            s = s * b[0] + np.sum(a * x**2)
    return s


@keep
def the_last_one_is_read_after_the_loop(x):
    s = 0.0
    for a in [[1.0, 2.0, 3.0], [2.0, 1.0]]:
        a[-1] *= x[1]
        a[0] *= x[2]
        s += a[0] * x[2] * a[-2]
    return s + a[-1]


@keep
def the_last_one_is_shorter(x):
    s = 0.0
    for a in [[], []]:
        a.append(x[0])
        a.append(x[0])
        s += a[0] ** 2
    return s + a[0] ** 2 * 3


@keep
def the_last_array_is_longer(x):
    s = 0.0
    for a in [np.zeros(2), np.zeros(3)]:
        a += x[0]
        s += np.sum(a) * a[-1]
    return np.sum(a**2) + s


@keep
def lists_in_tuples(x):
    for row in [([], [1.0]), ([2.0], [])]:
        a, b = row
        a.append(x[0])
        b.append(x[1])
        if x[0] > 9.0:
            break
    return a[1] ** 2 * b[0]


@keep
def the_first_tuple(x):
    a, b = next(once for once in (([], []),))
    a.append(x[0])
    return a[0] ** 2


@keep
def parts_are_read_after_the_loop(x):
    s = 0.0
    for rows in [[[1.0, 2.0, 3.0], [1.0]], [[1.0], [2.0, 3.0]]]:
        for row in rows:
            row[-1] *= x[1]
            row.append(x[0] * row[0])
            s += row[0] * row[-1]
    return rows[0][0] ** 2 + rows[1][-1] + s


@keep
def under_another_name(x):
    s = 0.0
    for pair in [([1.0, 2.0, 3.0], [1.0]), ([2.0], [])]:
        row = pair
        row[0][0] *= x[0]
        row[0].append(x[0])
        s += row[0][0] * row[0][-1]
    return pair[0][1] ** 2 + s


test_right = each_right(RIGHT, X, X_DOT)
