"""The conjugate gradient method, stopped when the residual is small.

J. Shewchuk, An Introduction to the Conjugate Gradient Method Without the Agonizing Pain, B2.
"""

import numpy as np

from . import method


def conjugate_gradient(A, b, x0=None, tol=0.05, max_iter=None):
    """Solve A x = b for a symmetric positive definite A."""
    n = len(b)
    if max_iter is None:
        max_iter = 10 * n
    x = np.zeros(n) if x0 is None else x0.copy()
    r = b - A @ x
    d = r.copy()
    delta_new = r @ r
    delta_0 = delta_new
    for i in range(max_iter):
        if delta_new <= tol**2 * delta_0:
            break
        q = A @ d
        alpha = delta_new / (d @ q)
        x += alpha * d
        if i % 50 == 49:
            r = b - A @ x
        else:
            r -= alpha * q
        delta_old = delta_new
        delta_new = r @ r
        beta = delta_new / delta_old
        d = r + beta * d
    return x


def system():
    n = 5
    A = (
        2.5 * np.eye(n)
        - np.eye(n, k=1)
        - np.eye(n, k=-1)
        + 0.1 * np.cos(np.arange(n))[:, None] * np.cos(np.arange(n))
    )
    return A, np.sin(1.0 + np.arange(n))


method(conjugate_gradient, system, wrt=(0, 1))
