"""Gradients that take the shape of what they are of, not what it holds: differences of few elements tell no length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad


def first(x):
    return np.sum(np.diff(x) ** 2) + np.sum(x)


def third(x):
    return np.sum(np.diff(x, 3) ** 2) + np.sum(x)


def of_differences(x):
    return np.sum(np.diff(np.diff(np.sin(x))) ** 3) + np.sum(x)


def of_rows(x):
    return np.sum(np.diff(np.outer(x, x), 2, 0) ** 2) + np.sum(x)


def continued(x):
    return np.sum(np.diff(x, 4, prepend=2.0, append=x[:1]) ** 3) + np.sum(x)


def flat(x):
    return np.sum(np.ediff1d(x) ** 2) + np.sum(x)


def integral(x):
    return np.trapezoid(np.sin(x), x) + np.sum(x)


FUNCTIONS: list[Callable[[Any], Any]] = [
    first,
    third,
    of_differences,
    of_rows,
    continued,
    flat,
    integral,
]


@pytest.mark.parametrize("length", range(6))
@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_few_elements(f: Callable[[Any], Any], length: int) -> None:
    x = np.linspace(0.3, 1.9, length) ** 1.5
    assert grad(f)(x).shape == x.shape
    check_along(f, x, np.cos(np.arange(length)))


STORED_TO: list[Callable[[Any], Any]] = []


@kept_in(STORED_TO)
def stored_after_differences(x):
    y = x * x
    s = np.sum(np.diff(y) ** 2)
    y[0] = 3.0
    return s + np.sum(y)


@kept_in(STORED_TO)
def stored_after_sums(x):
    y = x * x
    s = np.sum(np.cumsum(y) ** 2)
    y[1:] *= 2.0
    return s + np.sum(y)


@kept_in(STORED_TO)
def stored_after_taking(x):
    y = x * x
    s = np.sum(np.take(y, [0, 2, 2]) ** 2)
    y[2] = x[0]
    return s + np.sum(y)


@kept_in(STORED_TO)
def stored_after_repeating(x):
    y = x * x
    s = np.sum(np.repeat(y, [1, 2, 0, 3, 1]) ** 2) + np.sum(np.tile(y, 2) ** 3)
    y[2] = x[0]
    return s + np.sum(y)


@kept_in(STORED_TO)
def stored_after_padding(x):
    y = x * x
    s = np.sum(np.pad(y, 2) ** 2) + np.sum(np.pad(y, 1, mode="wrap") ** 3)
    y[2] = x[0]
    return s + np.sum(y)


@kept_in(STORED_TO)
def stored_after_the_diagonal(x):
    y = np.outer(x, x)
    s = np.sum(np.diagonal(y, 1) * 3.0)
    y[2] = x[0]
    return s + np.sum(y)


@pytest.mark.parametrize("f", STORED_TO, ids=named)
def test_what_only_lends_its_shape_is_not_put_back(f: Callable[[Any], Any]) -> None:
    x = np.linspace(0.3, 1.9, 5) ** 1.5
    check_along(f, x, np.cos(np.arange(5)))
    assert "y_old" not in grad(f).source(x)
