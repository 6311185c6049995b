"""np.cross of vectors with two elements: in stacks of two or three their products look like vectors themselves."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    try:
        np.cross([1.0, 2.0], [3.0, 4.0])
    except ValueError:
        pytest.skip("this NumPy has no vectors with two elements", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")

SHAPES = [
    ((2,), (2,), -1), ((2, 2), (2, 2), -1), ((3, 2), (3, 2), -1), ((3, 2), (2,), -1), ((2,), (3, 2), -1),
    ((2, 1, 2), (3, 2), -1), ((3, 2), (3, 3), -1), ((3,), (2, 2), -1), ((2, 3), (2, 1), 0), ((3, 2), (2, 2), 0),
    ((0, 2), (0, 2), -1),
]  # fmt: skip


def cubed(x: Any, w: Any, axis: int) -> Any:
    return np.sum(np.cross(x, w, axis=axis) ** 3)


def numeric(f: Any, x: Any) -> Any:
    found = np.zeros_like(x)
    for k in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[k] = 1e-5
        found[k] = (f(x + step) - f(x - step)) / 2e-5
    return found


@pytest.mark.parametrize(("left", "right", "axis"), SHAPES)
def test_against_numeric_derivatives(left: Any, right: Any, axis: int) -> None:
    rng = np.random.default_rng(3)
    x, w, v = rng.normal(size=left), rng.normal(size=right), rng.normal(size=left)
    dx, dw = grad(cubed, wrt=("x", "w"))(x, w, axis)
    np.testing.assert_allclose(dx, numeric(lambda x: cubed(x, w, axis), x), atol=1e-7)
    np.testing.assert_allclose(dw, numeric(lambda w: cubed(x, w, axis), w), atol=1e-7)
    _, slope = jvp(lambda x: cubed(x, w, axis), (x,), (v,))
    np.testing.assert_allclose(slope, np.sum(dx * v))
    bent = numeric(lambda x: np.sum(grad(cubed)(x, w, axis) * v), x)
    np.testing.assert_allclose(hvp(cubed)(x, v, w, axis), bent, atol=1e-6)
    bent = numeric(lambda w: np.sum(grad(cubed)(x, w, axis) * v), w)
    mixed = grad(lambda w: np.sum(grad(cubed)(x, w, axis) * v))(w)
    np.testing.assert_allclose(mixed, bent, atol=1e-6)


def test_single_precision_stays() -> None:
    x, w = np.ones((3, 2), np.float32), np.arange(6, dtype=np.float32).reshape(3, 2)
    found = grad(cubed, wrt=("x", "w"))(x, w, -1)
    assert [d.dtype for d in found] == [np.float32, np.float32]
