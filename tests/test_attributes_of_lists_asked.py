"""`try: x.dtype` of a list or a tuple: it has none, and the handler is what runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp

X, X_DOT = np.array([0.7, 0.4]), np.array([0.3, -0.2])


def precision(x):
    try:
        eps = np.finfo(x.dtype).eps * 3
    except (AttributeError, ValueError):
        eps = 0.5
    x = np.asarray(x)
    return np.sqrt(1.0 + eps - np.dot(x, x) * eps)


def in_a_helper(x):
    def weight(v):
        try:
            return v.size * v[0]
        except AttributeError:
            return v[0] * v[1]

    return weight(x) ** 2 * weight([x[0], x[1]]) * weight((x[1], 2.0))


@pytest.mark.parametrize("function", [precision, in_a_helper])
@pytest.mark.parametrize("make", [list, tuple, np.array], ids=["list", "tuple", "array"])
def test_the_handler_runs(function: Any, make: Any) -> None:
    truth = numeric_gradient(lambda z: function(make(z.tolist())), (X,), 0, 1.0)
    assert_close(np.array(grad(function)(make(X.tolist()))), truth, function.__name__)
    tangent = jvp(function, (make(X.tolist()),), (make(X_DOT.tolist()),))[1]
    assert_close(tangent, truth @ X_DOT, function.__name__)
    if make is np.array:
        slope = numeric_gradient(lambda z: grad(function)(z) @ X_DOT, (X,), 0, 1.0)
        assert_close(hvp(function)(X, X_DOT), slope, function.__name__)


def test_without_a_handler_it_is_refused() -> None:
    with pytest.raises(NotDifferentiable, match="the attribute .dtype is not supported here"):
        grad(lambda x: sum(x) * len(x.dtype))([0.7, 0.4])


def test_another_handler_lets_it_pass() -> None:
    def f(x):
        try:
            n = x.ndim
        except TypeError:
            n = 3
        return sum(x) * n

    with pytest.raises((AttributeError, NotDifferentiable)):
        grad(f)([0.7, 0.4])
