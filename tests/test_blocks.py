"""np.block of arrays that are written out where they stand: their axes are their own, not those of the block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

BLOCKS: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 1.1]), np.array([1.0, -0.5, 0.3])


@kept_in(BLOCKS)
def matrix_written_out(x):
    return np.sum(np.block([[np.array([[x[0]]]), np.ones((1, 2))]]) ** 3)


@kept_in(BLOCKS)
def matrix_among_others(x):
    k = np.block([[np.array([[x[0] * x[1]]]), x[None, :2]], [x[:2, None], np.eye(2)]])
    return np.sum(k**3 * np.arange(9.0).reshape(3, 3))


@kept_in(BLOCKS)
def several_matrices(x):
    a = np.block([[np.array([[x[0], x[1]], [1.0, x[2]]]), np.array([[x[1]], [x[0]]])]])
    return np.sum(a**3 * np.arange(6.0).reshape(2, 3))


@kept_in(BLOCKS)
def vectors_in_one_row(x):
    return np.sum(np.block([np.array([x[0], x[1] * x[2]]), x, x[1]]) ** 3 * np.arange(6.0))


@kept_in(BLOCKS)
def asked_for_as_floats(x):
    return np.sum(np.block([[np.array([[x[0]], [x[1]]], dtype=float), np.ones((2, 2))]]) ** 3)


@kept_in(BLOCKS)
def stacked_inside(x):
    a = np.block(
        [[np.stack([x, x**2]), np.array([[x[2]], [x[1]]])], [np.vstack([[x[0], 2.0, x[1], 1.0]])]]
    )
    return np.sum(a**3 * np.arange(12.0).reshape(3, 4))


@kept_in(BLOCKS)
def in_a_loop(x):
    y = x[0]
    for k in range(3):
        y = np.sum(np.block([[np.array([[y]]), np.array([[x[k]]])]]) ** 2)
    return y


@kept_in(BLOCKS)
def arrays_in_an_array(x):
    a = np.array([[np.array([x[0], x[1]]), np.array([x[2], 1.0])], [np.array([x[1], x[1]]), x[:2]]])
    return np.sum(a**3 * np.arange(8.0).reshape(2, 2, 2))


@pytest.mark.parametrize("f", BLOCKS, ids=named)
def test_blocks(f):
    check_along(f, P, P_DOT)
