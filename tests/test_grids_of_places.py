"""`np.indices` of a shape: the places of each axis, and masks that are made of them."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4, 0.2, 0.9]), np.array([0.3, -0.7, 1.1, 0.2, 0.5, -0.1])


@kept
def red_and_black(x):
    f = x.reshape(2, 3)
    u = np.zeros_like(f)
    i, j = np.indices(f.shape)
    red = (i + j) % 2 == 0
    for _ in range(2):
        u = np.where(red, f / 4, u + f**2)
        u[0] = 0.5 * u[1]
    return np.sum(u**2)


@kept
def as_places(x):
    f = x.reshape(2, 3)
    i, j = np.indices((2, 3))
    g = np.zeros((3, 2))
    g[j, i] = f**2
    at = np.indices((2, 2))
    return np.sum(g[:2] * f[at[0], at[1]]) + np.sum(f[tuple(at)] ** 3)


@kept
def as_weights(x):
    f = x.reshape(2, 3)
    n = f.shape[1]
    at = np.indices((2, n), dtype=float)
    i, j = np.indices((2, n), sparse=True)
    (k,) = np.indices((n,))
    k[0] += 2
    return np.sum(f * at[0] * j) + np.sum(f**2 * (i + j)) * np.sum(x[k] ** 2)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
