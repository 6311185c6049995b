"""An object whose class has a `__call__` is differentiated as the method that its call runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import check_grad, differentiate, grad, hessian, hvp, jvp, value_and_grad, vjp

X, V = np.array([0.7, 1.4]), np.array([1.0, -2.0])


def first(gradients: Any) -> Any:
    """With respect to x, of those of all arguments."""
    return gradients[0] if isinstance(gradients, tuple) else gradients


class Misfit:
    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x, k=3.0):
        return np.sum(self.weights * x**k)


class Damped(Misfit):
    @differentiate
    def __call__(self, x):
        return np.sum(np.sin(x) * self.weights)


@pytest.mark.parametrize("made", [Misfit, Damped])
def test_first_and_second_derivatives(made: Any) -> None:
    misfit = made(np.array([3.0, 4.0]))
    expected = numeric_gradient(misfit, (X,), 0, 1.0)
    along = (grad(misfit)(X + 1e-6 * V) - grad(misfit)(X - 1e-6 * V)) / 2e-6
    np.testing.assert_allclose(grad(misfit)(X), expected, rtol=1e-6)
    np.testing.assert_allclose(value_and_grad(misfit)(X)[1], expected, rtol=1e-6)
    np.testing.assert_allclose(first(vjp(misfit, X)[1](1.0)), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(misfit, (X,), (V,))[1], expected @ V, rtol=1e-6)
    np.testing.assert_allclose(hvp(misfit)(X, V), along, rtol=1e-6)
    np.testing.assert_allclose(hessian(misfit)(X) @ V, along, rtol=1e-6)
    check_grad(misfit, X)


def test_what_the_object_holds_is_read_at_every_call() -> None:
    misfit = Misfit(np.array([3.0, 4.0]))
    gradient = grad(misfit)
    before = gradient(X)
    misfit.weights = misfit.weights * 2.0
    np.testing.assert_allclose(gradient(X), 2.0 * before)
    np.testing.assert_allclose(gradient(X, k=1.0), misfit.weights)


def test_text_is_called_after_the_method() -> None:
    text = grad(Misfit(np.array([3.0, 4.0]))).source(X)
    assert text.startswith("def call_grad(self, x, k=3.0, dy=1.0):")


def test_an_object_is_not_decorated() -> None:
    with pytest.raises(TypeError, match="decorate the __call__ of its class"):
        differentiate(Misfit(1.0))


def test_what_libraries_make_is_no_function() -> None:
    with pytest.raises(TypeError, match="wrap it in a function"):
        grad(np.poly1d([1.0, 2.0]))
