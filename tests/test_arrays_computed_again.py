"""Arrays that are computed twice are two: what one place writes to is not what another holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


@keep
def in_a_list(x):
    p = [x > 0.5, np.tanh(x), np.tanh(x)]
    p[1] += 1.0
    return np.sum(p[1] * p[2] * p[0])


@keep
def in_a_tuple(x):
    p = (np.tanh(x), np.tanh(x))
    p[1][0] = x[1]
    return np.sum(p[0] * p[1])


@keep
def in_a_dict(x):
    d = {"a": np.exp(x * x[0]), "b": np.exp(x * x[0])}
    d["a"] *= 2.0
    return np.sum(d["a"] * d["b"])


@keep
def by_two_names(x):
    a, b = x * x[1], x * x[1]
    a *= 2.0
    return np.sum(a * b)


@keep
def by_views(x):
    a = np.tanh(x)[::-1]
    b = np.tanh(x)[1:]
    a[0] = 2.0
    return np.sum(a) * np.sum(b)


def doubled(a, b):
    a *= 2.0
    return np.sum(a * b)


@keep
def given_to_a_function(x):
    return doubled(np.tanh(x), np.tanh(x)) + doubled(x * x[0], x * x[0])


@keep
def used_up_in_arithmetic(x):
    a = np.tanh(x) * 2.0
    b = 1.0 - np.tanh(x)
    b[0] = x[1]
    c = np.exp(np.tanh(x))
    return np.sum(a * b * c)


X = np.array([0.7, 1.35, -0.4])
test_right = each_right(FUNCTIONS, X, np.array([0.5, -1.0, 0.25]))
