"""Arrays that are longer than an argument by a few elements: grids, edges, padding; what is cut off makes them equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp


def on_a_grid(x: Any) -> Any:
    n = len(x)
    z = np.zeros(n + 1)
    z[1:] = np.cumsum(x)
    return np.sum(z[:-1] * x) + np.sum(np.diff(z) ** 2 * x)


def padded(x: Any) -> Any:
    p = np.pad(x, 1)
    return np.sum((p[:-2] + 2 * p[2:]) * x**2)


def around(a: Any) -> Any:
    p = np.pad(a, 1, mode="edge")
    return (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4


def by_helper(x: Any) -> Any:
    u = np.zeros((len(x), 3))
    for _ in range(3):
        u = around(u) * x[:, None] + 1
    v = around(np.outer(x, x))
    return np.sum(u**2) + np.sum(v * np.outer(x, x) * v)


def convolved(x: Any) -> Any:
    k = np.convolve(x, np.array([0.1, 0.2]))
    return np.sum(k[:-1] * x) + np.sum(k[1:] ** 2)


def joined(x: Any) -> Any:
    h = np.concatenate([np.zeros(1), np.cumsum(x)])
    y = np.append(np.append(x, 1.0), x[0])
    return np.sum((h[1:] - h[:-1]) * x * h[1:]) + np.sum(y[:-2] * x) * y[-1]


def in_between(x: Any) -> Any:
    edges = np.linspace(0.0, 1.0, len(x) + 1)
    return np.sum(np.diff(edges) * x**2) + np.sum(0.5 * (edges[1:] + edges[:-1]) * x)


def solved(x: Any) -> Any:
    a = np.diag(np.arange(1.0, len(x) + 1)) + 0.1
    y = np.linalg.solve(a, x)
    return np.sum(y / (2 + x))


def of_known_numbers(x: Any) -> Any:
    n = 4
    t = np.ones(2 * n)
    v = x[0] * t + np.linspace(0, 1, n * 2)
    return np.sum(v**2 * t) * x[1] + np.sum(np.ones(2) * v[:2])


FUNCTIONS = [on_a_grid, padded, by_helper, convolved, joined, in_between, solved, of_known_numbers]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_every_mode(f: Any, n: int) -> None:
    x, v = np.random.default_rng(n).normal(size=(2, n))
    steps = 1e-5 * np.eye(n)
    found = grad(f)(x)
    expected = [(f(x + s) - f(x - s)) / 2e-5 for s in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jvp(f, (x,), (v,))[1], found @ v)
    bent = [(grad(f)(x + s) @ v - grad(f)(x - s) @ v) / 2e-5 for s in steps]
    np.testing.assert_allclose(hvp(f)(x, v), bent, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_does_not_ask(f: Any) -> None:
    assert "unbroadcast(" not in grad(f).source(np.ones(5)).replace("$", "")


def integers(x: Any, n: Any, m: Any) -> Any:
    z = np.zeros(n + 1)
    z[: m + 1] += x[: m + 1]
    w = np.ones(m + 3)[: n + 1]
    return np.sum(z * w * z)


@pytest.mark.parametrize(("n", "m"), [(4, 2), (4, -1), (2, 0), (3, 1), (0, 0), (1, 0)])
def test_integers_given(n: int, m: int) -> None:
    x = np.random.default_rng(0).normal(size=n + 1)
    try:
        integers(x, n, m)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - the same as the function
            grad(integers)(x, n, m)
        return
    steps = 1e-5 * np.eye(n + 1)
    expected = [(integers(x + s, n, m) - integers(x - s, n, m)) / 2e-5 for s in steps]
    np.testing.assert_allclose(grad(integers)(x, n, m), expected, atol=1e-7)
