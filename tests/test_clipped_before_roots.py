"""Beyond the bounds of what clips, a root is constant: its gradient is 0 there, not nan."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp
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


def by_a_mask(x, z):
    positive = x > 0
    return np.sum(np.sqrt(x * positive) * z + np.multiply(positive, x) ** 0.3)


def by_a_mask_as_numbers(x, z):
    positive = (x > 0).astype(float)
    both = positive * np.where(z > 0, 1.0, 0.0)
    return np.sum(np.sqrt(x * positive) * z + np.sqrt(x * z * both)) + np.sum(
        (1.0 * (x < 1) * (1 - x)) ** 0.3
    )


def by_steps(x, z):
    step = np.heaviside(x, 0.0)
    return np.sum(np.sqrt(x * step) * z) + np.sum((np.heaviside(1 - x, 1) * (1 - x)) ** 0.3)


def by_numbers_that_ask(x, z):
    total = 0.0
    for a, b in zip(x, z, strict=True):
        total += np.sqrt(a * float(a > 0)) * b
    return total


def by_a_mask_in_place(x, z):
    y = x * z
    y *= x * z > 0
    return np.sum(np.sqrt(y) * x)


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
        by_a_mask,
        by_a_mask_as_numbers,
        by_steps,
        by_numbers_that_ask,
        by_a_mask_in_place,
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


def variance_by_full_truncation(x, z):
    v = x.copy()
    for _ in range(3):
        positive = np.maximum(v, 0)
        v += z[0] * (0.2 - positive) + z * np.sqrt(positive * 0.1)
    return np.sum(v)


def variance_by_a_mask(x, z):
    v = x
    for _ in range(3):
        v = v + z[0] * np.sqrt(v * (v > 0)) + z * np.sqrt(np.fmax(v, 0))
    return np.sum(v)


def roots_of_what_was_found(x, z):
    v = x
    for _ in range(2):
        v = v + z * np.sqrt(1 - np.clip(v, -1, 1) ** 2)
    return np.sum(v)


def powers_of_what_was_clipped(x, z):
    return np.sum(np.maximum(x, 0) ** 0.3 * z + np.cbrt(np.clip(x * z, 0, None)) * x)


def powers_of_numbers(x, z):
    total = 0.0
    for a, b in zip(x, z, strict=True):
        total += max(a, 0.0) ** 0.3 * b + math.pow(max(b - a, 0.0), 0.7)
    return total


def nothing_on_one_way(x, z):
    total = 0.0
    for a, b in zip(x, z, strict=True):
        tau = 1.0 - a if a < 1 else 0.0
        if b > 0:
            rest = b * a * a
        else:
            rest = 0.0
        cube = tau ** (1 / 3)
        total += tau**0.35 * b + cube * cube * a + np.sqrt(rest * 2) * b
    return total


def angles_times_what_varies(x, z):
    angle = np.arccos(np.clip(x, -1, 1))
    return np.sum(angle * np.sin(angle) * x * z + np.arccosh(np.maximum(x, 1)) * z)


@pytest.mark.parametrize(
    "function",
    [
        powers_of_what_was_clipped,
        powers_of_numbers,
        nothing_on_one_way,
        angles,
        angles_times_what_varies,
        numbers,
        roots_of_what_follows,
        in_place,
        by_a_mask_in_place,
        variance_by_full_truncation,
        variance_by_a_mask,
        roots_of_what_was_found,
    ],
)
@pytest.mark.parametrize("wrt", [0, 1])
def test_what_was_clipped_gets_nothing_of_tangents(function: Callable[..., Any], wrt: int) -> None:
    """Where a state goes on through the steps, its tangent does, too: the root's slope is infinite in both."""
    direction, h = np.array([0.3, -0.2, 0.5, 0.1]), 1e-6
    gradient = grad(function, wrt=wrt)

    def moved(e: float) -> Any:
        place = (X, Z)[wrt] + e * direction
        return gradient(*((place, Z) if wrt == 0 else (X, place)))

    with np.errstate(all="ignore"):
        found = hvp(function, wrt=wrt)(X, direction, Z)
        expected = (moved(h) - moved(-h)) / (2 * h)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    "function",
    [
        angles,
        roots,
        powers_of_numbers,
        nothing_on_one_way,
        angles_times_what_varies,
        numbers,
        broadcast,
    ],
)
def test_tangents_are_zero_where_it_was_clipped(function: Callable[..., Any]) -> None:
    direction = np.array([0.3, -0.2, 0.5, 0.1])
    with np.errstate(all="ignore"):
        found = jvp(function, (X, Z), (direction, None))[1]
    expected = np.sum(numeric_gradient(function, (X, Z), 0, 1.0) * direction)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_products_with_masks_without_roots_stay() -> None:
    text = grad(lambda x: np.sum((x * (x > 0)) ** 2 * np.sqrt(x * x + 1))).source(X)
    assert "np.where" not in text, text
