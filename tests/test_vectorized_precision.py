"""Functions of `np.vectorize` in single precision: they give the type of their first result, which is not known."""

from __future__ import annotations

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, value_and_grad

X = np.array([0.7, 1.3, 0.4])
SINGLE = X.astype(np.float32)


def squares(x):
    g = np.vectorize(lambda a: a * a)
    return np.sum(g(x))


def squares_of_floats(x):
    g = np.vectorize(lambda a: a * a, otypes=[float])
    return np.sum(g(x))


def test_doubles() -> None:
    assert value_and_grad(squares)(X)[0] == squares(X)
    np.testing.assert_allclose(grad(squares)(X), 2 * X)


def test_single_precision() -> None:
    with pytest.raises(NotDifferentiable, match="type of its first result"):
        grad(squares)(SINGLE)


def test_single_precision_with_a_type() -> None:
    value, gradient = value_and_grad(squares_of_floats)(SINGLE)
    assert value == squares_of_floats(SINGLE)
    assert value.dtype == np.float64
    np.testing.assert_allclose(gradient, 2 * SINGLE)
