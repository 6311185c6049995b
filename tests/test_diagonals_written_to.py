"""Copies of diagonals that are written to: what np.diag gives of a matrix is only to be read, its tangent, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


@kept_in(RIGHT)
def of_a_product(x):
    d = np.diag(np.outer(x, x)).copy()
    d[0] = d[1]
    return np.sum(d * x)


@kept_in(RIGHT)
def where_it_is_large(x):
    d = np.diag(np.outer(x, x)).copy()
    d[d > 1.0] = d.max()
    return np.sum(d * x)


@kept_in(RIGHT)
def beside_the_diagonal(x):
    d = np.array(np.diag(np.outer(x, x), 1))
    d[1:] *= x[0]
    return np.sum(d * x[:3])


@kept_in(RIGHT)
def a_matrix_of_a_vector(x):
    m = np.diag(x * x)
    m[0] = x
    return np.sum(m @ x)


test_right = each_right(RIGHT, X, X_DOT)
