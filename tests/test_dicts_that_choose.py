"""Dicts that are written down to choose one of their values: `{"+": s + v, "*": s * v}[op]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
P, P_DOT = np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])
OPS = ["+", "*", "-", "+"]


@followed
def in_a_loop(x):
    s = x[0]
    for op, v in zip(OPS, x[1:]):
        s = {"+": s + v, "*": s * v}[op]
    return s


@followed
def on_the_way(x):
    s = x[0]
    for op in OPS:
        s += 0.5 * {"+": s, "*": x[1] * s, "-": -x[2]}[op] ** 2
    return s


@followed
def of_arrays(x):
    for op in OPS:
        x = np.sin({"+": x + 1.0, "*": x * x, "-": x[::-1]}[op])
    return np.sum(x)


@followed
def by_places(x):
    s = x[0]
    for k in range(3):
        s = {0: s * x[1], 1: x[2] - s, 2: np.exp(s)}[k]
    return s


test_right = each_right(FUNCTIONS, P, P_DOT)


def fold(x, ops):
    s = x[0]
    for op, v in zip(ops, x[1:]):
        s = {"+": s + v, "*": s * v}[op]
    return s


def test_which_ones_are_an_argument():
    gradient = grad(fold)
    for ops in (["+", "*"], ["*", "+"], ["*"], []):
        assert_close(gradient(P, ops), numeric_gradient(fold, (P, ops), 0, 1.0), str(ops))


def given_back(x):
    def chosen(op, a, b):
        return {"+": a + b, "*": a * b, "-": a - b}[op]

    for op in OPS:
        x = chosen(op, x, x[::-1])
    return np.sum(x * P)


def test_in_a_function_that_gives_it_back():
    assert_close(grad(given_back)(P.copy()), numeric_gradient(given_back, (P,), 0, 1.0), "back")
