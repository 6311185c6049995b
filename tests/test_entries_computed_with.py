"""Entries of dicts of numbers that are computed with before they meet what varies: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1, 0.9]), np.array([1.0, -2.0, 0.5, 0.3, 0.4])
NAMES = ["a", "b", "a", "c", "b"]
WEIGHTS = np.array([0.5, 1.5, 2.0, 0.25, 1.0])


@kept_in(RIGHT)
def multiplied(x):
    weights, totals = {}, {}
    for i, name in enumerate(NAMES):
        weights[name] = weights.get(name, 0.0) + WEIGHTS[i]
        totals[name] = totals.get(name, 0.0) + x[i]
    s = 0.0
    for name in totals:
        s += weights[name] * 2 * totals[name]
    return s * x[0]


@kept_in(RIGHT)
def cubes_of_entries(x):
    totals = {}
    for name, v in zip(NAMES, x, strict=True):
        totals[name] = totals.get(name, 0.0) + v
    return sum(v**3 for v in totals.values())


@kept_in(RIGHT)
def an_array_of_entries(x):
    totals = {}
    for name, v in zip(NAMES, x, strict=True):
        totals[name] = totals.get(name, 0.0) + v
    values = np.array(list(totals.values()))
    return np.exp(values / values.sum()).sum()


@kept_in(RIGHT)
def after_something_else_was_told_of_the_key(x):
    weights, totals = {}, {}
    for i, name in enumerate(NAMES):
        weights[name] = weights.get(name, 0.0) + WEIGHTS[i] * len(repr(name))
        totals[name] = totals.get(name, 0.0) + x[i]
    s = 0.0
    for name in totals:
        t = totals[name]
        s += -weights[name] * t * t
    return s


test_right = each_right(RIGHT, X, X_DOT)
