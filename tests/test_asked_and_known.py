"""Questions with one answer at each call, whatever is asked beside them: the other way is not looked at."""

from __future__ import annotations

import decimal
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad

# Stores to the shape of an array, on a way that is not looked at, are deprecated since NumPy 2.5.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")

SYMBOLIC = True
RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, -0.4, 1.1]), np.array([0.3, 0.9, -0.5])


@right
def behind_a_flag(v):
    s = np.sum(v * v)
    if SYMBOLIC and isinstance(s, decimal.Decimal):
        return decimal.Decimal.sqrt(s)
    return np.sqrt(s)


@right
def before_or_behind(v):
    s = np.sum(v * v)
    if not SYMBOLIC or not isinstance(s, decimal.Decimal) or s > 3:
        return s * s
    return decimal.Decimal.sqrt(s)


@right
def behind_what_varies(v):
    if v[0] > 0.5 and isinstance(v, list):
        v = [2 * w for w in v]
    return np.sum(np.sin(v))


@right
def of_objects_or_numbers(v):
    if v.dtype == "O":
        y = np.zeros(4, dtype="O")
    else:
        y = np.zeros(4)
    y[:-1] = v * v
    y[-1] = v[0]
    return y @ y


@right
def of_other_numbers(v):
    return np.sum(v**3) if v.dtype != np.complex128 and v.dtype != object else np.sum(v)


def _converted(v, wanted):
    if np.issubdtype(v.dtype, wanted):
        return v
    counts = v.astype(int)
    counts -= 1
    counts.shape = (-1,)
    return counts


def _doubles(v):
    v = np.asarray(v)
    sort = v.dtype.type
    if not np.issubdtype(sort, np.float64):
        v.sort()
    if v.dtype.kind in "iu":
        v = np.bitwise_and(v, 7)
    if v.dtype.kind == "c":
        raise TypeError(v.dtype)
    return v


@right
def of_a_sort(v):
    s = _converted(v, np.floating) * _converted(v, np.float64)
    return np.sum(s * _doubles(v) * _converted(np.asarray([2, 3, 4]), np.floating))


def _of_a_kind(v, name, w):
    return v * w if name == "product" else v + w**2 if name == "size" else v


@right
def functions_of_the_users_with_texts(v):
    """They are asked nothing, though getattr(v, "size", w) has arguments of these sorts."""
    s = _of_a_kind(v[0], "product", v[1]) + _of_a_kind(v, "size", v[2])[0]
    return s * np.sum(_of_a_kind(v, "other", np.sin(v)) ** 2)


test_right = each_right(RIGHT, X, X_DOT)


def test_complex_arrays() -> None:
    z = 1j * X

    def f(x):
        return np.real(of_other_numbers(x * z)) + np.imag(of_other_numbers(x * z))

    assert_close(grad(f)(X), X, "complex")


def by_precision(x):
    return np.sum(x * x) if np.issubdtype(x.dtype, np.float64) else np.sum(x)


def test_another_precision() -> None:
    gradient = grad(by_precision)
    assert_close(gradient(X), 2 * X, "double")
    assert_close(gradient(X.astype(np.float32)), np.ones(3, np.float32), "single")
    assert_close(gradient(X), 2 * X, "double")


def integrated(f, y):
    if not callable(f):
        f = tuple(f)
    for k in range(3):
        y = y + 0.1 * (f(y) if callable(f) else f[k % 2](y))
    return np.sum(y * y)


def damped(y, by=0.5):
    return -by * y * y


@pytest.mark.parametrize("rate", [damped, functools.partial(damped, by=0.3), lambda y: np.sin(y)])
def test_functions_that_are_given(rate: Callable[..., Any]) -> None:
    check_along(lambda y: integrated(rate, y), X, X_DOT)


def first_an_array(y):
    g, s = y, 0.0
    for k in range(len(y)):
        s = s + (g(y[0]) if callable(g) else g[k] * 2)
        g = np.sin
    return s


def test_what_is_a_function_from_the_second_trip_on() -> None:
    with pytest.raises(NotDifferentiable, match="which function is called"):
        grad(first_an_array)(X)


def inside(y, k):
    def rate(z):
        return k * z

    return np.sum(rate(y) ** 2) if callable(rate) and not callable(y) else 0.0


def test_functions_that_are_made() -> None:
    check_along(lambda y: inside(y, 2.0), X, X_DOT)
