"""Entries of dicts of numbers that are computed with before they meet what varies: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1, 0.9]), np.array([1.0, -2.0, 0.5, 0.3, 0.4])
NAMES = ["a", "b", "a", "c", "b"]
WEIGHTS = np.array([0.5, 1.5, 2.0, 0.25, 1.0])


@kept_in(FUNCTIONS)
def multiplied(x, names):
    weights, totals = {}, {}
    for i, name in enumerate(names):
        weights[name] = weights.get(name, 0.0) + WEIGHTS[i]
        totals[name] = totals.get(name, 0.0) + x[i]
    s = 0.0
    for name in totals:
        s += weights[name] * 2 * totals[name]
    return s * x[0]


@kept_in(FUNCTIONS)
def cubes_of_entries(x, names):
    totals = {}
    for name, v in zip(names, x, strict=True):
        totals[name] = totals.get(name, 0.0) + v
    return sum(v**3 for v in totals.values())


@kept_in(FUNCTIONS)
def an_array_of_entries(x, names):
    totals = {}
    for name, v in zip(names, x, strict=True):
        totals[name] = totals.get(name, 0.0) + v
    values = np.array(list(totals.values()))
    return np.exp(values / values.sum()).sum()


@kept_in(FUNCTIONS)
def after_something_else_was_told_of_the_key(x, names):
    weights, totals = {}, {}
    for i, name in enumerate(names):
        weights[name] = weights.get(name, 0.0) + WEIGHTS[i] * len(repr(name))
        totals[name] = totals.get(name, 0.0) + x[i]
    s = 0.0
    for name in totals:
        t = totals[name]
        s += -weights[name] * t * t
    return s


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    gradient = grad(function)
    numeric = numeric_gradient(lambda x: function(x, NAMES), (X,), 0, 1.0)
    assert_close(gradient(X.copy(), NAMES), numeric, function.__name__)
    assert_close(jvp(function, (X, NAMES), (X_DOT, None))[1], numeric @ X_DOT, function.__name__)
    slope = numeric_gradient(lambda x: np.sum(gradient(x, NAMES) * X_DOT), (X,), 0, 1.0)
    assert_close(hvp(function)(X, X_DOT, NAMES), slope, function.__name__)
