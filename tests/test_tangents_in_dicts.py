"""Second derivatives of dicts whose keys are computed: where all that is stored is linear, tangents do not vary."""

import collections
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad, hessian, hvp

FUNCTIONS: list[Any] = []
KEYS = ("a", "b", "a", "c", "b")
X = np.array([0.3, 0.8, 0.6, 1.3, 0.4])
X_DOT = np.array([0.4, -0.3, 0.9, 0.2, 1.0])


@kept_in(FUNCTIONS)
def last_and_best(x):
    best = {}
    for side, price in zip(KEYS, x):
        if side not in best or price > best[side]:
            best[side] = price
    return best["a"] - best["b"]


@kept_in(FUNCTIONS)
def totals(x):
    total = collections.defaultdict(float)
    for key, v in zip(KEYS, x):
        total[key] += v
    return total["a"] - total["b"]


@kept_in(FUNCTIONS)
def lists_under_names(x):
    history = {"a": [], "b": []}
    for k, v in enumerate(x):
        for name, value in zip("ab", (v * x[0], v**2)):
            history[name].append(value)
    return history["a"][-1] ** 2 + max(history["b"]) * history["b"][0]


@kept_in(FUNCTIONS)
def doubled_arrays(x):
    rows = {}
    for key, v in zip(KEYS, x):
        rows[key] = x * 2
    return rows["a"][0] + rows["b"][1]


@kept_in(FUNCTIONS)
def only_keys_that_are_there(x):
    d = {"a": x[0], "b": 2.0}
    for key, v in zip(KEYS, x):
        if key in d:
            d[key] = v
    return d["a"] + d["b"]


@kept_in(FUNCTIONS)
def linear_under_some_keys(x):
    d = {}
    for key, v in zip(KEYS, x):
        if key == "a":
            d[key] = v * v
        else:
            d[key] = v
    return d["a"] + d["b"]


def put(d, key, v):
    d[key] = v


@kept_in(FUNCTIONS)
def put_by_a_helper(x):
    d = {}
    for key, v in zip(KEYS, x):
        put(d, key, v * v if key == "a" else v)
    return d["a"] + d["b"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_dicts_of_what_is_linear(function: Any) -> None:
    check_along(function, X, X_DOT)
    step = 1e-6 * np.eye(5)
    slopes = [(grad(function)(X + e) - grad(function)(X - e)) / 2e-6 for e in step]
    np.testing.assert_allclose(hessian(function)(X), slopes, atol=1e-6)


def test_best_quotes() -> None:
    def spread(orders):
        best = {}
        for side, price in orders:
            if side not in best or (price > best[side] if side == "buy" else price < best[side]):
                best[side] = price
        return best["sell"] - best["buy"]

    orders = [("buy", 9.5), ("sell", 10.2), ("buy", 9.8), ("sell", 10.1)]
    assert grad(spread)(orders) == [(None, 0.0), (None, 0.0), (None, -1.0), (None, 1.0)]
    assert hvp(spread)(orders, [(None, 1.0)] * 4) == [(None, 0.0)] * 4
