"""Loops over the keys of dicts that get more keys around them: every trip sees those that there are by then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

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


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_every_trip_sees_the_keys_of_its_time(function: Callable[..., Any]) -> None:
    check_along(function, X, ALONG)
