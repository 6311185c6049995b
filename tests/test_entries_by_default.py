"""`d.get(key, default)` of a dict of numbers that carry no derivative is known to be a number: nothing asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named

from tangentish import grad

FUNCTIONS: list[Function] = []
OF_NUMBERS: list[Function] = []
kept, of_numbers = kept_in(FUNCTIONS), kept_in(OF_NUMBERS)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])

NAMES = ["N2", "CO2", "CH4"]
KIJ = {("N2", "CO2"): -0.02, ("CO2", "CH4"): 0.1}
ORDERS: dict[str, Any] = {"N2": 2, "CO2": 1.5}
BY_NAME = {"N2": {"a": 1.1, "b": 3}, "CO2": {"a": 2.0, "b": 1}}


@of_numbers
def mixed(x):
    a = 0.0
    for i in range(3):
        for j in range(3):
            k = KIJ.get((NAMES[i], NAMES[j]), KIJ.get((NAMES[j], NAMES[i]), 0.0))
            a += x[i] * x[j] * np.sqrt(x[i]) * (1.0 - k)
    return a


@of_numbers
def of_a_display(x):
    kij = {(0, 1): 0.1, (0, 2): 0.05}
    a = 0.0
    for i in range(3):
        for j in range(3):
            a += x[i] ** 2 * x[j] * (1.0 - kij.get((i, j), 0.0))
    return a


@of_numbers
def of_dicts_in_dicts(x):
    a = 0.0
    for i, name in enumerate(NAMES[:2]):
        a = a * BY_NAME[name].get("a", 1.0) + np.sin(x[i]) * BY_NAME[name].get("c", 2)
    return a


@of_numbers
def of_several_types(x):
    a = 0.0
    for i, name in enumerate(NAMES):
        a = a * x[i] + x[i] ** ORDERS.get(name, 1)
    return a


@of_numbers
def no_trips(x):
    a = x[0]
    for name in NAMES[3:]:
        a = a * a * ORDERS.get(name, 1)
    return a * ORDERS.get("none", 2.5)


@kept
def of_arrays(x):
    weights = {"a": np.array([1.0, 2.0, 3.0])}
    return np.sum(x**2 * weights.get(NAMES[0], 0.5)) + np.sum(x**2 * weights.get("a", 0.5))


@kept
def gets_an_array(x):
    weights = {"a": 2.0}
    for name in NAMES:
        weights[name] = np.array([1.0, 2.0, 3.0])
    return np.sum(x**2 * weights.get(NAMES[0], 0.5)) + np.sum(x**2 * weights.get("b", 0.5))


@kept
def gets_an_array_under_another_name(x):
    weights = {"a": 2.0}
    same = weights
    for name in NAMES:
        same.update({name: np.array([1.0, 2.0, 3.0])})
    return np.sum(x**2 * weights.get(NAMES[0], 0.5))


@kept
def changed_meanwhile(x):
    s = 0.0
    for i, name in enumerate(NAMES):
        s = s * x[i] + np.sin(x[i]) * ORDERS.get(name, 1)
        ORDERS[name] = 2.5
    ORDERS.clear()
    ORDERS.update(N2=2, CO2=1.5)
    return s


@kept
def nothing_by_default(x):
    s = 0.0
    for i, name in enumerate(NAMES):
        k = ORDERS.get(name)
        s = s * x[i] + (x[i] ** 2 if k is None else x[i] * k)
    return s


test_every_mode = each_right([*FUNCTIONS, *OF_NUMBERS], X, X_DOT)


@pytest.mark.parametrize("function", OF_NUMBERS, ids=named)
def test_nothing_is_asked(function: Function) -> None:
    text = grad(function).source(X)
    assert all(asked not in text for asked in ("plain(", "kept(", "unbroadcast("))


def test_an_array_at_a_later_call() -> None:
    def weighted(x: Any) -> Any:
        return np.sum(x**2 * ORDERS.get(NAMES[0], 1.0))

    derivative = grad(weighted)
    assert np.allclose(derivative(X), 4 * X)
    ORDERS["N2"] = np.array([1.0, 2.0, 3.0])
    assert np.allclose(derivative(X), 2 * X * ORDERS["N2"])
    ORDERS["N2"] = 2
    assert np.allclose(derivative(X), 4 * X)
