"""What is divided by the same in two lines is divided once, unless one of them changes in between."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad
from tangentish.algebra.like_terms import with_like_terms_added
from tangentish.ir.quote import constant

Program = Callable[..., Any]


def mean_by_weights(x, w):
    return np.sum(w * x) / np.sum(w)


def in_place(x, w):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] = (y[i] + y[i - 1] ** 2) / w[i]
    return np.sum(y**2)


def divisor_is_stored_to(x, w):
    v = w.copy()
    y = np.zeros(len(x))
    for i in range(len(x) - 1):
        y[i] = x[i] / v[i]
        v[i + 1] = v[i + 1] * y[i] + 1.5
    return np.sum(y**3) + np.sum(v)


def divisor_through_a_view(x, w):
    v = w.copy()
    part = v[1:]
    total = 0.0
    for i in range(len(part)):
        t = (x[i] + part[i]) / v[i]
        part[i] = t / part[i] + 2.0
        total = total / part[i] + t
    return total


def quotient_has_another_name(x, w):
    m = np.outer(w, w)
    y = x / m[0]
    v = np.sin(x) * m[1]
    u = v[1:] ** 2
    z = v
    return np.sum((y + z / m[0]) ** 2) + np.sum(u)


@pytest.mark.parametrize(
    "function",
    [
        mean_by_weights,
        in_place,
        divisor_is_stored_to,
        divisor_through_a_view,
        quotient_has_another_name,
    ],
)
def test_right(function: Program) -> None:
    x, w = np.array([0.4, -0.3, 0.8, 1.2]), np.array([1.1, 1.7, 1.3, 2.1])
    for k, gradient in enumerate(grad(function, wrt=(0, 1))(x, w)):
        assert_close(gradient, numeric_gradient(function, (x, w), k, 1.0), f"argument {k}")


def test_once() -> None:
    source = grad(mean_by_weights, wrt=(0, 1)).source(np.ones(3), np.ones(3))
    assert source.partition("# return")[2].count(" / ") == 2  # one in the comment


def kinetic_energy(v, m):
    return 0.5 * m * v**2


def half_a_square(v, m):
    return 0.5 * v * v + math.log(v / 100.0) * m


def test_halves_and_like_terms() -> None:
    for function in (kinetic_energy, half_a_square):
        for k, gradient in enumerate(grad(function, wrt=(0, 1))(1.7, 2.3)):
            assert_close(gradient, numeric_gradient(function, (1.7, 2.3), k, 1.0), f"argument {k}")
    assert "dy * m * v" in grad(kinetic_energy).source(1.7, 2.3)
    assert "dy * (v + m / v)" in grad(half_a_square).source(1.7, 2.3)


def test_numbers_alone_are_no_like_terms() -> None:
    numbers = [constant(1.0), constant(2.0)]
    assert with_like_terms_added(numbers) == numbers


def test_one_system_is_solved_for_all_parameters_of_a_root():
    optimize = pytest.importorskip("scipy.optimize")

    def equilibrium(a, b, c):
        return np.sum(optimize.fsolve(lambda u: u**3 + a * u - b * NODES + c, np.ones(2)))

    at = (1.0, 2.0, 0.5)
    own_text = grad(equilibrium, wrt=(0, 1, 2)).source(*at).partition("\n\n\n")[0]
    assert own_text.count("np.linalg.solve(") == own_text.count("residuals_grad_u(") == 1
    for k, gradient in enumerate(grad(equilibrium, wrt=(0, 1, 2))(*at)):
        assert_close(gradient, numeric_gradient(equilibrium, at, k, 1.0), "root")


NODES = np.array([1.0, 2.0])
