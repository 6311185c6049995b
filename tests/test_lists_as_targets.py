"""Targets that are written as lists, `for a, [b, c] in rows`: they bind what tuples do."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

from tangentish import grad

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.7, 1.1])


@keep
def of_a_loop(x):
    rows, t = [], 0.0
    for i in range(2):
        rows.append((x[i], (x[i + 1], x[0])))
    for a, [b, c] in rows:
        t += a * b * c
    return t


@keep
def of_a_sum(x):
    return sum(a * b * c for a, [b, c] in [(x[0], (x[1], x[2]))])


@keep
def of_a_dict(x):
    t = 0.0
    for _, [a, b] in {"p": (x[0], x[1])}.items():
        t += a * b**2
    return t


@keep
def of_lines(x):
    [a, *rest] = x
    [b, [c]] = a * 2, rest[:1]
    return a * b * c


test_right = each_right(RIGHT, X, X_DOT)


def test_structures() -> None:
    def weighted(rows):
        t = 0.0
        for a, [b, c] in rows:
            t += a * b * c
        return t

    ((da, (db, dc)),) = grad(weighted)([(0.1, (0.2, 0.3))])
    np.testing.assert_allclose([da, db, dc], [0.06, 0.03, 0.02])
