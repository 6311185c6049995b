"""Loops over keys and numbers that are others on each trip of a loop around them: every trip sees those of its time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_refused, each_right, kept_in

X = np.array([0.7, 1.3, 0.4, 2.1])
ALONG = np.array([0.3, -0.8, 0.5, 0.2])

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


@keep
def more_keys_on_the_next_trip(x):
    d = {"a": x[1], "b": x[0]}
    s = 0.0
    for _ in range(2):
        for k in list(d):
            s = s + d[k] * len(k)
        d["cc"] = s * 0.1
    return s


@keep
def a_loop_in_a_loop_over_the_same_keys(x):
    d = {"a": x[0], "b": x[1]}
    for k in list(d):
        for j in list(d):
            d[j + "2"] = d[j] ** 2
        d[k + "3"] = d[k] ** 2
    return sum(d.values())


@keep
def under_the_same_name(x):
    d = {"a": x[0], "b": x[1]}
    for key in list(d):
        for key in list(d):
            d[key + "2"] = d[key] ** 2
        d[key + "2"] = d[key] ** 2
    return sum(d.values())


@keep
def keys_that_grow_with_each_row(x):
    d = {"a": x[0]}
    s = 0.0
    for q in x:
        for k, v in list(d.items()):
            d[k + "x"] = v * q
        s = s + len(d) * q
    return s + sum(d.values())


@keep
def three_loops(x):
    d = {"a": x[0]}
    for i in range(2):
        for k in list(d):
            for j in sorted(d):
                d[j + k] = d[j] * d[k] * x[i]
    return sum(d.values())


@keep
def two_loops_on_each_trip(x):
    d = {"a": x[0], "b": x[1]}
    for _ in range(2):
        for k in list(d):
            d[k] = d[k] * x[2]
        for k in list(d):
            d[k + "2"] = d[k] * x[3]
    return sum(d.values())


@keep
def a_count_that_grows(x):
    s = 0.0
    n = 1
    d = {0: x[0], 1: x[1], 2: x[2]}
    for i in range(3):
        for k in range(n):
            s = s + d[k] * (i + 1)
        n = n + 1
    return s


@keep
def keys_by_a_count_that_grows(x):
    s = 0.0
    n = 1
    d = {"a": x[0], "b": x, "c": x[2]}
    for i in range(3):
        for k in range(n):
            s = s + np.sum(d["abc"[k]]) * (i + 1)
        n = n + 1
    return s


@keep
def a_tuple_of_keys_that_grows(x):
    s = 0.0
    names = ("a", "b")
    d = {"a": x[0], "b": x[1], "c": x[2]}
    for i in range(2):
        for k in names:
            s = s + d[k] * (i + 1)
        names = (*names, "c")
    return s


@keep
def a_list_of_keys_that_shrinks(x):
    s = 0.0
    order = ["a", "b", "c"]
    d = {"a": x, "b": x[1], "c": x[2]}
    for _ in range(3):
        for k, key in enumerate(order):
            s = s + np.sum(d[key]) * (k + 1)
        order = order[1:]
    return s


@keep
def a_comprehension_over_keys_that_turn(x):
    s = 0.0
    names = ("a", "b")
    d = {"a": x, "b": x[1], "c": x[2]}
    for i in range(3):
        s = s + sum([np.sum(d[k]) * (i + 1) for k in names])
        names = (names[1], "c")
    return s


@keep
def by_a_count_that_a_row_changes(x):
    s = 0.0
    n = 1
    d = {"a": x, "b": x[1], "c": x[2]}
    for row in x:
        for k in range(n):
            s = s + np.sum(d["abc"[k]]) * row
        n = 2
    return s


def by_a_count_in_a_while(x):
    s = 0.0
    n = 1
    d = {"a": x, "b": x[1], "c": x[2]}
    while n < 4:
        for k in range(n):
            s = s + np.sum(d["abc"[k]])
        n = n + 1
    return s


def test_what_is_known_of_the_first_trip_only_is_refused() -> None:
    check_refused(by_a_count_in_a_while, "another trip of the loop around it", X)


test_every_trip_sees_the_keys_of_its_time = each_right(FUNCTIONS, X, ALONG)
