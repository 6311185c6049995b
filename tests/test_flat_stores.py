"""Stores to `y.flat`: an array of another size is laid down in C order, begins anew where it ends, or is cut off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in, named
from numpy.testing import assert_array_equal

from tangentish import grad, value_and_grad

FUNCTIONS: list[Callable[..., Any]] = []
flat = kept_in(FUNCTIONS)


@flat
def shorter(x):
    y = np.zeros(7)
    y.flat = x
    return np.sum(y * np.arange(7.0) ** 2 * y)


@flat
def longer(x):
    y = np.zeros(2)
    y.flat = x**2
    return y[0] * y[1]


@flat
def of_a_matrix(x):
    y = np.ones((2, 3))
    y.flat = np.outer(x, x)
    return np.sum(y[0] * y[1] * np.arange(3.0))


@flat
def turned(x):
    y = np.ones((3, 3)).T
    y.flat = x
    return np.sum(y[:, 0] * y[:, 1]) + np.sum(y[0] ** 2)


@flat
def in_part(x):
    y = np.cos(np.ones((3, 3)) * x[0])
    y.flat[1:6] = x
    return np.sum(y**2 * np.arange(9.0).reshape(3, 3))


@flat
def where_it_is_large(x):
    y = np.outer(x, x)
    z = np.zeros(y.shape)
    z.flat[y.flat > 0.1234] = 1.0 / y.flat[y.flat > 0.1234]
    return np.sum(z * y**2) + np.sum(x[0.4321 < x.flat])


@flat
def every_other(x):
    y = np.zeros(9)
    y.flat[::2] = np.sin(x)
    y.flat[1] = x[1]
    return np.sum(y**3 * np.arange(9.0))


@flat
def at_places(x):
    y = x * 2
    y.flat[[3, 1, 0]] = x[:2]
    return np.sum(y**2 * np.arange(4.0))


@flat
def again(x):
    y = np.zeros(6)
    for k in range(1, 4):
        y.flat = y[:k] + x[:k]
    return np.sum(y**2 * np.arange(6.0))


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.0, -0.7]), np.array([0.3, -1.0, 0.4, 2.0])
)


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_value_and_type(f: Callable[..., Any]) -> None:
    x = np.array([1.0, 0.5, 2.0, -0.7], np.float32)
    value, gradient = value_and_grad(f)(x)
    assert value == f(x)
    assert gradient.dtype == np.float32


def constant_beside(x, c):
    y = x * 1.0
    y.flat = c
    return np.sum(y) + np.sum(x)


def test_constants() -> None:
    x, c = np.ones(5), np.array([1.0, 2.0])
    value, gradient = value_and_grad(constant_beside)(x, c)
    assert value == constant_beside(x, c)
    assert_array_equal(gradient, np.ones(5))


@flat
def of_its_own_shape(x):
    y = np.zeros((2, 2))
    z = y + x.reshape(2, 2)
    y.flat = z * x[0]
    return np.sum(y**3 * np.arange(4.0).reshape(2, 2))


@flat
def diagonals_of_another_length(x):
    a, b = np.outer(x[:3], x), np.outer(x, x)
    np.fill_diagonal(a, np.sin(x))
    np.fill_diagonal(b, x[:3] * x[1])
    np.fill_diagonal(b[2:].T, x[1:2])
    return np.sum(a[0] * a[1] * a[2]) + np.sum(b[0] * b[1] * b[3])


@flat
def complex_numbers(x):
    y = np.zeros(3, complex)
    y.flat = np.exp(1j * x)
    return np.sum(y.real * y.imag * np.arange(3.0))


def just_as_large(x):
    y = np.zeros(x.shape)
    y.flat = x
    return np.sum(y)


def a_diagonal(x):
    a = np.outer(x, x)
    np.fill_diagonal(a, np.cos(x))
    return np.sum(a)


def test_the_same_length_is_a_store() -> None:
    assert "laid_out" not in grad(a_diagonal).source(np.ones(4))
    assert "laid_out" not in grad(just_as_large).source(np.ones(4))


def test_nothing_to_lay_down() -> None:
    with pytest.raises(IndexError):
        grad(shorter)(np.ones(0))
