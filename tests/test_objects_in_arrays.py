"""Arrays of functions, dicts and objects hide what these hold: refused where that carries a derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, named, refused_in

REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X = np.array([0.7, 1.3, -0.4])

HOLDS = "an array of objects holds a differentiated value: write a list"
CAPTURES = "captures differentiated values, and what becomes of it is not known"


@refused(CAPTURES)
def run_over(x):
    s = 0.0
    for f in np.array([lambda z: z * x[0], lambda z: z + x[1]]):
        s = s + f(2.0)
    return s


@refused(CAPTURES)
def asked_in_a_loop(x):
    f = np.array([lambda z: z * x[0]])[0]
    z = 1.0
    while z < 10:
        z = z + f(z)
    return z


@refused(CAPTURES)
def of_a_list(x):
    fs = [lambda z: z * x[0], lambda z: z + x[1]]
    z = 1.0
    if np.asarray(fs)[0](z) > 0:
        z = z - np.asarray(fs)[1](z) / 2
    return z


class Body:
    def __init__(self, mass):
        self.mass = mass


@refused(HOLDS)
def of_dicts(x):
    return np.sum(np.array([{"k": x}])[0]["k"] ** 2)


@refused(HOLDS)
def of_objects(x):
    bodies = np.stack([Body(x[0]), Body(x[1])])
    return bodies[0].mass * bodies[1].mass


@refused(HOLDS)
def of_lists_of_dicts(x):
    bodies = [{"mass": x[0]}, {"mass": x[1]}]
    return sum(body["mass"] for body in np.stack([bodies, bodies])[1])


@refused("what varies is stored to a part of 'table'")
def of_an_array_that_varies_later(x):
    weights = np.ones(3)
    table = np.array([{"w": weights}, {"w": weights}])
    weights[:] = x
    return x[0] * table[0]["w"][2]


@refused(
    "what varies is stored to a part of 'table', of which it is not known any more what it holds"
)
def of_a_list_that_varies_later(x):
    weights = [1.0, 2.0]
    table = np.array([{"w": weights}, {"w": weights}])
    weights[1] = x[1]
    return x[0] * table[0]["w"][1]


@refused(
    "what varies is stored to a part of 'table', of which it is not known any more what it holds"
)
def of_a_list_that_is_filled_later(x):
    weights = [1.0]
    weights.append(2.0)
    table = np.array([{"w": weights}])
    weights.append(x[1])
    return x[0] * table[0]["w"][2]


@refused(
    "what varies is stored to a part of 'ordered', of which it is not known any more what it holds"
)
def of_a_list_that_stands_in_a_sorted_one(x):
    weights = [1.0]
    weights.append(2.0)
    ordered = sorted([weights, [3.0, 4.0]])
    weights[1] = x[1]
    return x[0] * ordered[0][1]


@refused(
    "what varies is stored to a part of 'least', of which it is not known any more what it holds"
)
def of_a_list_that_is_the_least_of_several(x):
    weights = [1.0, 2.0]
    least = min([weights, [3.0, 4.0]])
    weights[1] = x[1]
    return x[0] * least[1]


@refused(
    "what varies is stored to a part of 'most', of which it is not known any more what it holds"
)
def of_a_list_that_is_the_greater_of_two(x):
    weights = [5.0, 2.0]
    most = max(weights, [3.0, 4.0])
    weights[1] = x[1]
    return x[0] * most[1]


@refused("stores of differentiated values into lists, dicts and objects are not supported yet")
def of_dicts_that_vary_later(x):
    table = np.stack([{}, {}])[1]
    table["v"] = x[0]
    return table["v"] * x[1]


test_refused = each_refused(REFUSED, X)


def read(x):
    table = np.array([{"a": 2.0, "b": 3.0}, {"a": 4.0, "b": 5.0}])
    return x[0] ** 2 * table[1]["b"] + x[1] * sum(entry["a"] for entry in table)


def asked_for_its_axes(x):
    table = np.array([{"a": 2.0}, {"a": 4.0}])
    return x[0] ** 2 if table.ndim == 1 else x[1]


def written_to(x):
    weights = {"a": 1.0}
    table = np.array([weights, {}])
    y = x[0] * weights["a"] * x[1]
    table[0].update(a=2.0)
    return weights["a"] * y


@pytest.mark.parametrize("function", [read, asked_for_its_axes, written_to], ids=named)
def test_those_of_constants(function) -> None:
    check_along(function, X, np.array([1.0, -2.0, 0.5]))


def test_those_of_numbers() -> None:
    def of_pairs(x):
        return np.sum(np.array([(v, v * v) for v in x]) ** 2)

    check_along(of_pairs, X, np.array([1.0, -2.0, 0.5]))


def test_those_that_capture_nothing() -> None:
    def scaled(x):
        return np.sum(x**2) * len(np.array([lambda v: v, lambda v: -v]))

    check_along(scaled, X, np.array([1.0, -2.0, 0.5]))
