"""Derivatives that a function takes where nothing varies yet: they change nothing, and what they give is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad, hvp, jvp, value_and_grad

FUNCTIONS: list[Callable[..., Any]] = []
WEIGHTS = np.array([[0.3, -0.2, 0.5, 0.1], [0.7, 0.2, -0.4, 0.3]])


def loss(w, x):
    return np.sum(np.tanh(w @ x) ** 2)


def weighted(w, x):
    return np.sum(w * w * x)


@kept_in(FUNCTIONS)
def steps_from_constants(x):
    w, data = WEIGHTS.copy(), np.ones(4)
    for _ in range(3):
        w = w - 0.1 * x[0] * grad(loss)(w, data)
    return loss(w, data)


@kept_in(FUNCTIONS)
def steps_with_data_that_varies_later(x):
    w, data = np.ones(4), np.ones(4)
    for _ in range(3):
        w = w - x[0] * grad(weighted)(w, data)
        data = data * x
    return np.sum(w)


@kept_in(FUNCTIONS)
def updated_in_place(x):
    w, data = WEIGHTS.copy(), np.ones(4)
    g = grad(loss)(w, data)
    w += x[1] * g
    return loss(w, data)


@kept_in(FUNCTIONS)
def with_the_value(x):
    w, data = WEIGHTS.copy(), np.ones(4)
    value, g = value_and_grad(loss)(w, data)
    w += x[1] * g
    return value * loss(w, data)


@kept_in(FUNCTIONS)
def products_with_the_hessian(x):
    w, data = WEIGHTS.copy(), np.ones(4)
    w += x[1] * hvp(loss)(w, w, data)
    return loss(w, data)


@kept_in(FUNCTIONS)
def tangents(x):
    w, data = WEIGHTS.copy(), np.ones(4)
    value, slope = jvp(loss, (w, data), (w, None))
    w = w * x[1] * slope
    return loss(w, data) * value


@kept_in(FUNCTIONS)
def of_what_captures(x):
    a = 3.0
    for _ in range(3):
        a = a - x[0] * grad(lambda z: z**3 * a)(a) * 0.01  # noqa: B023
    return a


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_derivatives_at_rest(function: Callable[..., Any]) -> None:
    x = np.array([0.7, 0.4, 0.9, 0.55])
    check_along(function, x, np.array([0.3, -1.0, 0.5, 0.2]))


def one_step(rate, w, x):
    w = w - rate * grad(loss)(w, x)
    return loss(w, x)


def test_it_stays_as_it_was_written() -> None:
    text = grad(one_step).source(0.1, WEIGHTS, np.ones(4))
    assert "t = grad(loss)(w, x)" in text
    assert ".copy()" not in text
