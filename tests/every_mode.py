"""Functions of one array, kept in lists: right in every mode, whatever their text shows, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hessian, hvp, jvp, vjp

Function = Callable[..., Any]


def kept_in(functions: list[Function]) -> Callable[[Function], Function]:
    """A decorator that puts functions into a list."""

    def keep(function: Function) -> Function:
        functions.append(function)
        return function

    return keep


def refused_in(
    refusals: list[tuple[Function, str]],
) -> Callable[[str], Callable[[Function], Function]]:
    """A decorator that puts functions into a list, with a part of the message of their refusal."""

    def refused(reason: str) -> Callable[[Function], Function]:
        def keep(function: Function) -> Function:
            refusals.append((function, reason))
            return function

        return keep

    return refused


def named(function: Function) -> str:
    return function.__name__


def check_refused(function: Function, reason: str, x: np.ndarray) -> None:
    with pytest.raises(NotDifferentiable) as error:
        vjp(function, x)
    assert any(reason in one.message for one in error.value.refusals)


def check_along(function: Function, x: np.ndarray, x_dot: np.ndarray) -> np.ndarray:
    """Gradient, tangent and Hessian product along `x_dot`, against numeric derivatives; the numeric gradient."""
    gradient = grad(function)
    numeric: np.ndarray = numeric_gradient(function, (x,), 0, 1.0)
    assert_close(gradient(x.copy()), numeric, function.__name__)
    assert_close(jvp(function, (x,), (x_dot,))[1], numeric @ x_dot, function.__name__)
    slope = numeric_gradient(lambda z: np.sum(gradient(z) * x_dot), (x,), 0, 1.0)
    assert_close(hvp(function)(x, x_dot), slope, function.__name__)
    return numeric


def after(reset: Callable[[], object], function: Function) -> Function:
    """A function that changes what stands outside, with that put back before each call."""

    def call(*args: Any) -> Any:
        reset()
        return function(*args)

    return call


def check_along_after(
    reset: Callable[[], object], function: Function, x: np.ndarray, x_dot: np.ndarray
) -> np.ndarray:
    """The same as `check_along`, of a function that changes what stands outside."""
    reset()
    gradient, name = after(reset, grad(function)), function.__name__
    numeric: np.ndarray = numeric_gradient(after(reset, function), (x,), 0, 1.0)
    assert_close(gradient(x.copy()), numeric, name)
    assert_close(after(reset, jvp)(function, (x,), (x_dot,))[1], numeric @ x_dot, name)
    slope = numeric_gradient(lambda z: np.sum(gradient(z) * x_dot), (x,), 0, 1.0)
    assert_close(after(reset, hvp(function))(x, x_dot), slope, name)
    return numeric


def check_with_a_number(function: Function, w: float, x: np.ndarray) -> None:
    """Gradients, tangent, pullback and second derivative of a function of a number and an array."""
    step = 1e-6
    slope = (function(w + step, x) - function(w - step, x)) / (2 * step)
    along = (function(w, x + step) - function(w, x - step)) / (2 * step)
    gradients = grad(function, wrt=(0, 1))
    of_w, of_x = gradients(w, x)
    np.testing.assert_allclose(of_w, slope, rtol=1e-6)
    np.testing.assert_allclose(np.sum(of_x), along, rtol=1e-6)
    tangent = jvp(function, (w, x), (1.0, np.ones_like(x)))[1]
    np.testing.assert_allclose(tangent, slope + along, rtol=1e-6)
    np.testing.assert_allclose(vjp(function, w, x)[1](2.0)[0], 2 * slope, rtol=1e-6)
    bent = (gradients(w + 1e-5, x)[0] - gradients(w - 1e-5, x)[0]) / 2e-5
    np.testing.assert_allclose(hvp(function)(w, 1.0, x), bent, rtol=1e-5, atol=1e-7)


def check_in_every_mode(function: Function, x: np.ndarray, x_dot: np.ndarray) -> None:
    """Gradient, tangent and second derivative along `x_dot`, against numeric derivatives."""
    gradient = grad(function)
    numeric = numeric_gradient(function, (x,), 0, 1.0)
    assert_close(gradient(x), numeric, function.__name__)
    _, tangent = jvp(function, (x,), (x_dot,))
    assert_close(tangent, np.sum(numeric * x_dot), function.__name__)
    turned = hessian(function)(x)
    slope = numeric_gradient(lambda z: np.sum(gradient(z) * x_dot), (x,), 0, 1.0)
    assert_close(np.tensordot(x_dot, turned, 2), slope, function.__name__)


def each_right(functions: list[Function], x: np.ndarray, x_dot: np.ndarray) -> Function:
    """A test of each function: right in every mode."""

    @pytest.mark.parametrize("function", functions, ids=named)
    def test(function: Function) -> None:
        check_along(function, x, x_dot)

    return test


def each_right_at_first(functions: list[Function], x: np.ndarray, x_dot: np.ndarray) -> Function:
    """A test of each function whose second derivatives are refused: gradient and tangent along `x_dot`."""

    @pytest.mark.parametrize("function", functions, ids=named)
    def test(function: Function) -> None:
        numeric = numeric_gradient(function, (x,), 0, 1.0)
        assert_close(grad(function)(x.copy()), numeric, function.__name__)
        assert_close(jvp(function, (x,), (x_dot,))[1], numeric @ x_dot, function.__name__)

    return test


def each_refused(refusals: list[tuple[Function, str]], x: np.ndarray) -> Function:
    """A test of each function that is refused, with the reason."""

    @pytest.mark.parametrize(("function", "reason"), refusals, ids=[named(f) for f, _ in refusals])
    def test(function: Function, reason: str) -> None:
        check_refused(function, reason, x)

    return test
