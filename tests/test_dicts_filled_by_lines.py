"""Dicts and objects that are filled line by line, constants first, before anything that varies is stored to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


@kept_in(RIGHT)
def a_number_first(p):
    g = {}
    g["k"] = 2.0
    g["u"] = np.ones(2)
    g["u"][0] = p[0] * g["k"]
    return np.sum(g["u"]) * p[1]


@kept_in(RIGHT)
def an_array_first(p):
    g = {}
    g["w"] = np.ones(2)
    g["n"] = 3
    g["u"] = np.ones(2)
    g["u"][0] = p[0] * g["w"][0]
    g["w"][1] = p[1]
    return np.sum(g["u"] * g["w"]) * g["n"] + sum(np.sum(v) for v in g.values())


@kept_in(RIGHT)
def in_a_loop(p):
    s = 0.0
    for k in range(2):
        state = {}
        state["dt"] = 0.1 * k
        state["u"] = np.zeros(3)
        state["v"] = 0.0
        for i in range(3):
            state["u"][i] = p[i] * state["dt"]
            state["v"] += state["u"][i] ** 2
        s += state["v"]
    return s


@kept_in(RIGHT)
def on_one_way(p):
    g = {}
    g["k"] = 2.0
    if p[0] > 0.5:
        g["u"] = np.zeros(2)
    else:
        g["u"] = np.ones(2)
    g["u"][0] = p[0] * g["k"]
    return np.sum(g["u"])


@kept_in(RIGHT)
def an_object(p):
    g = State()
    g.k = 2.0
    g.u = np.zeros(2)
    g.u[0] = p[0] * g.k
    return np.sum(g.u) * p[1]


@kept_in(RIGHT)
def lists_by_names(p):
    history = dict(values=[], sums=dict(all=[]), rate=p[2])
    z = p
    for k in range(3):
        z = z * p
        history["values"].append(np.sum(z))
        history["sums"]["all"].append(np.sum(z * z))
        if k > 5 and history["values"][-1] < 1e-4:
            break
    return history["values"][-1] * history["rate"] - history["sums"]["all"][0]


class State:
    pass


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)
