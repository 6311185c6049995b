"""Eigenvalues and eigenvectors of symmetric tridiagonal matrices, by what stands on and beside the diagonal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient
from scipy.linalg import eigh_tridiagonal, eigvalsh_tridiagonal

from tangentish import NotDifferentiable, grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)
X, DIRECTION = np.array([1.0, 0.53, 2.21, -0.71]), np.array([0.3, -1.0, 0.4, 2.0])


@form
def well(x):
    w, v = eigh_tridiagonal(x, 0.3 * x[1:] + 0.5)
    return w[0] * v[0, -1] ** 2 + np.sum(w**3) + v[1, 0] * v[2, 0]


@form
def vectors_alone(x):
    return eigh_tridiagonal(2 * np.arange(4.0), x[:3])[1][0, 1] ** 2


@form
def values_alone(x):
    all_of_them = eigh_tridiagonal(x**2, x[1:], eigvals_only=True)
    return all_of_them[2] * eigvalsh_tridiagonal(x, np.ones(3))[3]


def lowest(x):
    some = eigvalsh_tridiagonal(x, np.sin(x[1:]), select="i", select_range=(0, 1))
    return np.sum(some**2)


def test_chosen_values() -> None:
    numeric = numeric_gradient(lowest, (X,), 0, 1.0)
    assert_close(grad(lowest)(X), numeric, "lowest")
    assert_close(jvp(lowest, (X,), (DIRECTION,))[1], numeric @ DIRECTION, "lowest")
    with pytest.raises(NotDifferentiable):
        hvp(lowest)(X, DIRECTION)


test_in_every_mode = each_right(FUNCTIONS, X, DIRECTION)
