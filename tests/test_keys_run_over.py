"""Stores under the keys that a loop over the dict itself gives: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


@kept_in(RIGHT)
def numbers(x):
    d = {"a": 1.0, "b": 2.0}
    s = 0.0
    for k in d:
        s += x[0] * d[k]
        d[k] = 6.0
    return s * x[1]


@kept_in(RIGHT)
def dicts(x):
    d = {"a": {"w": 1.0}, "b": {"w": 2.0}}
    for k in d:
        d[k]["w"] = 6.0
    return x[0] * d["a"]["w"] * x[1]


@kept_in(RIGHT)
def numbers_beside_a_view(x):
    d = {"a": 1.0, "b": 2.0}
    v = d.values()
    for k in d:
        d[k] = 6.0
    return x[0] * sum(v) * x[1]


@kept_in(RIGHT)
def numbers_within_a_list(x):
    d = {"a": 1.0, "b": 2.0}
    e = [d]
    for k in d:
        d[k] = 6.0
    return x[0] * e[0]["a"] * x[1]


test_right = each_right(RIGHT, X, X_DOT)
