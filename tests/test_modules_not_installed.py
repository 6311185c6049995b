"""Functions of modules that are not there, on ways that are not taken: calls of them raise where they are reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

try:
    import symbolic_mathematics  # type: ignore[import-not-found]

    HAS_SYMBOLS = True
except ImportError:
    HAS_SYMBOLS = False

tensors: Any = None
RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


@kept_in(RIGHT)
def under_a_flag(x):
    if HAS_SYMBOLS and isinstance(x, symbolic_mathematics.Expr):
        return symbolic_mathematics.sin(x)
    return np.sum(np.sin(x))


@kept_in(RIGHT)
def none_for_a_module(x):
    if HAS_SYMBOLS:
        x = tensors.asarray(x) * 2
    return np.sum(x**3)


@kept_in(RIGHT)
def function_of_that_module(x):
    if not HAS_SYMBOLS:
        return x[0] * x[1] ** 2
    return from_symbols(x)  # noqa: F821


test_right = each_right(RIGHT, X, X_DOT)


def of_long_arrays(x):
    y = x * 2
    if len(x) > 2:
        y = tensors.sin(y)
    return np.sum(y * x)


def of_long_arrays_by_name(x):
    if len(x) > 2:
        x = from_symbols(x)  # noqa: F821
    return np.sum(x)


@pytest.mark.parametrize("function", [of_long_arrays, of_long_arrays_by_name])
def test_the_same_exception_where_it_is_reached(function: Callable[..., Any]) -> None:
    x = np.ones(4)
    with pytest.raises((AttributeError, NameError)) as expected:
        function(x)
    with pytest.raises(type(expected.value)) as raised:
        grad(function)(x)
    assert str(raised.value) == str(expected.value)


def test_the_module_is_found_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.ones(3)
    with pytest.raises(AttributeError):
        grad(of_long_arrays)(x)
    with pytest.raises(NameError):
        grad(of_long_arrays_by_name)(x)
    monkeypatch.setitem(globals(), "tensors", np)
    monkeypatch.setitem(globals(), "from_symbols", np.cos)
    np.testing.assert_allclose(grad(of_long_arrays)(x), np.sin(2) + 2 * np.cos(2) * x)
    np.testing.assert_allclose(grad(of_long_arrays_by_name)(x), -np.sin(x))
