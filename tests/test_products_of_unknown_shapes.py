"""Sums of products and arrays made for several, where less is known of the shapes than the text says."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

functions: list[Function] = []
program = kept_in(functions)

TURN = np.array([[0.6, -0.8, 0.1], [0.8, 0.6, -0.3], [0.2, 0.1, 1.1]])


def rows_of(a, b, c):
    """Numbers or columns: the matrix, or one for each of them."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c))
    rows = np.empty(shape + (2, 2))
    rows[..., 0, 0] = a
    rows[..., 0, 1] = -b
    rows[..., 1, 0] = b
    rows[..., 1, 1] = c
    return rows


@program
def written_after_einsum(x):
    y = np.einsum("ij,j->i", TURN, x)
    y *= 100
    z = np.einsum("...ij,...j->...i", TURN, x * x)
    z[0] += y[1]
    return np.sum(y * z)


@program
def made_for_columns(x):
    stack = rows_of(x, x * x, 1.0 + x[::-1])
    return np.sum(np.einsum("nij,njk->nik", stack, stack) ** 2)


@program
def made_for_numbers(x):
    return np.sum(rows_of(x[0], x[1], 2.0) @ rows_of(0.5, x[2], x[0]))


@program
def made_for_both(x):
    total = np.einsum("nij,njk->ik", rows_of(x, x[0], 0.3), rows_of(1.0, x, x * x))
    w, v = np.linalg.eigh(total + total.T)
    return w[0] * v[0, 0] ** 2


@program
def made_with_lengths(x):
    lengths = np.broadcast_shapes(x.shape, (2, 1))
    y = np.zeros(lengths)
    y[:] = x
    y[1] *= x
    return np.sum(y[0] * y[1]) + len(lengths) + len(np.broadcast_shapes())


test_products_of_unknown_shapes = each_right(
    functions, np.array([0.6, 0.4, 0.9]), np.array([0.3, -1.1, 0.7])
)
