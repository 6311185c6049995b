"""Functions of matrices given a stack of them: the gradient is right, or refused."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from tangentish import NotDifferentiable, grad

RNG = np.random.default_rng(0)
STACK = RNG.uniform(0.2, 0.9, (3, 3, 3)) + 2 * np.eye(
    3
)  # a transpose of all axes has the same shape
SYMMETRIC = STACK @ np.swapaxes(STACK, 1, 2)
W, V = RNG.normal(size=(2, 3, 3, 3))


def inverse(x: Any) -> Any:
    return np.sum(W * scipy.linalg.inv(x))


def pseudoinverse(x: Any) -> Any:
    return np.sum(W * scipy.linalg.pinv(x))


def determinants(x: Any) -> Any:
    return np.sum(W[0, 0] * scipy.linalg.det(x))


def solutions(x: Any) -> Any:
    return np.sum(W * scipy.linalg.solve(x, W))


def solutions_of_one(x: Any) -> Any:
    return np.sum(scipy.linalg.solve(x, np.ones(3)) ** 2)


def upper_factor(x: Any) -> Any:
    return np.sum(W * scipy.linalg.cholesky(x))


def lower_factor(x: Any) -> Any:
    return np.sum(W * scipy.linalg.cholesky(x, lower=True))


def eigenvalues(x: Any) -> Any:
    return np.sum(W[0] * scipy.linalg.eigvalsh(x))


def singular_values(x: Any) -> Any:
    return np.sum(W[0] * scipy.linalg.svdvals(x))


def exponential(x: Any) -> Any:
    return np.sum(W * scipy.linalg.expm(x))


def root(x: Any) -> Any:
    return np.sum(W * scipy.linalg.sqrtm(x))


def triangle(x: Any) -> Any:
    return np.sum(W * scipy.linalg.qr(x, mode="economic")[1])


def by_triangles(x: Any) -> Any:
    return np.sum(W * scipy.linalg.solve_triangular(x, W, lower=True))


def least_squares(x: Any) -> Any:
    return np.sum(W * scipy.linalg.lstsq(x, W)[0])


def sylvester(x: Any) -> Any:
    return np.sum(W * scipy.linalg.solve_sylvester(x, x, x))


def lyapunov(x: Any) -> Any:
    return np.sum(W * scipy.linalg.solve_continuous_lyapunov(x, x))


def tensor_inverse(x: Any) -> Any:
    return np.sum(W * np.linalg.inv(x) + np.linalg.matrix_power(x, 2)) + np.sum(
        np.linalg.det(x) ** 2
    )


def own_solutions(x: Any) -> Any:
    return np.sum(W * np.linalg.solve(x, W)) + np.sum(np.linalg.slogdet(x)[1] ** 2)


def own_eigenvalues(x: Any) -> Any:
    return np.sum(W[0] * np.abs(np.linalg.eigvals(x))) + np.sum(W * np.linalg.cholesky(x))


STACKS = {
    upper_factor: SYMMETRIC,
    lower_factor: SYMMETRIC,
    eigenvalues: SYMMETRIC,
    own_eigenvalues: SYMMETRIC,
}
ALL = (
    inverse, pseudoinverse, determinants, solutions, solutions_of_one, upper_factor, lower_factor, eigenvalues,
    singular_values, exponential, root, triangle, by_triangles, least_squares, sylvester, lyapunov, tensor_inverse,
    own_solutions, own_eigenvalues,
)  # fmt: skip
REFUSED = {
    solutions, solutions_of_one, upper_factor, root, by_triangles, least_squares, sylvester,
    lyapunov,
}  # fmt: skip


@pytest.mark.parametrize("function", ALL)
def test_a_stack_of_matrices(function: Any) -> None:
    x = STACKS.get(function, STACK)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            after, before = function(x + 1e-6 * V), function(x - 1e-6 * V)
        except ValueError:
            pytest.skip("this SciPy takes no stacks")
    if function in REFUSED:
        with pytest.raises(NotDifferentiable):
            grad(function)(x)
        return
    np.testing.assert_allclose(np.sum(grad(function)(x) * V), (after - before) / 2e-6, 1e-5)
