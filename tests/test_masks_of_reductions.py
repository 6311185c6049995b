"""Reductions of what a mask picks, where the mask is smaller than the array, or may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import grad, jvp


def by_a_slice(x):
    return np.sum(np.sum(x, axis=0, where=x[:1] > 0.0) ** 2)


def by_a_slice_from_the_front(x):
    return np.sum(np.sum(x, axis=0, where=x[2:] > 0.0, initial=0.3) ** 2)


def by_what_an_end_is_left_off(x):
    return np.sum(np.mean(x, axis=0, where=x[:-2] > 0.0) ** 2)


def by_a_row(x):
    return np.sum(np.mean(x, axis=1, where=x[0] > 0.0) ** 2)


def by_a_column(x):
    return np.sum(np.sum(x, axis=0, where=x[:, :1] > 2.0) ** 2)


def by_true(x):
    return np.sum(np.sum(x, axis=0, where=True) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        by_a_slice,
        by_a_slice_from_the_front,
        by_what_an_end_is_left_off,
        by_a_row,
        by_a_column,
        by_true,
    ],
)
def test_the_gradient_has_the_shape_of_the_array(f: Any) -> None:
    """A slice may be one row, which broadcasts."""
    x = np.arange(1.0, 13.0).reshape(3, 4)
    expected = numeric_gradient(f, (x,), 0, 1.0)
    gradient = grad(f)(x)
    assert gradient.shape == x.shape
    np.testing.assert_allclose(gradient, expected, 1e-6)
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1], np.sum(expected * x), 1e-6)


def test_a_mask_of_the_same_shape_is_read_as_it_is() -> None:
    x = np.ones((2, 3))
    assert "broadcast_to" not in grad(by_itself).source(x)


def by_itself(x):
    return np.sum(np.sum(x, axis=0, where=x > 0.0) ** 2)
