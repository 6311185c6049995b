"""Riccati equations, whose weights are symmetric: SciPy takes no others, so that single elements can't be moved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

from tangentish import grad, jvp

RNG = np.random.default_rng(0)
A, B, C = 0.3 * RNG.normal(size=(3, 3)), RNG.normal(size=(3, 2)), RNG.normal(size=(2, 3))
R, W = np.array([1.0, 1.5]), RNG.normal(size=(3, 3))


def continuous(a: Any, b: Any, c: Any, r: Any) -> Any:
    return np.sum(W * scipy.linalg.solve_continuous_are(a, b, c.T @ c, np.diag(r)) ** 2)


def discrete(a: Any, b: Any, c: Any, r: Any) -> Any:
    return np.sum(W * scipy.linalg.solve_discrete_are(a, b, c.T @ c, np.diag(r)) ** 2)


@pytest.mark.parametrize("f", [continuous, discrete])
@pytest.mark.parametrize("k", range(4))
def test_against_numeric_derivatives(f: Any, k: int) -> None:
    args = [A, B, C, R]
    v = RNG.normal(size=args[k].shape)

    def at(distance: float) -> float:
        return float(f(*args[:k], args[k] + distance * v, *args[k + 1 :]))

    h = 1e-4
    truth = (8 * (at(h / 2) - at(-h / 2)) - (at(h) - at(-h))) / (6 * h)
    assert np.sum(grad(f, wrt=k)(*args) * v) == pytest.approx(truth, rel=1e-7)
    tangents = tuple(v if i == k else None for i in range(4))
    assert jvp(f, tuple(args), tangents)[1] == pytest.approx(truth, rel=1e-7)


@pytest.mark.parametrize("f", [continuous, discrete])
def test_all_arguments_at_once(f: Any) -> None:
    alone = [grad(f, wrt=k)(A, B, C, R) for k in range(4)]
    for one, other in zip(alone, grad(f, wrt=(0, 1, 2, 3))(A, B, C, R), strict=True):
        np.testing.assert_allclose(one, other)
