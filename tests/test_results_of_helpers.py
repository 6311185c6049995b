"""Helpers that return what varies beside what does not: their adjoints take gradients of the former only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad, vjp

FUNCTIONS: list[Callable[..., Any]] = []
X = np.array([0.7, -0.4, 1.3])


def _scaled(v, k):
    return k + 1, v * k, len(v), np.sum(v) * 0.5, "name"


def _halved_until(v, n):
    if n == 0:
        return 0, v
    k, w = _halved_until(v * v, n - 1)
    return k + 1, w / 2


def _either(v, c):
    if c > 0:
        return v**2, 1.0
    return 2.0 * np.ones(3), v[0]


def _stored(a, v):
    a[0] = v[1] * 2
    return a[1], 3


class Body:
    def __init__(self, x, label, mass):
        self.label, self.x, self.mass = label, x, mass

    def moved(self, dt):
        return Body(self.x + dt * self.x**2, self.label, self.mass)


@kept_in(FUNCTIONS)
def among_others(x):
    total = 0.0
    for i in range(3):
        k, w, n, s, _ = _scaled(x, i)
        total += np.sum(w * k) * s / n
    return total


@kept_in(FUNCTIONS)
def only_what_is_constant_is_used(x):
    k, _, n, _, _ = _scaled(x, 2)
    return np.sum(x**2) * k / n


@kept_in(FUNCTIONS)
def of_what_varies_and_what_does_not(x):
    k, w, _, s, _ = _scaled(np.ones(3), 2)
    m, v, _, _, _ = _scaled(x, 3)
    return np.sum(v * w) * s * k * m


@kept_in(FUNCTIONS)
def calls_itself(x):
    k, w = _halved_until(x, 3)
    return np.sum(w) * k


@kept_in(FUNCTIONS)
def one_or_the_other(x):
    v, s = _either(x, 1.0)
    w, t = _either(x, -1.0)
    return np.sum(v * w) * s * t


@kept_in(FUNCTIONS)
def what_it_stores_to(x):
    a = x * 3
    s, k = _stored(a, x)
    return np.sum(a**2) * s * k


@kept_in(FUNCTIONS)
def objects_with_labels(x):
    body = Body(x[0], "a", 2.0)
    for _ in range(3):
        body = body.moved(0.1)
    other = Body(1.0, "b", x[1])
    return body.x * body.mass * other.moved(0.2).mass


SPECIES = ("A", "B")


def _rates(amounts, k):
    rates = {name: 0.0 for name in SPECIES}
    for name, n in (("A", -1), ("B", 1)):
        rates[name] += n * k * amounts["A"]
    return rates


def _moved_and_counted(amounts, k):
    counts = {}
    counts["calls"] = k
    amounts["A"] = amounts["A"] + 1.0
    return counts["calls"]


@kept_in(FUNCTIONS)
def dicts_that_a_helper_fills(x):
    amounts = {"A": 1.0, "B": 0.5}
    for _ in range(3):
        rates = _rates(amounts, x[0] * x[2])
        amounts = {name: amounts[name] + 0.1 * rates[name] for name in SPECIES}
    return amounts["B"] ** 2 * x[1]


@kept_in(FUNCTIONS)
def dicts_that_a_helper_changes_beside_its_own(x):
    amounts = {"A": 1.0, "B": 0.5}
    total = _moved_and_counted(amounts, x[0]) + _moved_and_counted(amounts, x[1])
    return total * amounts["A"] * x[2] * x[0]


def _kept(**parts):
    return parts


@kept_in(FUNCTIONS)
def a_part_of_what_holds_only_empty_dicts(x):
    held = _kept(p={"of": {}})["p"]
    held["of"]["a"] = x[0]
    return held["of"]["a"] ** 2


test_right = each_right(FUNCTIONS, X, np.array([0.3, -0.2, 0.5]))


def test_gradients_of_what_varies_only() -> None:
    assert "def _scaled_adjoint(saved, dy_1, dy_3):" in grad(among_others).source(X)


def _pair_at_rest(n, tol):
    return 3.0 * n, 4.0 * n


def _dict_at_rest(n, tol):
    return {"a": 1.0 * n, "b": 2.0}


@pytest.mark.parametrize("helper", [_pair_at_rest, _dict_at_rest])
def test_pullbacks_of_several_results_that_do_not_vary(helper) -> None:
    def f(n, tol):
        return helper(n, tol)

    value, pullback = vjp(f, 2, 0.5)
    heads = dict.fromkeys(value, 1.0) if isinstance(value, dict) else (1.0, 1.0)
    assert pullback(heads) == (None, 0.0)


def _sums(n, tol):
    return (1.0 * n, 2.0 * n) if n < tol else (3.0 * n, [4.0 * n])


def test_a_pullback_of_what_a_helper_gives_that_does_not_vary() -> None:
    def both(n, tol):
        return _sums(n, tol)

    def named_first(n, tol):
        found = _sums(n, tol)
        return found

    for f in (both, named_first):
        value, pull = vjp(f, 2, 0.5)
        assert value == (6.0, [8.0])
        assert pull((1.0, [1.0])) == (None, 0.0)
