"""Branches in loops: what their tests compare, and what both ways bind anew, is recorded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.4, 0.9, -0.3]), np.array([1.0, -2.0, 0.5, 0.8])


@followed
def state_of_both_ways(x):
    total = v = 0.0
    for i in range(len(x)):
        s = x[i] * 1.3 - v
        if s > 0:
            v = v + 0.1 * s * s
        else:
            v = v - 0.2 * s
        total += v * v
    return total


@followed
def several_ways(x):
    v, w = x[0], x[1]
    for i in range(len(x)):
        if x[i] > 1:
            v = v * w
            v = np.sin(v)
        elif x[i] > 0:
            w = w * v
            v = v + w * w
        else:
            v = v * v * w
            w = w * 2
    return v * w


@followed
def place_of_both_ways(x):
    y = np.zeros(6)
    j = 0
    for i in range(len(x)):
        if x[i] > 0.8:
            y[j] = x[i] * y[j - 1] + 1
            j = j + 1
        else:
            y[j] = x[i] ** 2
            j = j + 2 if j < 3 else j
    return np.sum(y**2)


@followed
def state_that_is_compared(x):
    v = 1.0
    for i in range(len(x)):
        if v > 1.2:
            v = v * x[i] * v
        else:
            v = np.exp(v * x[i])
    return v


@followed
def named_before_it_changes(x):
    v = x[0]
    s = v * x[1]
    for i in range(len(x)):
        positive = s > 0.5
        s = s * x[i]
        if positive:
            v = v + s * s
        else:
            v = v * s
    return v


@followed
def arrays_of_both_ways(x):
    y = x.copy()
    for _ in range(3):
        if np.sum(y) > 2:
            y = y * y * 0.5
        else:
            y = np.exp(y)
        y *= y * 0.3
    return np.sum(y)


@followed
def left_inside(x):
    v = x[0]
    n = 0
    while n < 6:
        n += 1
        if v > 1:
            v = v * 0.3 * v
            if n > 4:
                break
        else:
            v = v * v + x[1]
    return v


@followed
def exchanged(x):
    a, b = x[0], x[1]
    for k in range(5):
        if a > b:
            a, b = b * a, a
        else:
            b = a * b + x[k % 4]
            a = a * b
    return a + b


@followed
def loop_in_a_way(x):
    v = x[0]
    for _ in range(3):
        if v > 1:
            for j in range(2):
                v = v * x[j] * v
        else:
            v = v * v + 1
    return v


@followed
def returned_inside(x):
    v = x[0]
    for k in range(4):
        if x[k] < 0:
            continue
        if v > 1:
            v = v * v * x[k]
        else:
            v = np.exp(v)
            if v > 4:
                return v * v
    return v


@followed
def without_a_loop(x):
    v = x[0] * x[1]
    if v > 0:
        v = v * v
    else:
        v = np.sin(v) * v
    if v > 10:
        v = v * v
    else:
        v = np.sin(v) * v
    return v * x[2]


@followed
def lists_of_both_ways(x):
    s = []
    v = x[0]
    for k in range(4):
        s.append(v * x[k])
        if v > 1:
            v = v * s[-1]
        else:
            v = v * v + s[0]
    return v * sum(s)


@followed
def paths(x):
    total = 0.0
    for i in range(len(x)):
        s = 1.0
        for j in range(3):
            s = s * np.exp(0.3 * x[i] * x[j])
        if s > 1.5:
            total += (s - 1.5) ** 2
    return total


@followed
def paths_of_two_sides(x):
    total = 0.0
    for i in range(len(x)):
        s = x[i] * x[0]
        for _ in range(2):
            s = np.sin(s) + x[i]
        if s > 0.9:
            total += s * s
        else:
            total -= s
    return total


test_right = each_right(FUNCTIONS, X, X_DOT)
test_right_elsewhere = each_right(FUNCTIONS, np.array([1.1, 0.3, -0.8, 1.2]), X_DOT)


def test_what_a_test_compares_is_read_again() -> None:
    """A test of what the ways read is no value of its own."""
    text = grad(state_of_both_ways).source(X)
    assert text.count("if s > 0:") == 2 and "positive" not in text, text


def test_one_tape_for_both_ways() -> None:
    text = grad(state_of_both_ways).source(X)
    assert text.count(".append(") == 1, text


def test_a_test_for_one_line_has_no_name() -> None:
    text = grad(paths).source(X)
    assert "if s > 1.5:" in text and "test" not in text, text
