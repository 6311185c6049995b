"""Variables that functions inside read only on ways that are not taken before they have a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


def sized(q, full_output=False):
    if full_output:
        answer = {"C": None}
    c = q * 2

    def inner(c, depth):
        c = c * 1.1
        if c < 5 and depth < 4:
            c = inner(c, depth + 1)
        if full_output:
            answer["C"] = c
        return c

    c = inner(c, 0)
    if full_output:
        answer["K"] = c
        return answer
    return c


@kept_in(RIGHT)
def by_a_flag(x):
    return sized(x[0]) * x[1]


@kept_in(RIGHT)
def caught(x):
    def inner(y):
        try:
            return y * k
        except NameError:
            return y**2

    z = inner(x[0])
    k = 3.0
    return z * k * x[1]


@kept_in(RIGHT)
def on_another_way(x):
    def inner(y):
        if y > 5:
            return y**2 * k
        return y

    z = inner(x[0])
    k = x[1]
    return z * k + inner(10 * x[1])


test_right = each_right(RIGHT, X, X_DOT)


def test_flags() -> None:
    numeric = (sized(1.0 + 1e-6) - sized(1.0 - 1e-6)) / 2e-6
    assert grad(sized)(1.0) == pytest.approx(numeric)


def test_read_for_sure() -> None:
    def f(x):
        def inner(y):
            return y if k is None else y * 2

        z = inner(np.sum(x))
        k = None
        return z

    check_refused(f, "'k' has no value yet", X)


def test_raised_as_in_python() -> None:
    def f(x):
        def inner(y):
            if y < 5:
                return y * k
            return y

        z = inner(np.sum(x))
        k = 3.0
        return z * k

    with pytest.raises(NameError, match="free variable 'k'"):
        grad(f)(X)
    np.testing.assert_allclose(grad(f)(X + 5), [3.0, 3.0])
