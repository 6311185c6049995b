"""Lanczos tridiagonalisation with full reorthogonalisation, by modified Gram-Schmidt.

G. Golub, C. Van Loan, Matrix Computations, section 10.3; Y. Saad.
"""

import numpy as np

from . import method


def lanczos(A, v, m):
    """The coefficients of the tridiagonal matrix, and the basis."""
    n = len(v)
    V = np.zeros((m, n))
    alphas = []
    betas = []
    V[0] = v / np.linalg.norm(v)
    for j in range(m):
        w = A @ V[j]
        alpha = w @ V[j]
        alphas.append(alpha)
        w = w - alpha * V[j]
        if j > 0:
            w = w - betas[-1] * V[j - 1]
        for q in V[: j + 1]:
            w -= (q @ w) * q
        beta = np.linalg.norm(w)
        if beta < 1e-12:
            break
        if j + 1 < m:
            betas.append(beta)
            V[j + 1] = w / beta
    return np.array(alphas), np.array(betas), V


def largest_ritz_value(A, v, m=3):
    alphas, betas, _ = lanczos(A, v, m)
    T = np.diag(alphas) + np.diag(betas, 1) + np.diag(betas, -1)
    return np.linalg.eigvalsh(T)[-1]


def symmetric():
    A = np.sin(np.arange(16)).reshape(4, 4)
    return A + A.T + np.diag([1.0, 2.0, 3.0, 5.0]), np.array([1.0, -0.5, 0.7, 0.2])


method(largest_ritz_value, symmetric, wrt=(0, 1))
