"""Entropic optimal transport by Sinkhorn iterations in the log domain.

G. Peyré, M. Cuturi, Computational Optimal Transport, section 4.4.
"""

import numpy as np

from . import method


def logsumexp(z, axis):
    m = z.max(axis=axis, keepdims=True)
    return np.squeeze(m, axis) + np.log(np.exp(z - m).sum(axis=axis))


def cost_matrix(x, y):
    return ((x[:, None, :] - y[None, :, :]) ** 2).sum(-1)


def sinkhorn(x, y, a, b, eps, max_iter=20, tol=0.02):
    """The regularised cost of moving the masses a at x to the masses b at y."""
    C = cost_matrix(x, y)
    f, g = np.zeros(len(a)), np.zeros(len(b))
    for _ in range(max_iter):
        f_old = f
        f = eps * (np.log(a) - logsumexp((g[None, :] - C) / eps, 1)) * 0.5 + 0.5 * f
        g = eps * (np.log(b) - logsumexp((f[:, None] - C) / eps, 0))
        if np.abs(f - f_old).max() < tol:
            break
    P = np.exp((f[:, None] + g[None, :] - C) / eps)
    return np.sum(P * C)


def clouds():
    x = np.array([[0.0, 0.1], [0.8, 0.4], [0.3, 1.0]])
    y = np.array([[0.5, 0.2], [1.1, 0.9]])
    return x, y, np.array([0.5, 0.2, 0.3]), np.array([0.6, 0.4]), 0.5


method(sinkhorn, clouds, wrt=(0, 1, 2, 3, 4))
