"""LU factorisation with partial pivoting, and the solution of a linear system.

G. Golub, C. Van Loan, Matrix Computations, algorithms 3.4.1, 3.1.1 and 3.1.2.
"""

import numpy as np

from . import method


def lu_factor(A):
    """PA = LU, with L and U packed into one matrix."""
    A = np.array(A, dtype=float)
    n = A.shape[0]
    piv = np.arange(n)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if A[p, k] == 0:
            raise ValueError("matrix is singular")
        if p != k:
            A[[k, p]] = A[[p, k]]
            piv[[k, p]] = piv[[p, k]]
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A, piv


def lu_solve(LU, piv, b):
    """Forward and back substitution."""
    x = b[piv]
    n = len(x)
    for i in range(1, n):
        x[i] -= LU[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - LU[i, i + 1 :] @ x[i + 1 :]) / LU[i, i]
    return x


def solve(A, b):
    LU, piv = lu_factor(A)
    return lu_solve(LU, piv, b)


def system():
    A = np.array(
        [[0.1, 2.0, -1.0, 0.5], [3.0, -0.4, 0.7, 1.1], [1.5, 0.9, 4.2, -2.0], [-0.8, 5.0, 0.3, 1.6]]
    )
    return A, np.array([1.0, -2.0, 0.5, 3.0])


method(solve, system, wrt=(0, 1))
