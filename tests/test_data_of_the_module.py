"""Data that stand in the module: arrays of two elements or more are as long as what they meet, wherever they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
W, W_DOT = np.array([0.7, 1.4, 0.9]), np.array([1.0, -2.0, 0.5])
X = np.linspace(0.2, 1.9, 12).reshape(4, 3)
Y, T, LABELS = np.array([1.0, -1.0, 1.0, -1.0]), np.linspace(0.0, 1.0, 4), np.array([1, 0, 2, 2])
SETTINGS = {"weights": np.array([0.5, 1.0, 2.0, 0.1])}
PARTS = [np.array([1.0]), np.array([1.0, 2.0, 3.0])]


@followed
def squares(w):
    return np.mean((X @ w - Y) ** 2)


@followed
def fitted(w):
    model = w[0] * np.exp(-w[1] * T) + w[2]
    return np.sum(((model - Y) * SETTINGS["weights"]) ** 2)


@followed
def logistic(w):
    return np.sum(np.log(1 + np.exp(-Y * (X @ w)))) + 0.1 * w @ w


@followed
def likelihood(w):
    z = np.outer(X @ w, w)
    z = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -z[np.arange(len(LABELS)), LABELS].mean()


@followed
def by_parts(w):
    s = 0.0
    for part in PARTS:
        s += np.sum(part * w * PARTS[0])
    return s * np.sum(w * PARTS[1])


@followed
def with_what_is_given(w):
    return np.sum((w + X) * np.append(w, w[0])[:, None] * T[:, None])


@followed
def by_row(w):
    s = 0.0
    for row, y in zip(X, Y):
        s += (row @ w - y) ** 2
    return s / len(Y)


test_right = each_right(FUNCTIONS, W, W_DOT)


@pytest.mark.parametrize("function", [squares, fitted, logistic, likelihood])
def test_text(function: Callable[..., Any]) -> None:
    text = grad(function).source(W)
    assert "unbroadcast" not in text and "full" not in text, text


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_other_data(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """Of one element, or of none, each is looked at anew."""
    x, y = np.full((n, 3), 0.3), np.linspace(-1.0, 1.0, n)
    gradients = {function: grad(function) for function in (logistic, by_row)}
    for gradient in gradients.values():
        gradient(W)
    for names in ({"X": x}, {"X": x, "Y": y}, {"X": X, "Y": y}):
        for name, value in names.items():
            monkeypatch.setitem(globals(), name, value)
        for function, gradient in gradients.items():
            try:
                function(W)
            except (ValueError, ZeroDivisionError) as error:
                with pytest.raises(type(error)):
                    gradient(W)
                continue
            numeric = numeric_gradient(function, (W,), 0, 1.0)
            assert_close(gradient(W), numeric, function.__name__)
            slope = numeric_gradient(lambda z: gradient(z) @ W_DOT, (W,), 0, 1.0)
            assert_close(hvp(function)(W, W_DOT), slope, function.__name__)
