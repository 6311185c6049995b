"""Places that `bisect`, `np.nonzero` and methods of texts find: integers, by which lists and arrays are indexed."""

from __future__ import annotations

import bisect
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.2]), np.array([1.0, -2.0, 0.5, 0.3])
GRID = [0.0, 0.5, 2.0, 3.0]


@kept_in(RIGHT)
def into_an_array(p):
    k = bisect.bisect_right(GRID, 1.5)
    return p[k - 1] + (1.5 - GRID[k - 1]) * p[k] ** 2


@kept_in(RIGHT)
def into_a_list(p):
    ys = list(p)
    k = bisect.bisect(GRID, 1.5)
    return ys[k - 1] + (1.5 - GRID[k - 1]) * ys[k] ** 2


@kept_in(RIGHT)
def by_what_varies(p):
    k = bisect_left(GRID, p[0])
    w = (p[0] - GRID[k - 1]) / (GRID[k] - GRID[k - 1])
    return (1 - w) * p[k - 1] + w * p[k]


@kept_in(RIGHT)
def in_an_array_of_some_axes(p):
    x = p.reshape(2, 2) if p[0] > 0.1 else p
    y, k = x * 2, np.nonzero(x > 0.5)
    y[k] *= x[0, 0]
    for i, j in np.argwhere(x > 0.5):
        y[1, 1] += y[i, j] ** 3
    rows, columns = np.where(x < 0.8)
    return np.sum(y[rows, columns] ** 2) * len(k) + len(k[0]) * np.sum(y[k])


@kept_in(RIGHT)
def in_a_number_or_an_array(p):
    t = p[0] * p[1]
    if isinstance(t, float):
        t = np.array([t])
    k = np.where(t > 0.0)[0]
    return np.sum(np.sqrt(t[k])) if len(k) > 0 else 0.0


@kept_in(RIGHT)
def in_a_list_that_varies(p):
    total = [p[0], p[0] + p[1], p[0] + p[1] + p[2]]
    return p[bisect_left(total, 1.0)] * total[bisect_left(total, 0.1)]


@kept_in(RIGHT)
def in_a_loop(p):
    s = 0.0
    for t in np.linspace(0.1, 2.9, 5):
        k = bisect.bisect(GRID, t) - 1
        w = (t - GRID[k]) / (GRID[k + 1] - GRID[k])
        s += (1 - w) * p[k] + w * p[k + 1] ** 2
    return s


@kept_in(RIGHT)
def in_a_text(p, word="xyz"):
    v = np.zeros(4)
    for c in "ACCG":
        v["ACGT".index(c)] += p[0]
    return (v**2 * p[1]).sum() + list(p)[word.find("z")] * p[word.count("y")]


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)
