"""Factorizations of matrices, in place and by rows."""

import numpy as np

from . import example, normal


def gram_schmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(Q * R[0, 0]) + np.sum(R)


@example(gram_schmidt, 0, lambda: (normal(1, 4, 3),), lambda: (normal(1, 70, 60),))
def gram_schmidt_grad(A, dy=1.0):
    A = A.copy()
    A_tape = []
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A_tape.append(A[:, j].copy())
            A[:, j] -= Q[:, k] * R[k, j]

    # return np.sum(Q * R[0, 0]) + np.sum(R)
    dQ = np.full_like(Q, dy * R[0, 0])
    dR = np.full_like(R, dy)
    dR[0, 0] += dy * np.sum(Q)
    dA = np.zeros_like(A)
    for k in range(A.shape[1] - 1, -1, -1):
        for j in range(A.shape[1] - 1, k, -1):
            # A[:, j] -= Q[:, k] * R[k, j]
            g = dA[:, j]
            dQ[:, k] -= g * R[k, j]
            dr = dR[k, j] - np.dot(g, Q[:, k])
            # R[k, j] = np.dot(Q[:, k], A[:, j])
            dQ[:, k] += dr * A_tape.pop()
            dA[:, j] += dr * Q[:, k]
        # Q[:, k] = A[:, k] / R[k, k]
        g = dQ[:, k] / R[k, k]
        dA[:, k] += g
        dr = dR[k, k] - np.dot(g, Q[:, k])
        # R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        dA[:, k] += dr * Q[:, k]
    return dA


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
    return np.sum(A**2)


def _positive(n):
    a = normal(1, n, n)
    return (a @ a.T + n * np.eye(n),)


@example(cholesky, 0, lambda: _positive(4), lambda: _positive(80))
def cholesky_grad(A, dy=1.0):
    A = A.copy()
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])

    # return np.sum(A**2)
    dA = dy * 2 * A
    for i in range(A.shape[0] - 1, 0, -1):
        # A[i, i] = np.sqrt(A[i, i])
        g = dA[i, i] / (2 * A[i, i])
        dA[i, i] = g
        # A[i, i] -= np.dot(A[i, :i], A[i, :i])
        dA[i, :i] -= 2 * g * A[i, :i]
        for j in range(i - 1, -1, -1):
            # A[i, j] /= A[j, j]
            g = dA[i, j] / A[j, j]
            dA[i, j] = g
            dA[j, j] -= g * A[i, j]
            # A[i, j] -= np.dot(A[i, :j], A[j, :j])
            dA[i, :j] -= g * A[j, :j]
            dA[j, :j] -= g * A[i, :j]
    # A[0, 0] = np.sqrt(A[0, 0])
    dA[0, 0] /= 2 * A[0, 0]
    return dA


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
    return np.sum(A**2)


@example(lu, 0, lambda: _positive(4), lambda: _positive(60))
def lu_grad(A, dy=1.0):
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]

    # return np.sum(A**2)
    dA = dy * 2 * A
    for i in range(A.shape[0] - 1, -1, -1):
        for j in range(A.shape[0] - 1, i - 1, -1):
            # A[i, j] -= A[i, :i] @ A[:i, j]
            g = dA[i, j]
            dA[i, :i] -= g * A[:i, j]
            dA[:i, j] -= g * A[i, :i]
        for j in range(i - 1, -1, -1):
            # A[i, j] /= A[j, j]
            g = dA[i, j] / A[j, j]
            dA[i, j] = g
            dA[j, j] -= g * A[i, j]
            # A[i, j] -= A[i, :j] @ A[:j, j]
            dA[i, :j] -= g * A[:j, j]
            dA[:j, j] -= g * A[i, :j]
    return dA
