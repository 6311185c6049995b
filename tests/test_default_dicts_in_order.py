"""Entries that a default dict makes when a line asks for them: in the order of Python, or refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

STORES = "stores of differentiated values into lists, dicts and objects are not supported yet"
NO_RULE = "there is no derivative rule for collections.defaultdict"


def weighed(g):
    return sum(np.sum(v * (i + 1)) for i, v in enumerate(g.values()))


class Counter:
    def __init__(self):
        self.k = 0

    def next(self):
        self.k += 1
        return 2.0


@kept_in(RIGHT)
def from_left_to_right(x):
    g = defaultdict(lambda: np.zeros(2))
    s = (g["a"] * x[0]) + g["b"]
    g["a"] += x[0]
    g["b"] += x[1]
    r = 0.0
    for i, v in enumerate(g.values()):
        r += (i + 1) * np.sum(v)
    return r + np.sum(s)


@kept_in(RIGHT)
def a_value_before_its_target(x):
    g = defaultdict(lambda: np.ones(2))
    g["a"][0] = x[0] * g["b"][0]
    g["b"] += x[1]
    r = 0.0
    for i, v in enumerate(g.values()):
        r += (i + 1) * np.sum(v)
    return r


@kept_in(RIGHT)
def a_target_before_what_is_added(x):
    g = defaultdict(lambda: np.ones(2))
    g["a"] += x[0] * g["b"]
    g["b"] += x[1]
    r = 0.0
    for i, v in enumerate(g.values()):
        r += (i + 1) * np.sum(v)
    return r


@kept_in(RIGHT)
def keys_that_no_call_changes(x):
    g = defaultdict(lambda: np.ones(2))
    for name, v in zip(("a", "b", "a", "c"), x):
        s = abs(v) * g[name]
        g[name] += s
    return np.sum(g["a"] * g["b"])


@kept_in(RIGHT)
def sized_by_a_variable(x):
    n = 3
    g = defaultdict(lambda: np.zeros(n))
    for k in range(4):
        g[k % 2] += np.sin(x[k]) * np.ones(n)
    return np.sum(g[0] * g[1])


@refused(STORES)
def a_store_before_an_entry(x):
    g = defaultdict(lambda: np.ones(2))
    g["b"], g["a"][0] = x[:2] * 1.0, x[2]
    r = 0.0
    for i, v in enumerate(g.values()):
        r += (i + 1) * np.sum(v)
    return r


@refused(STORES)
def a_key_that_the_line_changes(x):
    ks = [0, 5]
    g = defaultdict(lambda: np.ones(2))
    g[0] += x[0]
    r = ks.pop() * g[ks[-1]]
    return np.sum(r * x[1]) + len(g)


@refused(STORES)
def an_attribute_that_the_line_changes(x):
    o = Counter()
    g = defaultdict(lambda: np.ones(2))
    g[0] += x[0]
    r = o.next() * g[o.k]
    return np.sum(r * x[1])


@refused(NO_RULE)
def a_variable_that_another_function_binds(x):
    c = x[1] * 1.0

    def f():
        nonlocal c
        c = 5.0
        return 1.0

    g = defaultdict(lambda: np.full(2, c))
    return np.sum(f() * g[0] * x[0])


@refused(NO_RULE)
def made_of_an_array_that_the_line_changes(x):
    c = x * 1.0

    def f():
        c[0] = 5.0
        return 1.0

    g = defaultdict(lambda: np.array(c))
    return np.sum(f() * g[0] * x[0])


@refused(STORES)
def asked_where_an_exception_is_caught(x):
    g = defaultdict(lambda: np.ones(2))
    try:
        s = x[9] * g["a"]
    except IndexError:
        s = 0.0
    g["b"] += x[0]
    g["a"] += x[1]
    r = 0.0
    for i, v in enumerate(g.values()):
        r += (i + 1) * np.sum(v)
    return r + np.sum(s)


@refused(STORES)
def asked_for_by_the_target_of_a_loop(x):
    g = defaultdict(lambda: np.ones(2))
    for g["a"][0] in x[:0]:
        pass
    g["b"] += x[0]
    return np.sum(g["b"]) + len(g)


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
