"""Least squares by a QR factorisation with Householder reflections.

L. Trefethen, D. Bau, Numerical Linear Algebra, algorithms 10.1, 10.2 and 11.2.
"""

import numpy as np

from . import method


def house(A):
    """The reflectors W and the triangular factor R."""
    R = A.copy()
    m, n = R.shape
    W = np.zeros((m, n))
    for k in range(n):
        x = R[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R[k:, k:] -= 2 * np.outer(v, v @ R[k:, k:])
        W[k:, k] = v
    return W, R[:n, :]


def apply_qt(W, b):
    """Q* b."""
    b = b.copy()
    for k in range(W.shape[1]):
        v = W[k:, k]
        b[k:] -= 2 * v * (v @ b[k:])
    return b


def back_substitution(R, b):
    n = R.shape[0]
    x = np.zeros(n)
    for j in reversed(range(n)):
        x[j] = (b[j] - np.dot(R[j, j + 1 :], x[j + 1 :])) / R[j, j]
    return x


def least_squares(A, b):
    W, R = house(A)
    y = apply_qt(W, b)[: R.shape[1]]
    return back_substitution(R, y)


def data():
    t = np.linspace(-1, 1, 6)
    return np.vander(t, 3) + 0.1 * np.cos(np.arange(18)).reshape(6, 3), np.exp(t)


method(least_squares, data, wrt=(0, 1))
