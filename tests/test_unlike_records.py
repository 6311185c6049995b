"""Lists of dicts with unlike keys, and of objects with unlike attributes, that hold places: `for o in organs: x[o["at"]]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

X = np.array([0.3, 0.8, 1.1, 0.6])
ALONG = np.array([0.3, -1.0, 0.4, 0.5])
OF_DICTS: list[Callable[..., Any]] = []
OF_OBJECTS: list[Callable[..., Any]] = []
of_dicts, of_objects = kept_in(OF_DICTS), kept_in(OF_OBJECTS)


def organs():
    return [
        {"kind": "target", "at": np.arange(2), "weight": 1.0, "dose": 2.0},
        {"kind": "risk", "at": np.arange(2, 4), "weight": 0.5, "power": 4.0},
        {"weight": 2.0, "at": [0, 3], "kind": "target", "dose": 1.0},
    ]


class Bar:
    def __init__(self, nodes, area):
        self.nodes = nodes
        self.area = area


class Beam:
    def __init__(self, nodes, area, height):
        self.height = height
        self.nodes = nodes
        self.area = area


def elements():
    return [Bar(np.array([0, 1]), 1.0), Beam([2, 0, 0], 3.0, 0.1), Bar(np.array([3, 1]), 2.0)]


@of_dicts
def planned(w, organs):
    dose, cost = w**2, 0.0
    for o in organs:
        x = dose[o["at"]]
        if o["kind"] == "target":
            cost += o["weight"] * np.mean((x - o["dose"]) ** 2)
        else:
            cost += o["weight"] * np.mean(x ** o["power"]) ** (1 / o["power"])
    return cost


@of_dicts
def with_a_name(x, organs):
    s = 0.0
    for k, o in enumerate(organs):
        places = o["at"]
        s += np.sum(x[places] ** 2) * (k + 1) + len(places)
        for j in places:
            s += x[j] ** 3
    return s


def over(x, o):
    return np.sum(x[o["at"]] ** 2)


@of_dicts
def handed_on(x, organs):
    return sum(over(x, o) * (k + 1) for k, o in enumerate(organs))


@of_dicts
def by_number(x, organs):
    s = 0.0
    for i in range(len(organs)):
        s += np.prod(x[organs[i]["at"]])
    return s


@of_dicts
def stored_to(x, organs):
    y = x.copy()
    for o in organs:
        y[o["at"]] *= x[0]
    return np.sum(y**2)


@of_dicts
def changed_to_one(x, organs):
    s = 0.0
    for o in organs:
        o = dict(o, at=2)
        s += np.sum(x[o["at"]] ** 3)
    return s


@of_objects
def of_elements(x, elements):
    return sum(np.sum(x[e.nodes] ** 2) * e.area for e in elements)


@of_objects
def of_elements_with_a_name(x, elements):
    s = 0.0
    for e in elements:
        nodes = e.nodes
        s += (x[nodes[1]] - x[nodes[0]]) ** 2 * e.area + np.sum(x[nodes] ** 3)
    return s


CASES = [*((f, organs) for f in OF_DICTS), *((f, elements) for f in OF_OBJECTS)]


@pytest.mark.parametrize(("function", "made"), CASES)
def test_places(function, made):
    gradient = grad(function)
    numeric: np.ndarray = numeric_gradient(lambda x: function(x, made()), (X,), 0, 1.0)
    assert_close(gradient(X, made()), numeric, "grad")
    assert_close(jvp(function, (X, made()), (ALONG, None))[1], numeric @ ALONG, "jvp")
    slope = numeric_gradient(lambda x: np.sum(gradient(x, made()) * ALONG), (X,), 0, 1.0)
    assert_close(hvp(function)(X, ALONG, made()), slope, "hvp")


def test_others_that_are_put_there():
    def changed(x, organs):
        s = 0.0
        for o in organs:
            o["at"] = 1.5
            s += np.sum(x[o["at"]])
        return s

    with pytest.raises(TypeError):
        grad(changed)(X, organs())
