"""Names that held what varies and are bound to what does not: by loops, managers, pops, stars.

Nothing is left there of the tangent, or of the gradient, of what had the name before.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])
STARTS = np.array([1.0, 2.0, 0.5])
ROWS = np.arange(6.0).reshape(3, 2) / 4


@contextlib.contextmanager
def giving(value):
    yield value


# -- loops


@kept_in(RIGHT)
def each_start(x):
    s = 0.0
    for z in STARTS:
        for _ in range(2):
            z = x[0] * z
        s += z
    return s


@kept_in(RIGHT)
def each_row(x):
    s = 0.0
    for z in ROWS:
        for _ in range(2):
            z = x[:2] * z + x[2:]
        s += np.sum(z)
    return s


@kept_in(RIGHT)
def each_row_in_place(x):
    s = 0.0
    for z in ROWS.copy():
        for _ in range(2):
            z *= x[:2]
        s += np.sum(z**2)
    return s


@kept_in(RIGHT)
def varies_before_and_is_read_after(x):
    s = 0.0
    z = x[1]
    for z in STARTS:
        for _ in range(2):
            z = x[0] * z
        s += z
    return s + z


@kept_in(RIGHT)
def no_trips(x):
    s = 0.0
    z = x[1]
    for z in STARTS[:0]:
        for _ in range(2):
            z = x[0] * z
        s += z
    return s + z * x[2]


@kept_in(RIGHT)
def only_bound(x):
    z = x[0]
    for z in STARTS:  # noqa: B007
        pass
    return z * x[1]


@kept_in(RIGHT)
def only_bound_on_no_trip(x):
    z = x[0]
    for z in STARTS[:0]:  # noqa: B007
        pass
    return z * x[1]


@kept_in(RIGHT)
def by_a_while(x):
    s = 0.0
    for i, z in enumerate(STARTS):
        while z * z < 3:
            z = z + x[i] ** 2 + 0.5
        s += z
    return s * z


@kept_in(RIGHT)
def two_names(x):
    s = 0.0
    for i, (z, w) in enumerate(zip(STARTS, STARTS)):
        for j in range(i):
            z, w = w * x[j], z + x[i]
        s += z * w
    return s


@kept_in(RIGHT)
def in_a_branch(x):
    s = 0.0
    for z in STARTS:
        if z > 0.8:
            for _ in range(2):
                z = x[0] * z
        s += z * x[1]
    return s


@kept_in(RIGHT)
def counter_of_an_inner_loop(x):
    s, z = 0.0, x[0]
    for i in range(3):
        for z in range(1, 3):
            for _ in range(2):
                z = x[i] * z
        s += z
    return s * z


@kept_in(RIGHT)
def loop_in_a_loop_of_one_name(x):
    s = 0.0
    for z in STARTS:
        for z in [z * 2.0, 3.0]:
            for k in range(2):
                z = x[k] * z
            s += z
        s += z**2
    return s


# -- managers


@kept_in(RIGHT)
def given_by_a_manager(x):
    s, z = 0.0, x[0]
    for i in range(3):
        s += z * x[1]
        with giving(2.0) as z:
            s += z * x[2]
            if i == 1:
                z = z * x[3]
        s += z
    return s


# -- elements that are taken out


@kept_in(RIGHT)
def taken_out_of_a_list(x):
    s, z = 0.0, x[0] * x[0]
    left = list(STARTS)
    while left:
        s += z
        z = left.pop()
    return s + z


@kept_in(RIGHT)
def taken_out_and_changed(x):
    s, z = 0.0, x[0]
    left = list(STARTS)
    while left:
        z = z * x[0]
        s += z
        z = left.pop()
        for _ in range(2):
            z = x[1] * z
    return s + z


@kept_in(RIGHT)
def taken_out_at_first(x):
    s = 0.0
    left = list(STARTS)
    while left:
        z = left.pop()
        for _ in range(2):
            z = x[0] * z
        s += z
    return s


# -- stars


@kept_in(RIGHT)
def star_on_the_left(x):
    s = 0.0
    for _ in range(2):
        z, *rest = [1.0, 2.0, 3.0]
        for _ in range(2):
            z = x[1] * z
        s += z * rest[0]
    return s


@kept_in(RIGHT)
def star_for_a_list_that_varied(x):
    s, z, rest = 0.0, x[0], [x[1], x[2]]
    for _ in range(2):
        s += z * rest[0]
        z, *rest = [1.0, 2.0, 3.0]
        for _ in range(2):
            z = z * x[2]
        s += z * rest[-1]
    return s


@kept_in(RIGHT)
def star_between(x):
    s, z, y = 0.0, x[0], x[2]
    for _ in range(2):
        s += z * y
        z, *rest, y = 1.0, 5.0, 4.0, 2.0
        for _ in range(2):
            z, y = z * x[2], y * x[1]
        s += z * rest[0]
    return s + y


@kept_in(RIGHT)
def star_on_the_right(x):
    s, z, y = 0.0, x[0], x[1]
    for _ in range(2):
        s += z * y
        z, y = [*STARTS[:2]]
        for _ in range(2):
            z, y = z * x[2], y * x[3]
    return s + z * y


test_right = each_right(RIGHT, X, X_DOT)
