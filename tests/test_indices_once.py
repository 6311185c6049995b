"""Places that several lines compute have one name in the text, where nothing changes them in between."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in, named

from tangentish import grad

ONCE: list[Function] = []
ANEW: list[Function] = []
once, anew = kept_in(ONCE), kept_in(ANEW)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4, 0.9, 1.7]), np.array([0.3, -0.7, 1.1, 0.2, 0.5, -0.1])


@once
def stencil(x):
    t = x
    for _ in range(3):
        a = 4 * np.eye(6)
        k = np.arange(5)
        a[k + 1, k + 1] += x[0]
        a[k, k + 1] -= x[1]
        a[k + 1, k] -= x[2]
        t = np.linalg.solve(a, t)
    return np.sum(t**2)


@once
def read_twice(x):
    k = np.array([0, 2, 2])
    y = x[k + 1] - x[k]
    z = x[k + 1] * y
    return np.sum(z**2)


@once
def in_a_loop(x):
    k, s = np.array([0, 2]), 0.0
    for i in range(4):
        y = x[k + i] * x[k]
        z = np.sum(x[k + i] * y)
        s += z
    return s


@once
def of_a_mask(x):
    w = np.arange(6.0)
    y = x**2
    y[w > 2] = x[w > 2] ** 3
    y[w > 2] *= x[0]
    return np.sum(y * w)


@anew
def bound_between(x):
    k = np.array([0, 1])
    y = np.sum(x[k + 1] ** 2)
    k = k + 1
    z = np.sum(x[k + 1] ** 3)
    return y * z


@anew
def written_between(x):
    k = np.array([0, 1])
    y = np.sum(x[k + 1] ** 2)
    k[0] = 3
    z = np.sum(x[k + 1] ** 3)
    return y * z


@anew
def written_by_another_name(x):
    k = np.arange(4)
    v = k[1:]
    y = np.sum(x[k + 1] ** 2)
    v += 1
    z = np.sum(x[k + 1] ** 3)
    return y * z


def moved(k):
    k += 1
    return 2.0


@anew
def written_by_a_call(x):
    k = np.arange(3)
    y = np.sum(x[k + 1] ** 2)
    c = moved(k)
    z = np.sum(x[k + 1] ** 3)
    return y * z * c


@anew
def written_in_a_branch(x):
    k, s = np.arange(3), 0.0
    for i in range(3):
        y = np.sum(x[k + 1] ** 2)
        if i > 0:
            k[i] = i - 1
        z = np.sum(x[k + 1] ** 3)
        s += y * z
    return s


@anew
def in_branches(x):
    k, s = np.arange(3), 0.0
    for i in range(3):
        if x[i] > 1:
            s += np.sum(x[k + 1] ** 2)
        else:
            k = k + 1
            s += np.sum(x[k + 1] ** 3)
    return s


@anew
def in_comprehensions(x):
    k, i = np.array([0, 2]), 3
    y = sum([np.sum(x[k + i] ** 2 * x[k + i]) for i in range(3)])
    z = np.sum(x[k + i - 1] * x[k + i - 1])
    return y * z + sum([np.sum(x[k + i]) for i in range(4)])


@pytest.mark.parametrize("function", ONCE, ids=named)
def test_once(function: Function) -> None:
    check_along(function, X, X_DOT)
    text = grad(function).source(X)
    assert "index_1" not in text
    assert "mask_1" not in text
    assert "index = " in text or "mask = " in text


test_anew = each_right(ANEW, X, X_DOT)
