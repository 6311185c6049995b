"""Functions that are None by default, and are told from others first: `if fn is np.subtract or fn is None`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


@kept_in(RIGHT)
def asked_for_another_first(x, fn=None):
    if fn is np.subtract or fn is None:
        y = x - np.mean(x)
    else:
        y = fn(x, np.mean(x))
    return np.sum(y**2)


@kept_in(RIGHT)
def asked_for_another_as_well(x, fn=None):
    y = fn(x, np.mean(x)) if fn is not np.subtract and None is not fn else np.sin(x)
    return np.sum(y**2)


@kept_in(RIGHT)
def told_in_a_helper(x):
    return asked_for_another_first(x) * asked_for_another_as_well(x[1:], np.multiply)


def none_or_zero(start, slope):
    if start is None or start == 0:
        start = lambda t: 0  # noqa: E731
    if slope is None or 0 == slope:
        slope = lambda t: 0  # noqa: E731
    return start(0.5) + slope(0.3) if start != "exact" else 0.0


@kept_in(RIGHT)
def compared_with_zero(x):
    y = none_or_zero(lambda t: np.sin(x[0] * t), 0) * x[1]
    return y + none_or_zero(None, lambda t: x[2] * t**2)


@kept_in(RIGHT)
def bound_in_a_loop(x):
    y, last = 0.0, None
    for xi in x:
        y = y + xi * xi if None is last else np.sin(last * y * xi)
        last = xi
    return y


test_right = each_right(RIGHT, X, X_DOT)


@pytest.mark.parametrize("fn", [None, np.subtract, np.multiply, np.hypot])
def test_given(fn):
    for function in (asked_for_another_first, asked_for_another_as_well):
        numeric = numeric_gradient(function, (X, fn), 0, 1.0)
        assert_close(grad(function)(X, fn), numeric, function.__name__)
