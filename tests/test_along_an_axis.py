"""np.apply_along_axis and np.vectorize: what can't be followed ends in an error."""

from __future__ import annotations

import numpy as np
import pytest

from tangentish import grad


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
