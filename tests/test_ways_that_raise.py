"""Of a branch that raises nothing comes back: the adjoint goes the other way, unless somebody catches the exception."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in, named

from tangentish import grad

X = np.array([0.9, 1.3, 0.7, 1.1])
X_DOT = np.array([0.3, -0.5, 0.8, 0.2])

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


@keep
def raised_in_the_end(x):
    if x[0] > 2:
        y = x**2
    elif x[1] > 1:
        y = np.sin(x) * x[2]
    else:
        raise ValueError("neither")
    return np.sum(y * x)


@keep
def raised_first(x):
    if x[0] > 2:
        raise ValueError("too large")
    y = np.exp(x)
    if np.any(y < 0):
        if x[1] > 0:
            raise ValueError("one")
        else:
            raise ValueError("other")
    else:
        y = y * x[0]
    return np.sum(y)


@keep
def raised_in_a_loop(x):
    total = 0.0
    for k in range(len(x)):
        if x[k] > 5:
            raise ValueError(k)
        elif x[k] > 1:
            total += x[k] ** 3
        else:
            total *= x[k] + 1
    return total


@keep
def caught_here(x):
    total = 0.0
    for k in range(len(x)):
        try:
            if x[k] > 1:
                raise ValueError(k)
            else:
                y = np.sin(x[k])
        except ValueError:
            y = x[k] ** 3 * x[0]
        total += y
    return total


@keep
def suppressed(x):
    total = 0.0
    for v in x:
        y = v**3
        with contextlib.suppress(ValueError):
            if v > 1:
                raise ValueError("enough")
            else:
                y = np.sin(v)
        total += y * x[0]
    return total


def checked(v):
    if v > 1:
        raise ValueError("too large")
    else:
        w = np.sin(v)
    return w * v


@keep
def caught_around_a_call(x):
    total = 0.0
    for v in x:
        try:
            w = checked(v)
        except ValueError:
            w = v**2
        total += w
    return total


@keep
def raised_in_the_end_of_a_try(x):
    y = x * 2
    try:
        y[0] = x[1] * x[2]
    finally:
        if x[0] > 5:
            raise ValueError("late")
        else:
            y[1] = x[0] ** 2
    return np.sum(y * x)


test_it_is_right = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("function", [raised_in_the_end, raised_first, raised_in_a_loop], ids=named)
def test_it_raises_as_before(function: Callable[..., Any]) -> None:
    for x in (X * 0.5, X * 10):
        try:
            function(x)
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)):
                grad(function)(x)
        else:
            grad(function)(x)


def test_no_zeros_for_the_way_that_raises() -> None:
    adjoint = grad(raised_in_the_end).source(X).partition("# return")[2]
    assert "else:" in adjoint
    assert "elif" not in adjoint
    assert "zeros" not in adjoint.partition("if ")[2]
