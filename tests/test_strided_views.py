"""Views by `as_strided`, whose elements are told by bytes: in every layout of the array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient
from numpy.lib.stride_tricks import as_strided

from tangentish import NotDifferentiable, grad, hvp, jvp


def windows(x):
    n = x.strides[0]
    w = as_strided(x, shape=(len(x) - 2, 3), strides=(n, n))
    return np.sum(w[:, 0] * w[:, 1] * w[:, 2])


def every_second(x):
    return np.sum(as_strided(x, (2,), (2 * x.strides[0],)) ** 3)


def the_same_again_and_again(x):
    return np.sum(as_strided(x, (4, len(x)), (0, x.strides[0]), writeable=False) ** 2 * x)


def patches(x):
    m = np.outer(x, x)
    rows, columns = m.strides
    p = as_strided(m, (3, 3, 2, 2), (rows, columns, rows, columns))
    return np.sum(np.max(p, axis=(2, 3)) ** 2)


def without_strides(x):
    return np.sum(as_strided(x, (2,)) ** 2)


VECTORS: list[Callable[[Any], Any]] = [
    windows, every_second, the_same_again_and_again, patches, without_strides,
]  # fmt: skip
X = np.array([0.7, 1.3, -0.4, 2.1])
LAYOUTS = {
    "contiguous": X,
    "every third": np.repeat(X, 3)[::3],
    "reversed": X[::-1].copy()[::-1],
    "column": np.array([X, X]).T.copy()[:, 1],
}


@pytest.mark.parametrize("function", VECTORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_of_vectors_in_every_layout(function: Callable[[Any], Any], layout: str) -> None:
    x, step = LAYOUTS[layout], np.array([0.3, -1.1, 0.8, 0.4])
    before = x.copy()
    expected = numeric_gradient(function, [X], 0, 1.0)
    assert_close(grad(function)(x), expected, "x")
    assert_close(jvp(function, (x,), (np.repeat(step, 2)[::2],))[1], expected @ step, "slope")
    slope = (
        numeric_gradient(function, [X + 1e-4 * step], 0, 1.0)
        - numeric_gradient(function, [X - 1e-4 * step], 0, 1.0)
    ) / 2e-4
    np.testing.assert_allclose(hvp(function)(x, step), slope, 1e-4, 1e-4)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("order", "CF")
def test_of_matrices_in_both_orders(order: Any) -> None:
    def diagonals(m):
        rows, columns = m.strides
        return np.sum(as_strided(m, (2, 3), (rows, rows + columns)) * np.array([1.0, 2.0, 3.0]))

    m = np.asarray(np.arange(16.0).reshape(4, 4), order=order)
    assert_close(grad(diagonals)(m), numeric_gradient(diagonals, [m], 0, 1.0), "m")


def test_float32_stays() -> None:
    d = grad(windows)(X.astype(np.float32))
    assert d.dtype == np.float32
    np.testing.assert_allclose(d, grad(windows)(X), 1e-6)


def test_writes_through_it_are_refused() -> None:
    def written(x):
        y = x * 2
        w = as_strided(y, (3, 2), (8, 8))
        w[0] *= 2
        return np.sum(y)

    def written_below(x):
        y = x * 2
        w = as_strided(y, (3, 2), (8, 8))
        y[0] = 1.0
        return np.sum(w)

    for function in (written, written_below):
        with pytest.raises(NotDifferentiable, match="share memory"):
            grad(function)(X)


def test_memory_of_others_has_no_place() -> None:
    def beyond(x):
        return np.sum(as_strided(x[:2], (3,), (8,)))

    with pytest.raises(ValueError, match="not of its argument"):
        grad(beyond)(X)
