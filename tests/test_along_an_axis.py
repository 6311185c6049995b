"""np.apply_along_axis and np.vectorize: what can't be followed ends in an error."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tangentish import grad, value_and_grad
from tangentish.infer.without_effects import only_computes


def first(v):
    if v[0] > 10:
        return 0
    return v[0] ** 2


def of_rows(x):
    return np.sum(np.apply_along_axis(first, 1, x))


def test_results_that_numpy_rounds() -> None:
    with pytest.raises(TypeError, match="rounds all results"):
        grad(of_rows)(np.array([[11.0, 2.0], [1.5, 3.0]]))
    np.testing.assert_array_equal(grad(of_rows)(np.array([[1.5, 3.0]])), [[3.0, 0.0]])


def small_or_square(v):
    return v**2 if v < 10 else 0


def of_each(x):
    return np.sum(np.vectorize(small_or_square)(x) * x)


def of_each_as_floats(x):
    return np.sum(np.vectorize(small_or_square, otypes=[float])(x) * x)


def test_results_of_elements_that_numpy_rounds() -> None:
    x = np.array([11.0, 2.0])
    with pytest.raises(TypeError, match="rounds all results"):
        grad(of_each)(x)
    np.testing.assert_array_equal(grad(of_each)(x[::-1].copy()), [12.0, 0.0])
    np.testing.assert_array_equal(grad(of_each_as_floats)(x), [0.0, 12.0])


class Counted:
    def __init__(self):
        self.calls = 0

    def __call__(self, v):
        self.calls += 1
        return v * self.calls


def by_an_object(x):
    counted = Counted()
    return np.sum(np.vectorize(counted)(x))


def by_a_list(x):
    seen = [0]

    def weighted(v):
        seen[0] += 1
        return v * seen[0]

    return np.sum(np.vectorize(weighted)(x)) * seen[0]


def by_a_nonlocal(x):
    calls = 0

    def added(v, w):
        nonlocal calls
        calls = calls + 1
        return v * w * calls

    return np.sum(np.vectorize(added)(x, 2.0))


def by_an_array(x):
    total = np.zeros(1)

    def added(v):
        here = total
        here += v
        return v * total[0]

    return np.sum(np.vectorize(added)(x))


def by_draws(x):
    rng = np.random.default_rng(3)
    return np.sum(np.vectorize(lambda v: v * rng.normal())(x))


def asked_as_floats(x):
    seen = [0]

    def weighted(v):
        seen[0] += 1
        return v * seen[0]

    return np.sum(np.vectorize(weighted, otypes=[float])(x))


@pytest.mark.parametrize(
    "f", [by_an_object, by_a_list, by_a_nonlocal, by_an_array, by_draws, asked_as_floats]
)
def test_numpy_calls_once_more_for_the_type_of_the_results(f) -> None:
    x = np.array([0.7, -1.2, 2.5])
    value, gradient = value_and_grad(f)(x)
    assert value == pytest.approx(f(x))
    steps = 1e-6 * np.eye(3)
    truth = [(f(x + e) - f(x - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


calls: list[float] = []


def noted(v):
    calls.append(1.0)
    return v * v


def test_effects_of_functions_outside_are_as_many_as_in_numpy() -> None:
    x = np.array([0.7, -1.2, 2.5])
    calls.clear()
    grad(lambda x: np.sum(np.vectorize(noted)(x)))(x)
    assert len(calls) == 4


@pytest.mark.parametrize("pure", [math.sin, small_or_square, lambda v: math.sin(v) * max(v, 0.0)])
def test_functions_that_only_compute(pure) -> None:
    assert only_computes(pure) == (pure is not math.sin)


@pytest.mark.parametrize(
    "other",
    [noted, Counted(), lambda v: np.random.normal() * v, lambda v: v.fill(3), lambda v: print(v)],
)
def test_functions_that_may_have_effects(other) -> None:
    assert not only_computes(other)
