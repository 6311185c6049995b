"""Functions of one array, kept in lists by what their text should show, and right in every mode whatever it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numeric import assert_close, numeric_gradient

from tangentish import grad, hessian, jvp

Function = Callable[..., Any]


def kept_in(functions: list[Function]) -> Callable[[Function], Function]:
    """A decorator that puts functions into a list."""

    def keep(function: Function) -> Function:
        functions.append(function)
        return function

    return keep


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
