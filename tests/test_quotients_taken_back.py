"""What is divided by t and multiplied by t again is left as it was: `dy * p / p`, `dt / t * t`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


@kept
def entropies(x):
    p = np.exp(x) / np.sum(np.exp(x))
    return -np.sum(p * np.log(p)) - p[0] * np.log(p[0])


@kept
def of_powers(x):
    s = 0.0
    for i in range(3):
        s += min(x[0] / (i + 2) ** x[1], 1.0) + x[i] * np.log(x[i])
    return s


@kept
def of_matrices_and_rows(x):
    a = np.outer(x, x)
    return np.sum(a * np.log(a)) + np.sum(a / x * np.log(a / x))


@kept
def of_one_that_is_broadcast(x):
    return np.sum((x[0] * np.log(x)) * x) + np.sum(x * np.log(x[0] / x))


@kept
def written_to_in_between(x):
    y = x.copy()
    for i in range(4):
        y[i] = y[i] * np.log(y[i] + 1.0)
        y[i] /= x[i]
    return y @ y


@kept
def einsums(x):
    t = np.outer(x, x)
    same = np.einsum("ij,ij->", t, t) + np.einsum("ij,ij", t, np.sin(t))
    return same + np.einsum("ii", t) + np.einsum("ij,ji->", t, t * x)


@kept
def of_a_factor_below(x):
    t, k = x[0], x[1]
    y = np.sum(x**2) / (4 * np.pi * t) + x / (2 * k * t) + x[2] / (t * (2 * k))
    z = (x**2 / (x * np.sin(x))) * k / (k**2 * x)
    return np.sum(y * z)


@kept
def of_a_factor_that_is_broadcast(x):
    m = np.outer(x, x)
    return np.sum(m / (x * x[0])) + np.sum(x[1] / (m * x) * x) + np.sum(x / (x[:2, None] * x))


@kept
def of_a_complex_factor(x):
    z = x[0] / (2j * x[1]) + x[2] / (1j * np.pi * x)
    return np.sum(np.abs(z) ** 2)


@kept
def of_logarithms(x):
    y = np.log(3 * x[0]) + np.log(x[1] * 4.0) + 0.5 * np.log(2 * np.pi * x[2] ** 2)
    s = np.log(2 * np.pi * x) - np.log(x[0] * x * x[1]) + np.log(2 * x[:2, None] * x)
    return y * np.sum(s) + np.sum(np.log(2j * x).real)


def normal(v: Any) -> Any:
    return 0.5 * np.sum(np.log(2 * np.pi * v))


def well(q: Any, t: Any) -> Any:
    return q / (4 * np.pi * t)


def entropy(p: Any) -> Any:
    return np.sum(p * np.log(p))


def one_entropy(p: Any) -> Any:
    return p[0] * np.log(p[0])


def squared(t: Any) -> Any:
    return np.einsum("ijk,ijk->", t, t)


def curvature(x: Any, h: Any) -> Any:
    return np.sum(np.diff(x, 2) ** 2) / h**2


def unlikely(m: Any) -> Any:
    return np.sum(np.log(1 / (1 + np.exp(m))))


def test_squares_of_divisors() -> None:
    assert "/ h ** 2 * 2" not in grad(curvature, wrt="h").source(X, 0.3)
    h, eps = 0.3, 1e-6
    slope = (curvature(X, h + eps) - curvature(X, h - eps)) / (2 * eps)
    assert grad(curvature, wrt="h")(X, h) == pytest.approx(slope)
    assert grad(curvature, wrt="h")(X, np.float32(h)).dtype == np.float32
    assert "return -dy / (1 + t) * t" in grad(unlikely).source(X)
    np.testing.assert_allclose(grad(unlikely)(X), -1 / (1 + np.exp(-X)))


@pytest.mark.parametrize(
    ("function", "lacking", "shape"),
    [
        (normal, "/ (2", 3),
        (entropy, "p / p", 3),
        (one_entropy, "p[0] / p[0]", 3),
        (squared, "ijk->ijk", (2, 2, 2)),
    ],
)
def test_text(function: Any, lacking: str, shape: Any) -> None:
    assert lacking not in grad(function).source(np.ones(shape))


def test_a_factor_below_is_gone() -> None:
    assert "* (4 * np.pi)" not in grad(well, wrt="t").source(1.0, 2.0)
    assert grad(well, wrt="t")(3.0, 2.0) == pytest.approx(-3 / (16 * np.pi))
    assert grad(well, wrt="t")(np.float32(3), np.float32(2)).dtype == np.float32


def test_single_precision_stays() -> None:
    x = X.astype(np.float32)
    slope = grad(entropy)(x)
    assert slope.dtype == np.float32
    np.testing.assert_allclose(slope, np.log(X) + 1, rtol=1e-5)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
