"""The polar decomposition of SciPy, which is written in Python: of square matrices and others, and of rotations."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in
from scipy.linalg import polar

from tangentish import grad
from tangentish.runtime.polar import polar as written

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4, 0.2, 0.9]), np.array([0.3, -0.7, 1.1, 0.2, 0.5, -0.1])


@kept
def of_a_tall_one(x):
    u, p = polar(x.reshape(3, 2))
    return np.sum(u**3) + np.sum(p**2 * u[:2])


@kept
def of_a_wide_one(x):
    u, p = polar(x.reshape(2, 3), side="left")
    return np.sum(u[:, :2] * p) ** 2


@kept
def nearest_rotation(x):
    m = np.outer(x[:3], x[3:]) + np.eye(3)
    return np.trace(polar(m, "right")[0] @ np.diag(x[:3]))


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("side", ["right", "left"])
def test_as_scipy_has_it(side: str) -> None:
    m = X.reshape(2, 3)
    for found, expected in zip(written(m, side), polar(m, side), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_beside_equal_singular_values() -> None:
    def f(x):
        return np.sum(polar(np.array([[x[0], -x[1]], [x[1], x[0]]]))[0] * np.eye(2))

    np.testing.assert_allclose(grad(f)(np.array([3.0, 4.0])), [2 * 16 / 125, -2 * 12 / 125], 1e-12)
