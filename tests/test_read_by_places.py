"""Helpers that read places of an array: their adjoints add to its gradient where a loop calls them.

An adjoint that makes an array of zeros for every call would make such a loop quadratic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []


def flux(u, i):
    return (u[i + 1] - u[i]) * (u[i] + u[i + 1])


def step(u, k):
    return np.array([u[0] * k, u[1] + u[0], u[2], u[3] * u[1]])


def setter(v, u, i):
    v[i] = u[i] * u[i - 1]


def pick(u, i):
    return u[i]


def two(u, v, i):
    return u[i] * v[i + 1]


def outer(u, i):
    return two(u, u, i) * flux(u, i)


def rec(u, i):
    return u[i] if i == 0 else u[i] * rec(u, i - 1) + 1


def row(m, i):
    return m[i] * 2


def cond(u, i):
    return u[i] if u[i] > 0.5 else u[i - 1] ** 2


def nothing(u, i):
    return u[i] * 0 if i > 100 else 1.0


class G:
    def __init__(self, u):
        self.u = u
        self.n = len(u)

    def at(self, i):
        return self.u[i % self.n]

    def lap(self, i):
        return self.at(i + 1) - 2 * self.at(i) + self.at(i - 1)

    def step(self, i):
        self.u[i] = self.u[i] + 0.1 * self.lap(i)


@kept_in(FUNCTIONS)
def bound_to_what_it_gives(x):
    u = x * 1
    for k in range(3):
        u = step(u, 0.5 + k)
    return u @ u


@kept_in(FUNCTIONS)
def beside_an_array_it_writes_to(x):
    v = np.zeros(4)
    for i in range(4):
        setter(v, x, i)
    return v @ x


@kept_in(FUNCTIONS)
def two_parameters_of_one_array(x):
    s = 0.0
    for i in range(3):
        s += pick(x, i) * two(x, x, i)
    return s * flux(x, 1)


@kept_in(FUNCTIONS)
def handed_on(x):
    s = 0.0
    for i in range(3):
        s += outer(x, i)
    return s


@kept_in(FUNCTIONS)
def that_calls_itself(x):
    s = 0.0
    for i in range(4):
        s += rec(x, i)
    return s


@kept_in(FUNCTIONS)
def rows_and_columns(x):
    m = np.outer(x, x)
    s = 0.0
    for i in range(4):
        s += np.sum(row(m, i) * x) * pick(m[i], 1) * pick(m[:, i], 0)
    return s


@kept_in(FUNCTIONS)
def by_a_condition(x):
    s = 0.0
    for i in range(4):
        s = s + cond(x, i)
    return s * s


@kept_in(FUNCTIONS)
def beside_expressions(x):
    s = 0.0
    for i in range(3):
        y = x * i
        s += flux(y, i) + flux(x * 2, i) + flux(x, i)
    return s


@kept_in(FUNCTIONS)
def no_trips(x):
    s = 0.0
    for i in range(0):
        s += flux(x, i)
    return s + x[0] ** 2


@kept_in(FUNCTIONS)
def views(x):
    s = 0.0
    for i in range(3):
        v = x[1:]
        s += pick(v, i) ** 2 * pick(x[::-1], i)
    return s


@kept_in(FUNCTIONS)
def by_while(x):
    s = 0.0
    i = 0
    while s < 3:
        s += pick(x, i % 4) ** 2 + 1
        i += 1
        if i > 2:
            break
    return s * x[0]


@kept_in(FUNCTIONS)
def written_between(x):
    u = x.copy()
    for i in range(3):
        u[i] = flux(u, i)
        u = u * 1.5
    return u.sum()


@kept_in(FUNCTIONS)
def second_name_written(x):
    u = x.copy()
    w = u
    for i in range(3):
        u[i + 1] = u[i + 1] * flux(u, i) + pick(w, i)
    return u @ x


@kept_in(FUNCTIONS)
def lambdas(x):
    fs = [lambda i: pick(x, i) * 2, lambda i: flux(x, i)]
    s = 0.0
    for i in range(3):
        for f in fs:
            s += f(i)
    return s


@kept_in(FUNCTIONS)
def comprehension(x):
    class_total = [pick(x, i) * flux(x, i) for i in range(3)]
    return sum(class_total)


@kept_in(FUNCTIONS)
def numbers_that_do_not_vary(x):
    s = x[0]
    for i in range(3):
        s = s * nothing(x, i) + pick(x, i)
    return s


@kept_in(FUNCTIONS)
def two_indices(x):
    m = x.reshape(2, 2)
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += pick(m, (i, j)) * pick(m.T, (i, j)) + row(m.T, i)[j]
    return s**2


@kept_in(FUNCTIONS)
def return_inside(x):
    s = 0.0
    for i in range(3):
        if x[i] > 0.5:
            s += flux(x, i)
        else:
            return s * pick(x, i)
    return s


@kept_in(FUNCTIONS)
def names_exchanged(x):
    a, b = x, x * 2
    s = 0.0
    for i in range(3):
        s += two(a, b, i)
        a, b = b, a
    return s


@kept_in(FUNCTIONS)
def captured(x):
    def inner(i):
        return x[i] * x[i + 1]

    s = 0.0
    for i in range(3):
        s += inner(i)
    return s


@kept_in(FUNCTIONS)
def entries_of_a_dict(x):
    d = {"u": x * 2, "v": x}
    s = 0.0
    for i in range(3):
        s += two(d["u"], d["v"], i)
    return s


@kept_in(FUNCTIONS)
def methods(x):
    g = G(x.copy())
    s = 0.0
    for i in range(4):
        s += g.lap(i) ** 2
    return s


@kept_in(FUNCTIONS)
def methods_that_write(x):
    g = G(x.copy())
    for k in range(2):
        for i in range(4):
            g.step(i)
    return g.u @ x


@kept_in(FUNCTIONS)
def list_beside_array(x):
    l = list(x)
    s = 0.0
    for i in range(3):
        s += two(l, x, i)
    return s


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_gradients_given_to_helpers(function: Callable[..., Any]) -> None:
    x = np.array([0.7, 0.4, 0.9, 0.55])
    check_along(function, x, np.array([0.3, -1.0, 0.5, 0.2]))


def differences(u):
    total = 0.0
    for i in range(len(u) - 1):
        total += flux(u, i) ** 2
    return total


def test_no_zeros_for_a_call() -> None:
    text = grad(differences).source(np.ones(3))
    assert text.count("zeros_like") == 1
    assert "du = flux_adjoint(flux_saved, dtotal * 2 * flux_value, du)" in text


def between(u, h):
    total = 0.0
    for i in range(2):
        total += flux(u + h, i) * flux(u, i)
    return total


def test_one_function_for_all_calls() -> None:
    """Where an expression is given elsewhere, which has no gradient to add to, all calls share one adjoint."""
    text = grad(between).source(np.ones(3), 0.5)
    assert text.count("def flux_adjoint") == 1
