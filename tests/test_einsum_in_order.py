"""Gradients of np.einsum of several operands: another einsum, in the order of products that the function asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp

RNG = np.random.default_rng(5)
R, U, V = RNG.normal(size=(3, 3, 3)), RNG.normal(size=3), RNG.normal(size=3)


def chart(r: Any, u: Any, v: Any) -> Any:
    b = np.zeros((5, 3))
    b[0], b[1] = u, v
    for k in range(2, 5):
        b[k] += np.einsum("abc,b,c->a", r, b[k - 2], b[k - 1]) * 0.5
    return np.sum(b[4] ** 2)


def optimised(r: Any, u: Any, v: Any) -> Any:
    return np.sum(np.einsum("abc,bd,dc->a", r, np.outer(u, v), r[0], optimize=True) ** 2)


def greedy(r: Any, u: Any, v: Any) -> Any:
    return np.sum(np.einsum("abc,b,c", r, u**2, v, optimize="greedy") ** 2)


def along_a_path(r: Any, u: Any, v: Any) -> Any:
    path = ["einsum_path", (1, 2), (0, 1)]
    return np.sum(np.einsum("abc,b,c->a", r, u, v, optimize=path) ** 2)


def chosen(r: Any, u: Any, v: Any) -> Any:
    ordered = len(u) > 2
    return np.sum(np.einsum("abc,b,c->a", r, u, v, optimize=ordered) ** 2)


def diagonal(r: Any, u: Any, v: Any) -> Any:
    return np.einsum("aab,b,c->", r, u, v, optimize=True) ** 2


def widened(r: Any, u: Any, v: Any) -> Any:
    one = np.sum(u, keepdims=True)
    return np.sum(np.einsum("abc,b,c->a", r, one, v) ** 2) + np.sum(
        np.einsum("b,b->b", one, v) ** 2
    )


def of_unknown_lengths(r: Any, u: Any, v: Any) -> Any:
    n = int(np.sum(v > -9))
    total = 0.0
    for k in range(n):
        total += np.einsum("b,c,bc->", u[:k], v[:n], r[0][:k])
    return total**2


FUNCTIONS = [
    chart, optimised, greedy, along_a_path, chosen, diagonal, widened, of_unknown_lengths,
]  # fmt: skip


def numeric(f: Any, x: Any) -> Any:
    found = np.zeros_like(x)
    for k in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[k] = 1e-5
        found[k] = (f(x + step) - f(x - step)) / 2e-5
    return found


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_every_mode(f: Any) -> None:
    gradients, w = grad(f, wrt=(0, 1, 2))(R, U, V), RNG.normal(size=3)
    expected = (
        numeric(lambda r: f(r, U, V), R), numeric(lambda u: f(R, u, V), U), numeric(lambda v: f(R, U, v), V),
    )  # fmt: skip
    for found, difference in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(found, difference, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jvp(f, (R, U, V), (R * 0, w, V * 0))[1], gradients[1] @ w)
    bent = numeric(lambda u: grad(f, wrt=1)(R, u, V) @ w, U)
    np.testing.assert_allclose(hvp(f, wrt=1)(R, w, U, V), bent, rtol=1e-5, atol=1e-6)


def test_the_order_goes_with_the_gradient() -> None:
    text = grad(optimised, wrt=(0, 1, 2)).source(R, U, V)
    assert text.count("np.einsum(") == text.count(", optimize=True)")


def test_lengths_that_have_to_be_equal_are() -> None:
    text = grad(chart, wrt=(0, 1, 2)).source(R, U, V)
    assert "einsum_adjoint" not in text
    assert "unbroadcast" not in text
    assert "tape" not in text


@pytest.mark.parametrize("n", [1, 4])
def test_axes_of_length_one(n: int) -> None:
    def f(x: Any, w: Any) -> Any:
        return np.sum(np.einsum("ij,jk->ik", x, w, optimize=True) ** 2)

    x, w = RNG.normal(size=(2, n)), RNG.normal(size=(4, 3))
    dx, dw = grad(f, wrt=(0, 1))(x, w)
    np.testing.assert_allclose(dx, numeric(lambda x: f(x, w), x), atol=1e-7)
    np.testing.assert_allclose(dw, numeric(lambda w: f(x, w), w), atol=1e-7)
