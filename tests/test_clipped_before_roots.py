"""Beyond the bounds of what clips, a root is constant: its gradient is 0 there, not nan."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tests.numeric import assert_close, numeric_gradient

X, Z = np.array([-2.0, -0.5, 0.5, 2.0]), np.array([0.3, -0.7, 0.2, 0.9])


def angles(x, z):
    return np.sum(np.arccos(np.clip(x, -1, 1)) * z)


def angles_by_extremes(x, z):
    return np.sum(np.arcsin(np.minimum(1.0, np.maximum(-1.0, x))) * z)


def roots(x, z):
    return np.sum(np.sqrt(np.maximum(x * z, 0)) + np.maximum(x, 0) ** 0.3 * z)


def roots_of_what_follows(x, z):
    cosine = x.clip(-1, 1)
    sine = np.sqrt(1 - cosine**2)
    return np.sum(sine * z)


def in_place(x, z):
    y = x * z
    np.maximum(y, 0, out=y)
    return np.sum(np.sqrt(y) * x)


def numbers(x, z):
    total = 0.0
    for a, b in zip(x, z, strict=True):
        total += math.sqrt(max(a - b, 0.0)) * a
        total += math.acos(min(1.0, max(-1.0, a))) * b
    return total


def bounds_that_vary(x, z):
    return np.sum(np.sqrt(np.clip(x, z - 0.1, z + 0.1) + 1) * np.sqrt(np.abs(np.maximum(x, z))))


def broadcast(x, z):
    return np.sum(np.cbrt(np.clip(x[:, None], -1, z)) * z)


@pytest.mark.parametrize(
    "function",
    [
        angles,
        angles_by_extremes,
        roots,
        roots_of_what_follows,
        in_place,
        numbers,
        bounds_that_vary,
        broadcast,
    ],
)
def test_what_was_clipped_gets_nothing(function: Callable[..., Any]) -> None:
    with np.errstate(all="ignore"):
        found = grad(function, wrt=(0, 1))(X, Z)
    expected = tuple(numeric_gradient(function, (X, Z), k, 1.0) for k in (0, 1))
    assert_close(found, expected, function.__name__)


def test_of_float32() -> None:
    with np.errstate(all="ignore"):
        found = grad(roots, wrt=(0, 1))(X.astype(np.float32), Z.astype(np.float32))
    assert [g.dtype for g in found] == [np.float32, np.float32]


def test_rectifiers_without_roots_are_products() -> None:
    text = grad(lambda x: np.sum(np.maximum(x, 0) ** 2)).source(X)
    assert "np.where" not in text, text
