"""Dicts and objects of constants that a loop begins with, and that vary on later trips, given to functions there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])
FEED = {"A": 1.5, "B": 0.5}


def mixed(a, b):
    return {k: a[k] + b[k] for k in a}


def mixed_by_lines(a, b):
    out = {}
    for k in a:
        out[k] = a[k] + b[k]
    return out


def scaled(a, c):
    return {k: c * v for k, v in a.items()}


def limited(a):
    return {k: min(v, 10.0) for k, v in a.items()}


def total(a):
    return sum(a.values())


def reacted(s, rate):
    r = rate * s["A"]
    return {"A": s["A"] - r, "B": s["B"] + r}


@dataclass
class Stream:
    flow: float
    parts: dict


def blended(a, b):
    flow = a.flow + b.flow
    return Stream(flow, {k: (a.flow * a.parts[k] + b.flow * b.parts[k]) / flow for k in a.parts})


class Plant:
    def __init__(self, rate, back):
        self.rate, self.back = rate, back
        self.recycled = {"A": 0.0, "B": 0.0}

    def step(self, feed):
        s = mixed(feed, self.recycled)
        r = self.rate * s["A"]
        self.recycled = {"A": self.back * (s["A"] - r), "B": 0.1 * (s["B"] + r)}
        return s


class Place:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def moved(self, dt):
        return Place(self.x + dt * self.v, self.v)

    def plus(self, other):
        return Place(self.x + other.x, self.v + other.v)


def at_rest(n):
    return {"x": np.zeros(n), "v": np.ones(n)}


@kept_in(RIGHT)
def a_recycle(p):
    recycled = {"A": 0.0, "B": 0.0}
    feed = {"A": 1.5, "B": 0.5}
    for _ in range(3):
        s = reacted(mixed(feed, recycled), p[0])
        recycled = {"A": p[1] * s["A"], "B": 0.08 * s["B"]}
    return s["B"] * p[2]


@kept_in(RIGHT)
def a_recycle_by_lines(p):
    recycled = {"A": 0.0, "B": 0.0}
    feed = {"A": 1.5, "B": 0.5}
    k = 0
    while k < 3:
        s = mixed_by_lines(feed, recycled)
        r = p[0] * s["A"]
        recycled = scaled({"A": s["A"] - r, "B": s["B"] + r}, p[1])
        k += 1
    return recycled["B"] + recycled["A"] ** 2


@kept_in(RIGHT)
def a_recycle_of_arrays(p):
    feed = {"A": np.array([1.0, 2.0]), "B": np.ones(2)}
    recycled = {k: np.zeros(2) for k in feed}
    for _ in range(3):
        s = mixed(feed, recycled)
        recycled = {k: p[0] * np.tanh(p[1:3] * v) for k, v in s.items()}
    return np.sum(recycled["A"] * recycled["B"])


@kept_in(RIGHT)
def a_recycle_in_an_object(p):
    plant = Plant(p[0], p[1])
    t = 0.0
    for _ in range(3):
        t += total(plant.step({"A": 1.5, "B": 0.5})) * p[2]
    return t


@kept_in(RIGHT)
def a_recycle_of_dicts_in_objects(p):
    feed, recycled = Stream(1.0, {"A": 0.7, "B": 0.3}), Stream(0.0, {"A": 0.5, "B": 0.5})
    for _ in range(3):
        s = blended(feed, recycled)
        a = s.parts["A"] * (1 - p[0])
        recycled = Stream(0.3 * s.flow, {"A": a, "B": 1 - a})
    return recycled.parts["B"] * s.flow


@kept_in(RIGHT)
def a_dict_in_a_dict_that_begins(p):
    s = {"in": {"A": 0.5, "B": 1.0}, "out": {"A": 0.0, "B": 0.0}}
    for _ in range(3):
        m = mixed(s["in"], s["out"])
        s["out"] = {"A": p[0] * m["A"], "B": m["B"] * p[1]}
    return total(s["out"])


@kept_in(RIGHT)
def a_state_that_is_limited_first(p):
    s = {"A": 0.0, "B": 1.0}
    seen = []
    for _ in range(3):
        s = limited(s)
        seen.append(s["A"])
        s = {"A": s["A"] + p[0], "B": s["B"] * p[1]}
        if s["A"] > 1.0:
            s = scaled(s, p[2])
    return sum(seen) + s["B"]


@kept_in(RIGHT)
def a_state_that_a_function_makes(p):
    s = at_rest(2)
    for _ in range(3):
        m = mixed(s, s)
        s = {"x": m["x"] + p[0] * m["v"], "v": m["v"] - p[1:3] * m["x"]}
    return np.sum(s["x"] * s["v"])


@kept_in(RIGHT)
def an_object_that_methods_add_to(p):
    place, other = Place(1.0, 0.5), Place(0.0, 1.0)
    for _ in range(3):
        q = place.plus(other).moved(0.1)
        place = Place(p[0] * q.x, p[1] * q.v)
    return place.x + place.v**2


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_what_loops_begin_with(function):
    check_along(function, P, P_DOT)


def recycled_of(rate, feed, back):
    recycled = {"A": 0.0, "B": 0.0}
    for _ in range(3):
        s = reacted(mixed(feed, recycled), rate)
        recycled = scaled(s, back)
    return s["B"]


@pytest.mark.parametrize("wrt", [(0,), (2,), (0, 2)])
def test_less_is_as_more(wrt):
    """With respect to some arguments the gradients are those with respect to all."""
    args = (0.6, FEED, 0.8)
    every = grad(recycled_of, wrt=(0, 1, 2))(*args)
    assert grad(recycled_of, wrt=wrt)(*args) == pytest.approx(tuple(every[k] for k in wrt))


def test_what_was_refused_first_is_told():
    """Where it does not help to tell constants apart, the first reason is given."""

    def of_text(p):
        settings = {"a": 1.0}
        return np.poly1d(p)(settings["a"])

    check_refused(of_text, "np.poly1d", P)


def test_dicts_that_are_read_as_a_whole():
    """A dict of constants that a loop runs over stays one, so that the first reason counts."""

    def network(p):
        parts = {"a": {"one": -1}, "b": {"one": 1, "two": -1}, "c": {"two": 1}}
        amounts = dict(zip(parts, p))
        for _ in range(3):
            rates = {"one": p[0] * amounts["a"] / (p[1] + amounts["a"]), "two": p[2] * amounts["b"]}
            for name, counts in parts.items():
                amounts[name] = amounts[name] + 0.1 * sum(n * rates[k] for k, n in counts.items())
        return amounts["c"]

    try:
        found = grad(network)(P)
    except NotDifferentiable:
        return
    assert_close(found, numeric_gradient(network, (P,), 0, 1.0), "network")
