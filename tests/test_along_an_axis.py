"""np.apply_along_axis: what can't be followed ends in an error."""

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
