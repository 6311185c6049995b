"""What lines of loops compute from what they read on the trip before is not looked at again, and stays right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad
from tangentish.infer.inference import Inference

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


@keep
def new_memory_is_old_on_the_next_trip(x):
    a, old, total = x * 1.0, x * 0.0, 0.0
    for _ in range(4):
        b = a * 2.0
        b[0] = old[1] * total
        total = total + np.sum(b * old)
        old = b
        a = np.sin(b)
    return total + np.sum(a)


@keep
def an_argument_first_and_new_memory_then(x):
    a = keep = x
    for _ in range(3):
        c = a + 1.0
        v = c[1:]
        c[1] = c[0] * keep[0]
        keep = c
        a = a * np.sum(v)
    return np.sum(a * keep)


@keep
def lengths_that_change(x):
    total, y = 0.0, x * 1.0
    for i in range(3):
        z = y[i:]
        total = total + np.sum(z * z[0])
        for j in range(2):
            w = z * 2.0
            w[0] += y[j]
            total += w[-1] * w[0]
            y = y * 1.1
    return total


@keep
def a_view_that_becomes_another(x):
    y = x * 1.0
    v, total = y[1:], 0.0
    for i in range(3):
        w = v * 2.0
        if i == 1:
            v = y[:2]
        y[1] = w[0] * 3
        total = total + w[0] * w[1]
    return total + np.sum(y)


@keep
def names_that_change_places(x):
    q, r, total = x * 1.0, x * 1.0, 0.0
    for _ in range(4):
        s = q * r
        q = r
        r = s
        q[0] = total * 0.1
        total = total + np.sum(s)
    return total


@keep
def a_name_of_either_branch(x):
    total, k = x[0] * 1.0, 0
    while k < 3:
        u = x * total
        if k > 1:
            h = u[1] * 2
        else:
            h = u[0]
        total = h * np.sum(u)
        k = k + 1
    return total


@keep
def the_same_line_in_two_loops(x):
    m, total = x, 0.0
    for _ in range(3):
        g = m * x
        m = g
        for j in range(2):
            g = m * x
            m = m + g[::-1]
            m[j] *= 0.5
        total += np.sum(g * m)
    return total


@keep
def into_what_is_made_in_the_call(x):
    total = 0.0
    for _ in range(2):
        y = np.multiply(x, x, out=np.zeros(3))
        total += np.sum(y * x)
    return total


@keep
def into_what_was_made_on_the_trip(x):
    total, k = 0.0, 0
    while k < 2:
        room = np.empty_like(x)
        y = np.divide(x, x[0] + 2.0, room, where=x > 0.4)
        room[2] = 1.0
        total += np.sum(y[1:] * room[1:]) * x[0]
        k += 1
    return total


@keep
def into_new_memory_on_each_trip(x):
    y = x
    for _ in range(3):
        y = np.multiply(y, x, out=np.zeros(3))
        z = np.cumsum(y, out=np.empty(3))
        y = y + np.dot(np.outer(z, x), x, out=np.zeros(3))
    return np.sum(y)


X = np.array([0.3, 0.7, -0.4])
test_right = each_right(FUNCTIONS, X, np.array([0.5, -1.0, 0.25]))


def test_a_line_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    subtracted: list[Any] = []
    arithmetic = Inference.arithmetic

    def noted(self: Inference, op: str, operands: Any, nodes: Any, node: Any, active: bool) -> Any:
        subtracted.extend(operands if op == "Sub" else ())
        return arithmetic(self, op, operands, nodes, node, active)

    def function(x):
        a = x * 1.0
        for i in range(3):
            a = np.sin(a)
            b = i - x
            a = a * b
        return np.sum(a)

    monkeypatch.setattr(Inference, "arithmetic", noted)
    grad(function)(X.copy())
    assert len(subtracted) == 2
