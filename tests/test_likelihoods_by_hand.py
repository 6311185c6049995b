"""Sums of squares and likelihoods, whose gradients are short by hand: `dy * r` of `0.5 * r @ r`, and a number's count."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.4, 0.9, 0.3]), np.array([1.0, -2.0, 0.5, 0.8])


@followed
def half_a_square(x):
    r = x - x[0] ** 2
    return 0.5 * r @ r


@followed
def density(x):
    r = x - 1.2
    return np.exp(-0.5 * r @ r / 3.0)


@followed
def weighed(x):
    lam = x[0]
    w = x * x
    return np.dot(lam * w, w) + np.inner(0.1 * w, x) + np.vdot(x, 2.0 * w) - 0.5 * x @ w


@followed
def sums_of_what_a_number_is_a_factor_of(x):
    c, w = np.sin(x[0]), np.exp(x)
    return sum(c * w) * math.fsum(x[1] * w) + np.trapezoid(c * w) + np.trapezoid(x[2] * w, dx=c)


@followed
def a_norm_whose_dtype_is_not_known(x):
    y = np.asarray([x[0], x[1] ** 2], dtype=np.dtype(x.dtype.name))
    return np.linalg.norm(y) * 3.0


@followed
def factors_of_matrices(x):
    m = np.outer(x, x)
    return np.sum(0.5 * m @ m) + np.sum((0.5 * x) @ m) + np.sum(x * 0.5 @ m)


@followed
def normal(x):
    sigma = x[3]
    return np.sum(-0.5 * ((x - x[1]) / sigma) ** 2 - np.log(sigma))


@followed
def offsets(x):
    m = np.outer(x, x[:2])
    return (
        np.sum(x[0] + m) + np.sum(m * x[:2] - x[3] ** 2) + np.mean(x[1] - x) + np.sum(x[2] + 0 * X)
    )


@followed
def offset_of_rows(x):
    s = 0.0
    for k in range(2):
        y = x[k:] * 2
        s = s + np.sum(x[k] - y) * np.sum(np.exp(x[3]) + np.sin(y))
        y = y[:1]
        s = s * np.sum(x[2] + y)
    return s


test_right = each_right(FUNCTIONS, X, X_DOT)


def log_likelihood(x, mu, sigma):
    return np.sum(-0.5 * ((x - mu) / sigma) ** 2 - np.log(sigma))


def exponential(rate, t):
    return np.sum(np.log(rate) - rate * t)


def test_texts() -> None:
    assert "return dy * r" in grad(lambda r: 0.5 * r @ r).source(X)
    assert "dy * x.size" in grad(log_likelihood, wrt="sigma").source(X, 0.5, 1.2)
    assert "dy * t.size" in grad(exponential).source(0.5, X)


def test_numbers_of_arrays_of_float32() -> None:
    x = X.astype(np.float32)
    gradient = grad(log_likelihood, wrt="sigma")(x, 0.5, 1.2)
    assert_close(
        gradient, numeric_gradient(log_likelihood, (X, 0.5, 1.2), 2, 1.0), "sigma", np.float32
    )
    assert np.isscalar(grad(exponential)(np.float32(0.5), x))
