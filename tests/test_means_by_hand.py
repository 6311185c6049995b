"""Sums divided by how many there are: nothing is computed again to be divided, and elements are counted by their places.

A number of NumPy's divided by zero warns, one of Python's raises: that is missed only where nothing can be zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.4, 0.9, -0.3]), np.array([1.0, -2.0, 0.5, 0.8])
LABELS = np.array([1, 0, 2])


@followed
def mean_of_squares(x):
    r = x * x - 0.5
    return r @ r / len(x)


@followed
def mean_error(x):
    s = x[0]
    err = 0.0
    for t in range(1, len(x)):
        err += abs(x[t] - s)
        s = 0.3 * x[t] + 0.7 * s
    return err / len(x)


@followed
def likelihood(x):
    p = np.outer(x[:3], x)
    p = np.exp(p - p.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(LABELS)), LABELS]).mean() + np.mean(x[LABELS] ** 2)


@followed
def places_that_broadcast(x):
    m = np.outer(x, x)
    return np.mean(m[np.array([[0], [1]]), LABELS]) + np.mean(m[1, LABELS]) + m[LABELS].mean()


@followed
def mean_of_sums(x):
    m = np.outer(x, np.sin(x))
    return np.mean(np.sum(m * np.cos(m), axis=1)) + np.mean(np.max(m[:, 1:], axis=0))


@followed
def means_of_rows_that_change(x):
    m, total = np.outer(x, x), 0.0
    for _ in range(2):
        total += np.mean(np.sum(m * np.cos(m), axis=1)) + np.mean(m[:, :2] @ x[:2])
        m = np.concatenate([m * 2.0, m[:1] * x])
        m[1:] = m[:-1] * m[0]
    return total


test_right = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", [mean_of_squares, mean_error])
def test_nothing_is_divided_again(function: Callable[..., Any]) -> None:
    text = grad(function).source(X)
    assert text.count("/ len(x)") - text.count("# return") == 1, text
    assert "err +=" not in text.replace("# err +=", ""), text


def test_places_are_counted() -> None:
    text = grad(likelihood).source(X)
    assert "LABELS.size" in text and ".size" not in text.replace("LABELS.size", ""), text


def test_rows_are_counted_without_their_sums() -> None:
    back = grad(mean_of_sums).source(X).split("# return")[1]
    assert "m.shape[0]" in back and "np.sum(m *" not in back.split("\n", 1)[1], back


def rest_of_a_mean(x, n):
    s = 0.0
    for i in range(n):
        s = s + x[i]
    return s / n


def mean_of_what_may_be_none(x, k):
    r = x[k:]
    return 2.0 / len(r) + np.sum(r)


def test_division_by_zero_raises() -> None:
    for f, n in ((rest_of_a_mean, 0), (mean_of_what_may_be_none, 4)):
        with pytest.raises(ZeroDivisionError):
            f(X, n)
        with pytest.raises(ZeroDivisionError):
            grad(f)(X, n)
        assert_close(grad(f)(X, 2), numeric_gradient(f, (X, 2), 0, 1.0), f.__name__)
