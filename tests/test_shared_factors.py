"""Terms of a gradient that end in the same factor are multiplied with it once: hill curves, joint angles, filters."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad

Program = Callable[..., Any]


def hill(conc, h):
    return np.sum(conc**h / (0.7 + conc**h))


def on_a_sphere(lat, radius):
    return (radius + 1.5) * np.cos(lat) * 0.3 + (radius + 1.5) * np.cos(lat) * radius - radius


def pendulum(d, w):
    return -w * np.sin(d) + w**2 * np.sin(d) / 3.0


def integers_beside(x, n):
    """The sum of integers comes after the product with what is no integer."""
    return np.sum(n * np.tanh(x) + n**2 * np.tanh(x))


def of_several_shapes(x, w):
    return np.sum(x[:, None] * np.exp(w) + x * np.exp(w) + np.exp(w))


def weighted_squares(r, s):
    return 0.5 / s**2 * r @ r


X, W = np.array([0.4, 1.3, 0.8]), np.array([1.1, 1.7, 0.3])
CASES = [
    (hill, (X, 1.7)),
    (on_a_sphere, (0.4, 1.2)),
    (pendulum, (0.4, 1.2)),
    (pendulum, (X, W)),
    (pendulum, (X, 1.2)),
    (pendulum, (0.4, W)),
    (weighted_squares, (X, 1.2)),
    (integers_beside, (X, np.array([100, 120, 3], np.int8))),
    (of_several_shapes, (X, W)),
    (of_several_shapes, (X, 0.4)),
    (of_several_shapes, (X[:0], W[:0])),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_right(function: Program, args: tuple[Any, ...]) -> None:
    wrt = tuple(k for k, a in enumerate(args) if np.asarray(a).dtype.kind == "f")
    gradients = grad(function, wrt=wrt)(*args)
    for k, gradient in zip(wrt, gradients, strict=True):
        wanted = numeric_gradient(function, args, k, 1.0)
        assert_close(gradient, wanted, f"{function.__name__}, argument {k}")


@pytest.mark.parametrize(
    ("function", "args", "once"),
    [
        (hill, (X, 1.7), "power_slope(conc, h)"),
        (on_a_sphere, (0.4, 1.2), "np.sin(lat)"),
        (pendulum, (X, W), "np.cos(d)"),
    ],
)
def test_once(function: Program, args: tuple[Any, ...], once: str) -> None:
    assert grad(function).source(*args).count(once) == 1


def test_squares_that_a_number_is_multiplied_with_first_are_one_term() -> None:
    text = grad(weighted_squares).source(X, 1.2)
    assert "dy * (2 * r * t)" in text, text
