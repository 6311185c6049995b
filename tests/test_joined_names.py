"""A gradient has one name, and no copy, where nobody needs what it was: and two where somebody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad, value_and_grad, vjp

Function = Callable[..., Any]
FUNCTIONS: list[Function] = []
X = np.array([0.7, -0.4, 1.3, 0.9])


@kept_in(FUNCTIONS)
def leapfrog(x):
    q, p = x[:2] * 1.0, x[2:] * 1.0
    for _ in range(3):
        q = q + 0.1 * p
        p = p - 0.1 * q**3
    q = q + 0.1 * p
    p = p - 0.05 * q**3
    return np.sum(p**2) + np.sum(q**4)


@kept_in(FUNCTIONS)
def summed_from_several_branches(x):
    terms = []
    if len(x) > 0:
        terms.append(x[0] * x[1])
    if len(x) > 1:
        terms.append(x[0] * x[2])
    return sum(terms)


@kept_in(FUNCTIONS)
def still_needed_behind_the_loop(x):
    r = np.sin(x)
    z = r.copy()
    for i in range(3):
        z[i] = z[i + 1] * r[i]
    return np.sum(z * r) + np.sum(r[1:] ** 2)


@kept_in(FUNCTIONS)
def copied_and_then_stored_to(x):
    r = x**2
    z = r.copy()
    z[0] = z[1] * 3
    z[2] *= x[0]
    return np.sum(z**2)


@kept_in(FUNCTIONS)
def copied_while_another_needs_it(x):
    w = x**2
    z = x * 2
    z[0] = 3 * z[1]
    r = z + w
    return np.sum(r**2)


@kept_in(FUNCTIONS)
def copied_behind_another_line(x):
    w = x**2
    z = x * 2
    z[0] = 3 * z[1]
    c = np.sum(x) ** 2
    r = z + w
    return np.sum(r**2) * c


@kept_in(FUNCTIONS)
def copied_in_a_loop_while_another_needs_it(x):
    w = x**2
    for i in range(3):
        z = x * i
        z[i] = 3 * z[i + 1]
        w = z + w
    return np.sum(w**2)


@kept_in(FUNCTIONS)
def both_go_on(x):
    y = np.cos(x)
    z = y
    y = y * x
    for i in range(2):
        z = z * (x + i)
    return np.sum(y * z)


@kept_in(FUNCTIONS)
def set_on_one_way_only(x):
    y = x * 2
    s = np.sum(y)
    if x[0] > 0:
        y = y * x
    else:
        y = y * y
    return s * np.sum(y) + y[0]


@kept_in(FUNCTIONS)
def set_on_every_trip(x):
    a, b = x * 1.5, x * 0.5
    for i in range(3):
        a, b = b * x, a
        if i == 1:
            b = b * a
    return np.sum(a * b)


@kept_in(FUNCTIONS)
def iterated_matrix(x):
    a = x.reshape(2, 2)
    y = a / np.sum(a**2)
    for _ in range(3):
        r = np.eye(2) - a @ y
        y = y + y @ r
    return np.sum(y**2)


@kept_in(FUNCTIONS)
def ends_of_rows(x):
    u = x * 1.0
    for _ in range(3):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        u = u + 0.1 * lap
        u[0] = u[1]
        u[-1] = u[-2] * u[-1]
    return np.sum(u**2)


@kept_in(FUNCTIONS)
def ends_of_matrices(x):
    u = np.outer(x, x)
    for _ in range(2):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - u[:-2]
        u = u + 0.1 * lap
        u[0] = u[1]
        u[-1] = u[-2] * u[-1]
    return np.sum(u**2)


@kept_in(FUNCTIONS)
def solved_and_needed(x):
    a = np.diag(x**2 + 1.0) + 0.3
    b = np.sin(x)
    y = np.linalg.solve(a, b)
    z = np.linalg.solve(a, y + b)
    return np.sum(y * z)


@kept_in(FUNCTIONS)
def parts_of_a_sum(x):
    out = np.zeros(3)
    for i in range(2):
        out += x[i] * x[i : i + 3]
    return np.mean(np.maximum(out, 0.1))


@kept_in(FUNCTIONS)
def broadcast_and_changed(x):
    out = np.zeros((2, len(x)))
    row = x * 2
    for i in range(2):
        out += row * (i + 1)
        row = row * x
        out[i] *= row
    return np.sum(out**2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function: Function) -> None:
    check_along(function, X, np.array([0.3, -0.2, 0.5, 0.1]))
    given = X.copy()
    value, pull = vjp(function, given)
    first = pull(1.0)[0]
    np.testing.assert_array_equal(first, pull(1.0)[0])
    np.testing.assert_allclose(first, value_and_grad(function)(given)[1], rtol=1e-13)
    np.testing.assert_array_equal(given, X)
    assert value == function(X)


def steps_of_an_array(y0, n):
    y = y0
    for _ in range(n):
        y = y * y
    return y


@pytest.mark.parametrize("n", [0, 1, 2])
def test_gradients_alias_nothing(n: int) -> None:
    """A head gradient is the caller's, and so is not handed back without a copy."""
    head = np.array([1.0, 2.0])
    _, pull = vjp(steps_of_an_array, np.array([0.5, 3.0]), n)
    gradient = pull(head)[0]
    assert not np.shares_memory(gradient, head)
    np.testing.assert_allclose(gradient, head * 2**n * np.array([0.5, 3.0]) ** (2**n - 1))


def text_of(function: Function) -> str:
    return grad(function).source(X)


def steps_of_a_particle(q, p, n):
    for _ in range(n):
        q = q + 0.1 * p
        p = p - 0.1 * q**3
    q = q + 0.1 * p
    p = p - 0.05 * q**3
    return np.sum(p**2) + np.sum(q**4)


def test_texts() -> None:
    source = grad(steps_of_a_particle, wrt=(0, 1)).source(X, X, 3)
    assert "dq_1" not in source
    assert ".copy()" not in source
    assert ".copy()" not in text_of(ends_of_rows).replace("lap_tape.copy()", "")
    assert "g = d" not in text_of(iterated_matrix)
    assert "unbroadcast" in text_of(parts_of_a_sum)
    assert ").copy()" not in text_of(parts_of_a_sum)
