"""Loops over what is made one by one that call what changes it, whatever that is called: right, or refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

OVER = "the loop may change what this runs over: make it a list"
SHARED = "may share memory and one of them is written to"


class T:
    def __init__(self, y):
        self.y = y

    def get(self, v):
        self.y[2] = self.y[2] + v
        return 1.0

    @property
    def p(self):
        self.y[2] = self.y[2] * 2
        return 1.0

    def __add__(self, v):
        self.y[2] = self.y[2] + v
        return v


class Weights:
    def __init__(self, w):
        self.w = w
        self.seen = np.zeros(1)

    def get(self, v):
        return self.w * v

    def sum(self):
        self.seen[0] += 1.0
        return self.seen[0]

    @property
    def double(self):
        return self.w * 2.0


def full(y):
    return y


def each(y):
    for k in range(3):
        yield y[k]


def double(v):
    v *= 2


def norm(v):
    return np.sum(v * v)


@refused(OVER)
def a_method_called_get(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v in itertools.accumulate(y):
        o.get(v)
        s += v
    return s


@refused(OVER)
def a_method_between_the_items_of_takewhile(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v in itertools.takewhile(lambda u: u < 9, y):
        s += v * o.get(v)
    return s


@refused(OVER)
def a_property(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v in itertools.accumulate(y):
        o.p
        s += v
    return s


@refused(OVER)
def an_operator(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v in itertools.accumulate(y):
        s += o + v
    return s


@refused(OVER)
def a_method_between_the_tuples_of_product(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v, _ in itertools.product(y, [1.0]):
        o.get(v)
        s += v
    return s


@refused(OVER)
def a_method_between_pairs(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v, w in itertools.combinations(y, 2):
        o.get(v)
        s += v * w
    return s


@refused(OVER)
def a_method_beside_a_generator(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for k, v in enumerate(u for u in y if u < 9):
        o.get(v)
        s += v * k
    return s


@refused(OVER)
def a_method_between_the_items_of_a_generator(x):
    y = x * 1.0
    o = T(y)
    s = 0.0
    for v in each(y):
        o.get(v)
        s += v
    return s


@refused(OVER)
def a_function_called_full(x):
    y = x * 1.0
    s = 0.0
    for v in each(y):
        z = full(y)
        z[2] = v * 2
        s += v
    return s


@refused(OVER)
def a_function_that_knows_the_array_by_another_name(x):
    y = x * 1.0
    z = y

    def put(v):
        z[2] = z[2] + v
        return 1.0

    s = 0.0
    for v in itertools.accumulate(y):
        s += v * put(v)
    return s


@refused(OVER)
def an_item_is_changed(x):
    m = x.reshape(2, 2) * 1.0
    r = 0.0
    for s in itertools.accumulate(m):
        double(s)
        r += np.sum(s)
    return r


@refused(SHARED)
def the_first_total_is_the_first_row(x):
    m = x.reshape(2, 2) * 1.0
    l = list(itertools.accumulate(m))
    l[0][0] = 9.0
    return np.sum(m * m)


@refused(SHARED)
def the_first_total_is_kept(x):
    m = x.reshape(2, 2) * 1.0
    l = list(itertools.accumulate(m))
    m[0, 0] = 9.0
    return np.sum(l[0] * l[1])


@kept_in(RIGHT)
def a_method_that_only_reads(x):
    o = Weights(x[1])
    s = 0.0
    for v in itertools.accumulate(x):
        s += o.get(v) * o.double
    return s


@kept_in(RIGHT)
def a_method_that_changes_what_is_its_own(x):
    o = Weights(2.0)
    s = 0.0
    for v in itertools.accumulate(x):
        s += v * o.sum()
    return s


@kept_in(RIGHT)
def rows_that_functions_read(x):
    m = x.reshape(2, 2) * 1.0
    s = 0.0
    for row in itertools.accumulate(m):
        s += norm(row)
    for row in each_row(m):
        s += norm(row) * row.sum()
    return s


def each_row(m):
    for row in m:
        yield row * row[0]


@kept_in(RIGHT)
def totals_that_are_kept(x):
    m = x.reshape(2, 2)
    rows = []
    for row in itertools.accumulate(m):
        rows.append(row)
    return np.sum(rows[0] * rows[1]) + np.sum(np.array(list(itertools.accumulate(m))) ** 2)


@kept_in(RIGHT)
def a_function_that_appends_items(x):
    seen = []

    def push(v):
        seen.append(v)

    for v in itertools.accumulate(x):
        push(v)
    return seen[0] * seen[3]


@kept_in(RIGHT)
def pairs_and_an_array_of_its_own(x):
    y = np.zeros(4)
    k = 0
    for a, b in itertools.combinations(x, 2):
        y[k % 4] += a * b
        k += 1
    return np.sum(y * y)


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
