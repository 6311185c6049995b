"""Lists that are joined, `new = old + [v]`, and then stored to, grown or run over: what is made there is a list of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad, vjp

FUNCTIONS: list[Callable[..., Any]] = []
joined = kept_in(FUNCTIONS)

X = np.array([0.7, 0.4, 0.9, 0.55])
D = np.array([0.3, -0.2, 0.5, 0.1])


@joined
def constants_before(x):
    a = [1.0, 2.0]
    b = a + [x[0]]
    b[1] += x[1]
    return b[1] * b[2] * a[1]


@joined
def elementary_symmetric(x):
    sums = [1.0]
    for e in x:
        new = sums + [0.0]
        for k in range(len(sums)):
            new[k + 1] += sums[k] * e
        sums = new
    return sums[2] * sums[3]


@joined
def both_stay(x):
    a = [x[0], x[1]]
    b = a + [x[2]]
    for i in range(3):
        b[i] = b[i] * x[3]
    return sum(b) * sum(a)


@joined
def with_itself(x):
    a = [x[0], 2.0]
    b = a + a
    b[1] = x[1] * b[0]
    return sum(b) * a[1] * a[0]


@joined
def of_tuples(x):
    s = 0.0
    for v in (x[0], 2.0) + (x[1],):
        s = s * x[2] + v
    return s


@joined
def of_arrays(x):
    a = [x * 1.0, x * 2.0]
    b = a + [x * 3.0]
    for i in range(2):
        b[i] = b[i + 1] * x
    return np.sum(b[0] * b[1] * b[2]) + np.sum(a[0] * x)


@joined
def an_array_in_both(x):
    a = [x * 1.0, x * 2.0]
    b = a + [x * 3.0]
    b[0][1] = x[0]
    return np.sum(b[0] * b[1] * b[2]) + np.sum(a[0] * x)


@joined
def grown_on(x):
    b = [1.0] + [2.0]
    b[0] = x[0]
    b.append(x[1])
    return b[0] * b[1] * b[2]


@joined
def places(x):
    i = [0, 1] + [2]
    i[0] = 3
    return np.sum(x[i]) * x[i[0]]


test_right_in_every_mode = each_right(FUNCTIONS, X, D)


@pytest.mark.parametrize("n", [0, 2])
def test_precision_of_a_list_that_may_be_empty(n: int) -> None:
    """The sum of none is a float64, whatever the list is of: gradients of float32 are of float32 still."""

    def f(x, a, n):
        rows = []
        for k in range(n):
            rows.append(a[k])
        return np.sum(rows) + x

    x, a = np.ones(2, np.float32), np.ones((3, 2), np.float32)
    value, pullback = vjp(f, x, a, n)
    dx, da, *_ = pullback(np.ones_like(value))
    assert value.dtype == f(x, a, n).dtype
    assert dx.dtype == da.dtype == np.float32


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize(
    "f",
    [
        lambda x: list(x)[0] * 2.0,
        lambda x: (lambda *a: a[0] * 2.0)(*x),
        lambda x: max(list(x)),
        lambda x: [*x][1] * 3.0,
    ],
    ids=["list", "given by a star", "greatest", "star"],
)
def test_precision_of_what_a_list_is_made_of(f: Callable[[Any], Any], dtype: type) -> None:
    """The gradients of its elements are numbers of Python's, where the head is one."""
    assert grad(f)(X.astype(dtype)).dtype == dtype
