"""Distances that are the largest of some differences: of float32, too, of which SciPy takes those of doubles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import spatial
from scipy.spatial import distance

from tangentish import grad, jvp

X = np.random.default_rng(5).normal(size=(4, 3))
W = np.random.default_rng(6).normal(size=(2, 3))

DISTANCES = [
    lambda x: distance.cdist(x, W, "chebyshev"),
    lambda x: distance.cdist(x, x[:2], "minkowski", p=np.inf),
    lambda x: distance.pdist(x, "chebyshev"),
    lambda x: spatial.distance_matrix(x, W, p=np.inf),
]


@pytest.mark.parametrize("f", DISTANCES)
def test_float32_has_the_gradient_of_doubles(f: Callable[[Any], Any]) -> None:
    total = lambda x: np.sum(f(x) ** 2)
    x, x_dot, step = X.astype(np.float32), np.cos(X).astype(np.float32), 1e-6
    doubles = x.astype(float)
    numeric = np.empty_like(X)
    for i in np.ndindex(X.shape):
        ahead, behind = doubles.copy(), doubles.copy()
        ahead[i], behind[i] = ahead[i] + step, behind[i] - step
        numeric[i] = (total(ahead) - total(behind)) / (2 * step)
    found = grad(total)(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, numeric, 1e-5, 1e-5)
    tangent = jvp(total, (x,), (x_dot,))[1]
    np.testing.assert_allclose(tangent, np.sum(numeric * x_dot), 1e-5)
