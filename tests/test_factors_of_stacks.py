"""Stacks in systems of factors and of bands, which SciPy solves since 1.17: refused, since rows are for one matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from tangentish import NotDifferentiable, grad

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]])
STACK = np.array([A, 2 * A, A + np.eye(3)])
CHOLESKY, STACK_OF_CHOLESKY = (np.linalg.cholesky(A), True), (np.linalg.cholesky(STACK), True)
LU, STACK_OF_LU = scipy.linalg.lu_factor(A), (STACK, np.zeros((3, 3), dtype=int))
B = np.array([[0.3, 1.0], [-0.4, 2.0], [0.9, 0.1]])


@pytest.mark.parametrize(
    ("of_one", "of_stack"),
    [
        (
            lambda b: np.sum(scipy.linalg.cho_solve(CHOLESKY, b) ** 2),
            lambda b: np.sum(scipy.linalg.cho_solve(STACK_OF_CHOLESKY, b) ** 2),
        ),
        (
            lambda b: np.sum(scipy.linalg.lu_solve(LU, b) ** 2),
            lambda b: np.sum(scipy.linalg.lu_solve(STACK_OF_LU, b) ** 2),
        ),
    ],
    ids=["cho_solve", "lu_solve"],
)
def test_one_is_right_and_a_stack_refused(of_one, of_stack):
    expected = 2 * np.linalg.solve(A.T, np.linalg.solve(A, B))
    np.testing.assert_allclose(grad(of_one)(B), expected)
    with pytest.raises(NotDifferentiable, match="not supported with these arguments"):
        grad(of_stack)(B)


def test_a_stack_that_is_given_is_refused():
    def f(b, c):
        return np.sum(scipy.linalg.cho_solve((c, True), b) ** 2)

    with pytest.raises(NotDifferentiable, match="not supported with these arguments"):
        grad(f)(B, STACK_OF_CHOLESKY[0])


def test_stacks_of_bands_and_of_right_sides_are_refused():
    bands = np.ones((3, 3)) + np.diag([0.0, 3.0, 0.0])

    def f(ab, b):
        return np.sum(scipy.linalg.solve_banded((1, 1), ab, b) ** 2)

    for ab, b in ((bands, B[None]), (bands[None], B), (bands[None], B[:, 0])):
        with pytest.raises(NotDifferentiable, match="not supported with these arguments"):
            grad(f)(ab, b)


def test_stacks_of_directions_of_an_exponential_are_refused():
    def f(x):
        return np.sum(scipy.linalg.expm_frechet(x, x, compute_expm=False))

    with pytest.raises(NotDifferentiable, match="not supported with these arguments"):
        grad(f)(STACK / 5)
