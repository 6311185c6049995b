"""Places that all differ still do so once they are moved on: nothing asks which of the stores there came last."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in, named

from tangentish import grad

DIFFER: list[Function] = []
MAY_MEET: list[Function] = []
differ, may_meet = kept_in(DIFFER), kept_in(MAY_MEET)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


@differ
def stencil(x):
    a = np.zeros((5, 5))
    k = np.arange(4)
    a[k, k] += x
    a[k + 1, k + 1] += x**2
    a[k, k + 1] -= x
    a[1 + k, k] -= x[0]
    return np.sum(a**3)


@differ
def every_second(x):
    y = np.zeros(9)
    k = np.arange(len(x))
    y[2 * k] = x
    y[k * 2 + 1] = x**2
    return np.sum(y[1:] * y[:-1])


@differ
def of_an_order(x):
    y = np.ones(6)
    k = np.argsort(x)
    y[k + 2] = x
    return np.sum(y**2 * np.arange(6.0))


@may_meet
def moved_back(x):
    y = np.zeros(4)
    k = np.arange(5)
    y[k - 1] = np.array([x[0], x[1], x[2], x[3], x[0] * x[1]])
    return np.sum(y**2 * np.arange(4.0))


@may_meet
def times_zero(x):
    y = np.zeros(4)
    k = np.arange(4)
    y[k * 0] = x
    y[0 * k + 1] = x**2
    return np.sum(y**2 * np.arange(1.0, 5.0))


@may_meet
def of_few_bits(x):
    y = np.zeros(131)
    k = np.arange(4, dtype=np.int8)
    y[k + 126] = x
    return np.sum(y[:128] ** 2) + np.sum(y)


@may_meet
def changed_first(x):
    y = np.zeros(6)
    k = np.arange(4)
    k[1] = 0
    y[k + 1] = x
    return np.sum(y**2 * np.arange(6.0))


@may_meet
def by_what_varies(x):
    y = np.zeros(8)
    k = np.arange(4)
    y[k + np.array([1, 0, 0, 0])] = x
    return np.sum(y**2 * np.arange(8.0))


@may_meet
def updated(x):
    y = np.zeros(8)
    k = np.arange(4)
    k += np.array([1, 0, 2, 2])
    y[k + 1] = x
    return np.sum(y**2 * np.arange(8.0))


@pytest.mark.parametrize("function", DIFFER, ids=named)
def test_they_differ(function: Function) -> None:
    check_along(function, X, X_DOT)
    assert "last_stored" not in grad(function).source(X)


test_they_may_meet = each_right(MAY_MEET, X, X_DOT)
