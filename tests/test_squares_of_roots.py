"""`np.abs(x) ** 2`, `np.linalg.norm(x) ** 2`: squares are smooth where their roots have a kink, in all orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named

from tangentish import grad, hvp, jvp

SQUARES: list[Callable[..., Any]] = []
C, V = np.array([1.0, 2.0]), np.array([1.0, -0.5])
STEP = 1e-5


@kept_in(SQUARES)
def norm(x):
    return np.linalg.norm(x) ** 2


@kept_in(SQUARES)
def norms_of_rows(x):
    return np.sum(np.linalg.norm(np.outer(x, C), axis=1) ** 2 * C)


@kept_in(SQUARES)
def absolute(x):
    return np.sum(np.abs(x) ** 2) + abs(x[0]) ** 2 * x[1] + np.sum(np.square(np.abs(x * C)))


@kept_in(SQUARES)
def spectrum(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


@kept_in(SQUARES)
def distance(x):
    return np.exp(-0.5 * np.linalg.norm(x - C) ** 2)


@kept_in(SQUARES)
def hypotenuse(x):
    return np.hypot(x[0], x[1]) ** 2 + math.hypot(x[0], 2 * x[1]) ** 2


@kept_in(SQUARES)
def deviation(x):
    return np.std(x) ** 2 + np.sum(np.std(np.outer(x, C), axis=0) ** 2)


@kept_in(SQUARES)
def magnitude_of_complex(x):
    return abs(x[0] * 1j + x[1]) ** 2


@pytest.mark.parametrize("x", [np.zeros(2), C, np.ones(2), np.array([0.3, -0.7])], ids=str)
@pytest.mark.parametrize("f", SQUARES, ids=named)
def test_first_and_second_derivatives_everywhere(f, x):
    numeric = [(f(x + STEP * e) - f(x - STEP * e)) / (2 * STEP) for e in np.eye(2)]
    slope = grad(f)
    np.testing.assert_allclose(slope(x), numeric, atol=1e-7)
    np.testing.assert_allclose(jvp(f, (x,), (V,))[1], np.dot(numeric, V), atol=1e-7)
    curved = (slope(x + STEP * V) - slope(x - STEP * V)) / (2 * STEP)
    np.testing.assert_allclose(hvp(f)(x, V), curved, atol=1e-7)


def test_no_root_is_taken_on_the_way_back():
    assert grad(norm).source(C).rstrip().endswith("return dy * 2 * x")
