"""isinstance(x, (int, float)) of a number is known beforehand: the branch for arrays is left out."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
X = np.array([0.7, 1.3])
right = kept_in(FUNCTIONS)


def floored(x):
    if isinstance(x, (int, float)):
        x = max(1e-15, x)
    else:
        x[np.where(x <= 1e-15)] = 1e-15
    return np.sum(x * x)


@right
def of_a_sum(x):
    y = np.sum(x * x)
    return floored(y) if isinstance(y, (int, float)) else y[0]


@right
def of_any_number(x):
    y = x[0]
    if isinstance(y, numbers.Number):
        return y * y * x[1]
    return y[0]


@right
def an_integer_at_first(x):
    y = 0
    if x[0] > 0:
        y = x[0]
    if isinstance(y, (int, float)):
        return y * y + x[1]
    return y[0]


@right
def an_integer_on_one_way_is_no_float(x):
    y = 0
    if x[0] > 5:
        y = x[0]
    if isinstance(y, float):
        return y * 3 * x[1]
    return x[1] * x[1]


@right
def an_integer_of_numpy_is_none_of_python(x):
    y = np.argmax(x)
    if x[0] > 5:
        y = x[0]
    if isinstance(y, (int, float)):
        return y * 3 * x[1]
    return (y + 0.5) * x[1] ** 2


@right
def an_array_without_axes_is_no_number(x):
    z = np.empty(())
    np.add(x[0], 1, out=z)
    if isinstance(z, (int, float)):
        return x[0] * 3
    return x[1] * z


test_right_in_every_mode = each_right(FUNCTIONS, X, np.array([0.3, -0.4]))


@pytest.mark.parametrize("x", [1.3, np.float64(1.3), np.array([0.4, 0.9])], ids=str)
def test_of_an_argument(x: Any) -> None:
    assert_close(grad(floored)(x), 2 * x, "floored")


@pytest.mark.parametrize("n", [3, np.int64(3), True, 2.5, np.float32(2.5)], ids=repr)
def test_of_a_number_that_one_way_leaves_as_it_is(n: Any) -> None:
    def f(x, n):
        y = n
        if x[0] > 5:
            y = x[0]
        if isinstance(y, (int, float)):
            return y * 3 * x[1]
        return y * x[1] * x[1]

    numeric: Any = numeric_gradient(lambda x: f(x, n), (X,), 0, 1.0)
    assert_close(grad(f)(X, n), numeric, "f")


def test_a_float32_is_none_of_python() -> None:
    def f(x):
        return x * 2 if isinstance(x, (int, float)) else x * 3

    assert grad(f)(np.float32(1.5)) == 3
    assert grad(f)(1.5) == 2


@pytest.mark.parametrize("code", np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?")
def test_a_number_of_any_dtype(code: str) -> None:
    values = np.ones(2, code)
    cls, other = type(values[0]), np.float32 if code == "d" else np.float64

    def f(x, n):
        y = x * 2 if isinstance(n, cls) else x
        return y * 3 if isinstance(n, other) else y

    def of_an_element(x, values):
        return f(x, values[0])

    assert grad(f)(1.0, values[0]) == 2
    assert grad(of_an_element)(1.0, values) == 2
