"""Lists of places, and of flags, that the function makes and indexes arrays by: what they give is a copy, of as many axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
indexed = kept_in(FUNCTIONS)


@indexed
def solved_with_exchanges(x):
    n = len(x)
    order = list(range(n))
    for k in range(n - 1):
        if x[order[k]] < x[order[k + 1]]:
            order[k], order[k + 1] = order[k + 1], order[k]
    y = x[order].copy()
    for i in range(1, n):
        y[i] -= 2 * y[i - 1]
    return y @ x


@indexed
def sorted_places(x):
    order = sorted(range(4), key=lambda i: x[i])
    y = x[order]
    y[0] = y[1] * y[2]
    return y @ np.arange(4.0)


@indexed
def chosen_places(x):
    some, none = [], []
    for i in range(4):
        if x[i] > 0.5:
            some.append(i)
        if x[i] > 5:
            none.append(i)
    y, z = x[some], x[none]
    y[0] = y[1] * y[2]
    z *= 2
    return y.sum() + z.sum()


@indexed
def changed_after_it_is_read(x):
    places = list(range(3))
    y = x[places]
    y[0] = y[1] * 2
    places[0] = 3
    z = x[places]
    places.append(0)
    w = x[places]
    return (y * z).sum() * w.sum() * y[0]


@indexed
def grown_on_each_trip(x):
    total, places = 0.0, [0]
    for k in range(3):
        y = x[places]
        y[0] = y[0] * x[k]
        total = total + (y**2).sum()
        places.append(k)
        places[0] = k
    return total


@indexed
def rows_and_columns(x):
    A = np.outer(x, x)
    places = list(range(3))
    B, C, D, E = A[places, 1], A[:, places], A[places][:, places], A[places, places]
    B[0], C[0, 0] = 2 * B[1], B[0]
    D[1, 1] = E[2]
    E[0] = D[0, 1]
    return B.sum() * (C**2).sum() + (D**2).sum() * E.sum()


@indexed
def places_that_stand_there_twice(x):
    places = [i % 2 for i in range(4)]
    y = x * 1.0
    y[places] += x
    y[places] = y[places] * 2
    return (y**2).sum()


@indexed
def counted_from_the_end(x):
    places = [-1 - i for i in range(3)]
    y = x[places]
    y[1:] = y[:2] * x[places[0]]
    return y @ x[places]


@indexed
def flags(x):
    large, none = [v > 0.5 for v in x], [v > 5 for v in x]
    y, z = x[large], x[none]
    y[0] = y[1] * x[0]
    z *= 2
    return y.sum() + z.sum()


X = np.array([0.7, 0.4, 0.9, 0.55])


test_lists_of_places = each_right(FUNCTIONS, X, X[::-1].copy())
