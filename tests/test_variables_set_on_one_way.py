"""Variables that a function inside captures, which have a value on some ways only: it may not read them on the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in

from tangentish import grad, hvp, jvp

SET: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


@kept_in(SET)
def a_number(x, told):
    def inner(v):
        if v > 0:
            return c * v
        return v * v

    if told:
        c = x[1]
    return inner(x[0] if told else -x[0])


@kept_in(SET)
def an_array(x, told):
    if told:
        c = x * 2

    def inner(v, use):
        if use:
            return np.sum(c * v)
        return np.sum(v * v)

    return inner(x, told)


@kept_in(SET)
def a_constant(x, told):
    if told:
        c = np.array([1.0, 2.0])
    return (lambda v: v @ c if told else v @ v)(x)


@kept_in(SET)
def a_pair(x, told):
    if told:
        c = (x[0], x[1] * 2)

    def inner(v):
        return c[0] * v * c[1] if told else v * v

    return inner(x[1])


class Held:
    def __init__(self, a):
        self.a = a


@kept_in(SET)
def an_object(x, told):
    if told:
        c = Held(x[0])

    def inner(v):
        return v * c.a if told else v * v

    return inner(x[1])


@kept_in(SET)
def in_a_loop(x, told):
    s = 0.0
    for k in range(3):
        if k > 0 and told:
            c = x * k

        def inner(v, use):
            if use:
                return np.sum(c * v)  # noqa: B023
            return np.sum(v * v)

        s = s + inner(x * k, told and k > 0)
    return s


@kept_in(SET)
def a_loop_without_trips(x, told):
    for k in range(int(told)):
        c = x[0] + k
    return sum(c * k if told else x[1] * k for k in range(3))


@kept_in(SET)
def by_one_that_calls_another(x, told):
    if told:
        c = x[0]

    def product(v):
        return c * v

    def inner(v):
        return product(v) if told else v * v

    return inner(x[1])


@kept_in(SET)
def by_one_that_calls_itself(x, told):
    if told:
        c = x[0]

    def inner(v, n):
        if n == 0:
            return v * c if told else v * v
        return inner(v * 1.1, n - 1)

    return inner(x[1], 3)


@kept_in(SET)
def read_here_too(x, told):
    if told:
        c = x * 1.0

    def inner(v):
        if told:
            c[0] = v
            return c[1] * v * c[0]
        return v * v

    y = inner(x[0])
    if told:
        y = y + c[0] * c[1]
    return y


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("function", SET, ids=lambda f: f.__name__)
def test_right(function: Callable[..., Any], told: bool) -> None:
    def f(x):
        return function(x, told)

    check_along(f, X, X_DOT)
    np.testing.assert_allclose(grad(function)(X, told), grad(f)(X))


def test_raised_as_in_python() -> None:
    def f(x, told, read):
        if told:
            c = x[0]

        def inner(v):
            if read:
                return c * v
            return v * v

        return inner(x[1])

    np.testing.assert_allclose(grad(f)(X, False, False), [0.0, 2.6])
    for derivative in (
        lambda: grad(f)(X, False, True),
        lambda: jvp(f, (X, False, True), (X_DOT, None, None)),
        lambda: hvp(f)(X, X_DOT, False, True),
    ):
        with pytest.raises(NameError, match="free variable 'c'"):
            derivative()


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("function", [a_number, an_array, a_constant, by_one_that_calls_another])
def test_compiled(function: Callable[..., Any], told: bool) -> None:
    pytest.importorskip("numba")
    compiled = grad(function, compile="numba")(X, told)
    np.testing.assert_allclose(compiled, grad(function)(X, told))


def test_read_on_every_way() -> None:
    """What is called raises beforehand then: nothing is asked there."""

    def f(x, n):
        for k in range(n):
            c = x * k
        inner = lambda v: np.sum(c * v)  # noqa: E731
        return inner(x)

    assert "captured" not in grad(f).source(X, 2)
    with pytest.raises(NameError, match="'c'"):
        grad(f)(X, 0)
