"""Ranges as indices of arrays, which NumPy takes for the places in them, and slices that np.delete takes."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4, 0.2, 0.9]), np.array([0.3, -0.7, 1.1, 0.2, 0.5, -0.1])
LABELS = np.array([0, 2])


@kept
def cross_entropy(x):
    z = x.reshape(2, 3)
    logp = z - np.log(np.exp(z).sum(1, keepdims=True))
    return -np.mean(logp[range(len(LABELS)), LABELS])


@kept
def alone(x):
    return np.sum(x[range(2, 5)] ** 2) + np.sum(x[range(5, 0, -2)] ** 3) + np.sum(x[range(0)])


@kept
def without_slices(x):
    rows, first = np.outer(x, x), slice(0, 2)
    halves = np.delete(x, np.s_[::2]) * np.delete(x, slice(1, None, 2))
    return np.sum(halves**2) + np.sum(np.delete(rows, first, axis=1) ** 3)


@kept
def by_name(x):
    rows = range(2)
    z = x.reshape(2, 3)
    return np.sum(z[rows, LABELS] ** 2) + np.sum(z[rows][:, range(2)] ** 3)


@kept
def of_slices_beside_others(x):
    z = x.reshape(2, 3) * 1.0
    first, rest = z[slice(1), 1], z[np.s_[:], slice(None, None, 2)]
    z[slice(0, 2), 1] = x[0] * x[1]
    rest[(slice(None), 0)] *= x[2]
    return np.sum(z**2) * np.sum(first) + np.sum(rest**3)


@kept
def in_a_loop(x):
    s = 0.0
    for n in range(4):
        s = s * 0.5 + np.sum(x[range(n)] ** 2) * x[n]
    return s


@kept
def stored(x):
    z = np.zeros((2, 3))
    z[range(2), LABELS] = x[:2] ** 2
    p = np.exp(x.reshape(2, 3))
    p[range(2), LABELS] -= 1.0
    p[range(1), 1] *= x[0]
    return np.sum(z * p**2)


@kept
def at_rest(x):
    w = np.arange(6.0).reshape(2, 3)
    return np.sum(x) * np.sum(w[range(2), LABELS])


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


def test_text() -> None:
    text = grad(cross_entropy).source(X)
    assert "index = np.arange(len(LABELS))\n" in text
