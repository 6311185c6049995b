"""Jacobians and Hessians of functions that draw or count: of one evaluation, or refused, as each column needs one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, hessian, hvp, jacobian

X = np.array([0.7, 0.4, 0.9])
RNG = np.random.default_rng(0)
STATE: dict[str, Any] = {}


class Counter:
    def __init__(self):
        self.count = 0
        self.seen = []

    def step(self):
        self.count += 1
        return self.count

    def note(self, v):
        self.seen.append(v)


COUNTER = Counter()


def noise():
    return RNG.normal(size=3)


def draws(x):
    return np.sum(RNG.normal(size=3) * x**3)


def draws_inside(x):
    return np.sum(noise() * x**3)


def draws_from_an_argument(x, rng=RNG):
    return np.sum(rng.normal(size=3) * x**3)


def draws_of_numpy(x):
    return np.sum(np.random.normal(size=3) * x**3)


def counts(x):
    return COUNTER.step() * np.sum(x**3)


def comes_round(x):
    return (COUNTER.step() % 2 + 1) * np.sum(x**3)


@pytest.mark.parametrize(
    "f", [draws, draws_inside, draws_from_an_argument, draws_of_numpy, counts, comes_round]
)
def test_a_hessian_is_refused(f):
    for size in (1, 2, 3):
        with pytest.raises(NotDifferentiable, match="gives something else each time"):
            hessian(f)(X[:size] if "draw" not in f.__name__ else X)


def notes(x):
    COUNTER.note(1.0)
    return np.sum(x**3)


def seeded(x):
    z = np.random.default_rng(0).normal(size=3)
    return np.sum(z * x**3)


def test_what_does_not_show_is_right():
    np.testing.assert_allclose(hessian(notes)(X), np.diag(6 * X))
    z = np.random.default_rng(0).normal(size=3)
    np.testing.assert_allclose(hessian(seeded)(X), np.diag(6 * X * z))


def test_a_product_is_of_one_evaluation():
    along = hvp(draws)(X, np.ones(3)) / (6 * X)
    again = hvp(lambda x: np.sum(along * x**3))(X, np.ones(3))
    np.testing.assert_allclose(again, 6 * X * along)


def tall(p):
    z = RNG.normal(size=3)
    return p[0] * z + p[1] * z**2


def structured(p):
    z = RNG.normal(size=3)
    return {"a": p["u"] * z, "b": p["u"] * z**2}


@pytest.mark.parametrize("p", [[1.0, 2.0], [0.0, 0.0]])
def test_a_jacobian_is_of_one_evaluation(p):
    found = jacobian(tall)(np.array(p))
    np.testing.assert_allclose(found[:, 0] ** 2, found[:, 1])


def test_so_is_one_of_structures():
    found = jacobian(structured)({"u": 0.0})
    np.testing.assert_allclose(found["a"]["u"] ** 2, found["b"]["u"])
