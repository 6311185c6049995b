"""Third derivatives of functions whose rules call helpers: what these give has derivatives once more, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_third_order import third_difference

from tangentish import grad, hvp, jvp

Function = Callable[[Any], Any]

X = np.array([0.7, 1.3, 0.4])
ALONG = np.array([0.3, -0.7, 0.5])


def symmetric(x):
    return np.outer(x, x) + np.diag(np.sin(x) + np.arange(3.0))


def eigenvectors(x):
    return np.sum(np.linalg.eigh(symmetric(x))[1][:, 0] ** 4)


def of_eigenvalues_and_vectors(x):
    w, v = np.linalg.eigh(symmetric(x))
    return np.sum(v[:, 1:] ** 4 @ np.exp(w[1:])) * w[0]


def running_products(x):
    of_rows = np.cumprod(np.outer(x, x) + 1, axis=1)
    return np.sum(np.cumprod(x - X[1]) ** 2 * x) + np.sum(of_rows**2) * np.cumprod(x, 0)[-1]


def factors_of_a_matrix(x):
    q, r = np.linalg.qr(symmetric(x))
    return np.sum(np.sin(r)) + np.sum(q**3)


def powers_of_a_matrix(x):
    m = np.outer(x, np.sin(x)) + np.diag(x)
    return np.sum(np.linalg.matrix_power(m, 3) ** 2) * np.linalg.matrix_power(m, -2)[0, 1]


def sums_of_products(x):
    m = symmetric(x)
    return np.einsum("i,ij,j->", x, m, x) * np.einsum("i,j,k->", x, np.sin(x), x, optimize=True)


def slopes(x):
    of_rows = np.gradient(np.outer(x, x * x), axis=1)
    by_places = np.gradient(x**3, x, edge_order=2)
    return np.sum(np.gradient(x**3) ** 2 * x) + np.sum(
        of_rows**2 * np.gradient(x, x[1]) + by_places
    )


def wave(a):
    return np.sin(a) * a**3


def of_one_sign(x):
    if x[0] > 0:
        y = wave(x * 2)
        return y * x
    return wave(x)


def helpers_on_two_ways(x):
    return np.sum(of_one_sign(x)) * np.sum(of_one_sign(-x))


def powers_of_numbers(x):
    return np.power(x[0] + 1, x[1]) * np.float_power(x[2], x[0]) + np.sum(x ** x[1])


FUNCTIONS: list[Function] = [
    powers_of_numbers,
    eigenvectors,
    of_eigenvalues_and_vectors,
    running_products,
    factors_of_a_matrix,
    powers_of_a_matrix,
    sums_of_products,
    slopes,
    helpers_on_two_ways,
]


def forward_over_forward(f: Function) -> Any:
    return jvp(lambda x: hvp(f)(x, ALONG), (X,), (ALONG,))[1] @ ALONG


def forward_over_reverse(f: Function) -> Any:
    return hvp(lambda x: np.sum(grad(f)(x) * ALONG))(X, ALONG) @ ALONG


def reverse_over_reverse(f: Function) -> Any:
    def second(x):
        return np.sum(grad(lambda y: np.sum(grad(f)(y) * ALONG))(x) * ALONG)

    return grad(second)(X) @ ALONG


WAYS = [forward_over_forward, forward_over_reverse, reverse_over_reverse]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_third_derivatives(f: Function, way: Callable[[Function], Any]) -> None:
    assert np.isclose(way(f), third_difference(f, X, ALONG), rtol=1e-5, atol=1e-7)
