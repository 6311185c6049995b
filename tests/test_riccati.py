"""Riccati equations, whose weights are symmetric: SciPy takes no others, so that single elements can't be moved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

from tangentish import grad, hvp, jvp

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


def moving(f: Any, k: int) -> Any:
    """The function of one of its arguments."""
    if f is continuous:
        return (
            lambda a: continuous(a, B, C, R), lambda b: continuous(A, b, C, R),
            lambda c: continuous(A, B, c, R), lambda r: continuous(A, B, C, r),
        )[k]  # fmt: skip
    return (
        lambda a: discrete(a, B, C, R), lambda b: discrete(A, b, C, R),
        lambda c: discrete(A, B, c, R), lambda r: discrete(A, B, C, r),
    )[k]  # fmt: skip


@pytest.mark.parametrize("f", [continuous, discrete])
@pytest.mark.parametrize("k", range(4))
def test_second_derivatives(f: Any, k: int) -> None:
    one, x = moving(f, k), (A, B, C, R)[k]
    v = np.random.default_rng(k).normal(size=x.shape)
    slope, h = grad(one), 1e-4
    near, far = (slope(x + d * v) - slope(x - d * v) for d in (h / 2, h))
    np.testing.assert_allclose(hvp(one)(x, v), (8 * near - far) / (6 * h), 1e-7, 1e-8)


def test_a_root_that_is_complex_raises() -> None:
    def size(m):
        return np.sum(np.abs(scipy.linalg.sqrtm(m)))

    with pytest.raises(ValueError, match="complex"):
        grad(size)(np.array([[-1.0, 0.2], [0.1, -3.0]]))
