"""Stencils on grids of one, two and three axes: linear, so that nothing is recorded."""

import numpy as np

from . import example, normal


def jacobi(steps, A, B):
    for t in range(1, steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3
    return np.sum(A**2)


@example(
    jacobi,
    (1, 2),
    lambda: (4, normal(1, 7), normal(2, 7)),
    lambda: (50, normal(1, 4000), normal(2, 4000)),
)
def jacobi_grad(steps, A, B, dy=1.0):
    A, B = A.copy(), B.copy()
    for t in range(1, steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3

    # return np.sum(A**2)
    dA = dy * 2 * A
    dB = np.zeros_like(B)
    for t in range(steps - 1, 0, -1):
        # A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3
        g = dA[1:-1] / 3
        dA[1:-1] = 0
        dB[:-2] += g
        dB[1:-1] += g
        dB[2:] += g
        # B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        g = dB[1:-1] / 3
        dB[1:-1] = 0
        dA[:-2] += g
        dA[1:-1] += g
        dA[2:] += g
    return dA, dB


def jacobi_2d(steps, A, B):
    for t in range(1, steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )
    return np.sum(A**2)


@example(
    jacobi_2d,
    (1, 2),
    lambda: (3, normal(1, 5, 6), normal(2, 5, 6)),
    lambda: (50, normal(1, 150, 150), normal(2, 150, 150)),
)
def jacobi_2d_grad(steps, A, B, dy=1.0):
    A, B = A.copy(), B.copy()
    for t in range(1, steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )

    # return np.sum(A**2)
    dA = dy * 2 * A
    dB = np.zeros_like(B)
    for t in range(steps - 1, 0, -1):
        # A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + ...
        g = 0.2 * dA[1:-1, 1:-1]
        dA[1:-1, 1:-1] = 0
        dB[1:-1, 1:-1] += g
        dB[1:-1, :-2] += g
        dB[1:-1, 2:] += g
        dB[2:, 1:-1] += g
        dB[:-2, 1:-1] += g
        # B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + ...
        g = 0.2 * dB[1:-1, 1:-1]
        dB[1:-1, 1:-1] = 0
        dA[1:-1, 1:-1] += g
        dA[1:-1, :-2] += g
        dA[1:-1, 2:] += g
        dA[2:, 1:-1] += g
        dA[:-2, 1:-1] += g
    return dA, dB


def seidel_2d(steps, A):
    for t in range(steps - 1):
        for i in range(1, A.shape[0] - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:]
                + A[i, 2:] + A[i + 1, :-2] + A[i + 1, 1:-1] + A[i + 1, 2:]
            )  # fmt: skip
            for j in range(1, A.shape[1] - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0
    return np.sum(A**2)


@example(seidel_2d, 1, lambda: (3, normal(1, 5, 6)), lambda: (8, normal(1, 50, 50)))
def seidel_2d_grad(steps, A, dy=1.0):
    A = A.copy()
    for t in range(steps - 1):
        for i in range(1, A.shape[0] - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:]
                + A[i, 2:] + A[i + 1, :-2] + A[i + 1, 1:-1] + A[i + 1, 2:]
            )  # fmt: skip
            for j in range(1, A.shape[1] - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0

    # return np.sum(A**2)
    dA = dy * 2 * A
    for t in range(steps - 2, -1, -1):
        for i in range(A.shape[0] - 2, 0, -1):
            for j in range(A.shape[1] - 2, 0, -1):
                # A[i, j] /= 9.0
                dA[i, j] /= 9.0
                # A[i, j] += A[i, j - 1]
                dA[i, j - 1] += dA[i, j]
            # A[i, 1:-1] += (...)
            g = dA[i, 1:-1].copy()
            dA[i - 1, :-2] += g
            dA[i - 1, 1:-1] += g
            dA[i - 1, 2:] += g
            dA[i, 2:] += g
            dA[i + 1, :-2] += g
            dA[i + 1, 1:-1] += g
            dA[i + 1, 2:] += g
    return dA


def heat_3d(steps, A, B):
    for t in range(1, steps):
        B[1:-1, 1:-1, 1:-1] = (
            0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1])
            + 0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1])
            + 0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, :-2])
            + A[1:-1, 1:-1, 1:-1]
        )
        A[1:-1, 1:-1, 1:-1] = (
            0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1])
            + 0.125 * (B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1])
            + 0.125 * (B[1:-1, 1:-1, 2:] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, 1:-1, :-2])
            + B[1:-1, 1:-1, 1:-1]
        )
    return np.sum(A**2)


@example(
    heat_3d,
    (1, 2),
    lambda: (3, normal(1, 4, 5, 4), normal(2, 4, 5, 4)),
    lambda: (25, normal(1, 25, 25, 25), normal(2, 25, 25, 25)),
)
def heat_3d_grad(steps, A, B, dy=1.0):
    A, B = A.copy(), B.copy()
    for t in range(1, steps):
        B[1:-1, 1:-1, 1:-1] = (
            0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1])
            + 0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1])
            + 0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, :-2])
            + A[1:-1, 1:-1, 1:-1]
        )
        A[1:-1, 1:-1, 1:-1] = (
            0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1])
            + 0.125 * (B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1])
            + 0.125 * (B[1:-1, 1:-1, 2:] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, 1:-1, :-2])
            + B[1:-1, 1:-1, 1:-1]
        )

    # return np.sum(A**2)
    dA = dy * 2 * A
    dB = np.zeros_like(B)
    for t in range(steps - 1, 0, -1):
        # A[1:-1, 1:-1, 1:-1] = 0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + ...
        g = dA[1:-1, 1:-1, 1:-1].copy()
        dA[1:-1, 1:-1, 1:-1] = 0
        t = 0.125 * g
        dB[2:, 1:-1, 1:-1] += t
        dB[:-2, 1:-1, 1:-1] += t
        dB[1:-1, 2:, 1:-1] += t
        dB[1:-1, :-2, 1:-1] += t
        dB[1:-1, 1:-1, 2:] += t
        dB[1:-1, 1:-1, :-2] += t
        dB[1:-1, 1:-1, 1:-1] += g - 6.0 * t
        # B[1:-1, 1:-1, 1:-1] = 0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + ...
        g = dB[1:-1, 1:-1, 1:-1].copy()
        dB[1:-1, 1:-1, 1:-1] = 0
        t = 0.125 * g
        dA[2:, 1:-1, 1:-1] += t
        dA[:-2, 1:-1, 1:-1] += t
        dA[1:-1, 2:, 1:-1] += t
        dA[1:-1, :-2, 1:-1] += t
        dA[1:-1, 1:-1, 2:] += t
        dA[1:-1, 1:-1, :-2] += t
        dA[1:-1, 1:-1, 1:-1] += g - 6.0 * t
    return dA, dB
