"""Arrays that each trip of a loop makes shorter or longer: within a trip their lengths are known to equal themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.4, 0.9, -0.3, 1.1, 0.4]), np.array([1.0, -2.0, 0.5, 0.8, -0.4, 1.3])


@followed
def tree(x):
    values = np.exp(x)
    for _ in range(4):
        values = x[0] * values[:-1] + (1 - x[0]) * values[1:]
    return values[0] * values[1]


@followed
def differences(x):
    s = 0.0
    for _ in range(3):
        x = x[1:] - x[:-1]
        s += np.sum(x**2)
    return s


@followed
def halves(x):
    y = np.append(x, x[:2] ** 2)
    while len(y) > 1:
        y = y[::2] * y[1::2] + y[: len(y) // 2]
    return y[0]


@followed
def grown(x):
    y = x[:1]
    for k in range(1, 5):
        y = np.append(y * y[-1], x[k])
    return np.sum(y * y)


@followed
def shorter_at_times(x):
    y = x
    for k in range(4):
        if x[k] > 0.8:
            y = y[1:] * y[:-1]
        y = y * y
    return np.sum(y)


@followed
def lengths_exchanged(x):
    a, b = x[:2], x[2:]
    for _ in range(3):
        a, b = b * a[0], a * b[-1]
    return np.sum(a) + np.sum(b**2)


@followed
def begun_anew(x):
    s = 0.0
    for k in range(2):
        y = x * (k + 1)
        for _ in range(3):
            y = y[1:] * y[:-1]
        s += np.sum(np.sin(y))
    return s


@followed
def as_the_trip_before(x):
    y, before, s = x, np.append(x, 1.0), 0.0
    for _ in range(3):
        s += np.sum(before[1:] * y)
        before = y * y
        y = y[1:]
    return s


@followed
def weighed_by_others(x):
    y = x
    for k in range(3):
        y = y[1:] * x[: len(y) - 1]
        y = y + x[k]
    return np.sum(y)


@followed
def down_to_one(x):
    y = x[:2]
    w = x
    for _ in range(1):
        y = y[1:] * y[:-1]
        w = w * y
    return np.sum(w * y)


@followed
def complements(x):
    m = np.outer(x, x**2) + np.diag(np.exp(x))
    s = 1.0
    for _ in range(5):
        s = s * m[0, 0]
        m = m[1:, 1:] - np.outer(m[1:, 0], m[0, 1:]) / m[0, 0]
    return s * m[0, 0]


@followed
def kept_in_a_list(x):
    kept = []
    for _ in range(3):
        kept.append(x)
        x = x[1:] * x[:-1]
    return sum(np.sum(y) for y in kept) * x[0]


@followed
def left_early(x):
    y = x
    for k in range(5):
        if k == 3 or x[k] < 0:
            break
        y = y[:-1] * y[1:]
        y[0] += x[k]
    return np.sum(y)


@followed
def no_trips(x):
    y = x
    for _ in range(len(x) - 6):
        y = y[:-1] * y[1:]
    return np.sum(y * x)


test_right = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", [tree, differences])
def test_text(function: Callable[..., Any]) -> None:
    text = grad(function).source(X)
    assert "unbroadcast" not in text and "full_like" not in text, text
