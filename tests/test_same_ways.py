"""Branches whose both ways go back alike: their lines stand once in the text, and no test is recorded for them.

Every function is right either way: against numeric derivatives, in both modes, and its second derivative.
"""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in, named

from tangentish import grad

ONCE: list[Function] = []
TWICE: list[Function] = []
once, twice = kept_in(ONCE), kept_in(TWICE)
X = np.array([0.7, -0.4, 1.3])


@once
def of_an_expression(x):
    t, e = 1.0, 0.0
    for h in range(6):
        s = x[0] if h % 3 else x[0] - 4
        q = 0.5 * (s - t)
        t = t + 0.1 * (q - (t - x[1]))
        e += q * q
    return e


@once
def of_statements(x):
    y = 0.0
    for h in range(3):
        t = x * x
        if h > 1:
            s = 2 * x
        else:
            s = 2 * x - 1
        y += np.sum(s * s) * t[0]
    return y


@once
def of_three_ways(x):
    y = np.zeros_like(x)
    for h in range(3):
        if h > 1:
            s = 2 * x
        elif h > 0:
            s = 2 * x - 3
        else:
            s = 2 * x + 1
        y += s * s
    return np.sum(y)


@once
def of_places(x):
    y = np.zeros(3)
    for k in range(3):
        if k < 2:
            y[k] = x[k] * 2
        else:
            y[k] = x[k] * 2 + 3
    return y @ y


@once
def of_two_lines(x):
    y = 0.0
    for k in range(3):
        if x[k] > 0:
            a = 3 * x[0]
            s = a * 2 + x[1]
        else:
            a = 3 * x[0] + 1
            s = a * 2 + x[1] - 2
        y += s * s
    return y


@twice
def of_other_signs(x):
    y = 0.0
    for k in range(3):
        s = x[k] if x[k] > 0 else 2 - x[k]
        y += s * s
    return y


@twice
def of_other_factors(x):
    y = 0.0
    for k in range(3):
        if x[k] > 0:
            s = x[0] * x[1]
        else:
            s = x[0] * x[2]
        y += s * s
    return y


@twice
def of_one_line_more(x):
    y = 0.0
    for k in range(3):
        s = x[0] if x[k] > 0 else x[0] - x[1]
        y += s * s
    return y


@twice
def of_values_of_their_own(x):
    y = x[0]
    for k in range(3):
        if x[k] > 0:
            y = y * y
        else:
            y = y * y * y
    return y


@pytest.mark.parametrize("function", ONCE, ids=named)
def test_once(function: Function) -> None:
    check_along(function, X, np.array([0.3, 1.0, -0.5]))
    _, back = grad(function).source(X).split("\n\n", 1)
    assert not [line for line in back.splitlines() if line.strip().startswith(("if ", "else:"))]


test_twice = each_right(TWICE, X, np.array([0.3, 1.0, -0.5]))


def test_both_lines_are_shown() -> None:
    lines = [line.strip() for line in grad(of_statements).source(X).splitlines()]
    k = lines.index("# s = 2 * x")
    assert lines[k + 1] == "# s = 2 * x - 1"
