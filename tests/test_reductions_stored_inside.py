"""Reductions of an array that are stored to a part of it: their adjoints read the new value, and the old array."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.2, 2.0, 0.7, 1.6, 0.4, 0.9]), np.array([0.3, -0.7, 1.1, 0.2, 0.5, -0.4])


@kept
def norms_of_rows(x):
    y = np.sin(x).reshape(2, 3)
    y[:, 0] = np.linalg.norm(y, axis=1)
    return np.sum(y @ y.T * x[:2])


@kept
def largest_of_rows_and_columns(x):
    y = np.sin(x).reshape(2, 3)
    y[:, 1] = np.max(y, axis=1)
    y[0] = np.prod(y, axis=0)
    return np.sum(y @ y.T * x[:2])


@kept
def deviations_in_a_loop(x):
    y = np.sin(x).reshape(2, 3)
    for k in range(3):
        y[:, k] = np.std(y, axis=1) + x[k]
        y[k % 2] *= np.std(y)
    return np.sum(y**2)


@kept
def by_a_view(x):
    y = np.sin(x).reshape(2, 3)
    first = y[:, 0]
    first[:] = np.prod(y, axis=1)
    return np.sum(y @ y.T * x[:2])


@kept
def by_out(x):
    y = np.sin(x).reshape(2, 3)
    np.std(y, axis=1, out=y[:, 2])
    return np.sum(y @ y.T * x[:2])


@kept
def roots_of_some_axes(x):
    y = 0.3 * np.outer(x, x).reshape(2, 3, 6)
    y[:, 0] = np.linalg.norm(y, axis=1)
    y[..., 1] = np.prod(y, axis=-1)
    return np.sum(np.sin(y))


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
