"""Ordered dicts: those that a function makes are plain ones to it, where it asks what these answer alike."""

from __future__ import annotations

import collections
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
KEPT_ORDERED = "stores of differentiated values into lists, dicts and objects"
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


def split(x):
    parts = OrderedDict()
    parts["low"] = x[:2] ** 2
    parts["high"] = np.sin(x[2:])
    return parts


@kept_in(RIGHT)
def stored_by_key(x):
    d = collections.OrderedDict()
    d["a"] = x * 2
    d["b"] = np.sin(x)
    d["a"] *= d["b"]
    return np.sum(d["a"] * d["b"])


@kept_in(RIGHT)
def made_of_pairs(x):
    d = OrderedDict([("a", x[0]), ("b", x[1] ** 2)])
    e = OrderedDict(a=x[2], b=d["a"])
    f = OrderedDict([("a", x[3])], c=e["b"])
    return d["b"] * e["a"] * f["a"] + f["c"] ** 3


@kept_in(RIGHT)
def run_over(x):
    d = OrderedDict([("a", x[0]), ("b", x[1])])
    d["c"] = x[2]
    total = 0.0
    for k, (name, value) in enumerate(d.items()):
        total += (k + 1) * value ** (2 if name == "b" else 3)
    if "a" in d:
        total *= d.pop("a")
    return total * sum(d.values())


@kept_in(RIGHT)
def of_computed_keys(x):
    d = OrderedDict()
    for k in range(4):
        d[k] = x[k] ** 2
    return sum((k + 1) * d[k] for k in reversed(d))


@kept_in(RIGHT)
def in_a_branch(x):
    out = x
    if x[0] > 0.1:
        d = OrderedDict()
        d["y"] = x**3
        out = d["y"]
    return np.sum(out * x)


@refused_in(REFUSED)("write a dict")
def moved_to_the_end(x):
    d = OrderedDict([("a", x[0]), ("b", x[1])])
    d.move_to_end("a")
    total = 0.0
    for k, value in enumerate(d.values()):
        total += (k + 1) * value**2
    return total


@refused_in(REFUSED)("write a dict")
def asked_for_its_class(x):
    d = OrderedDict(a=x[0])
    return d["a"] ** 2 if isinstance(d, OrderedDict) else d["a"]


@refused_in(REFUSED)(KEPT_ORDERED)
def asked_for_its_class_by_the_caller(x):
    d = split(x)
    return np.sum(d["low"]) ** 2 if type(d) is OrderedDict else x[0]


@refused_in(REFUSED)(KEPT_ORDERED)
def compared_by_the_caller(x):
    a, b = split(x), split(2 * x)
    return x[0] if a == b or hasattr(a, "move_to_end") else x[1]


@refused_in(REFUSED)("write a dict")
def compared_in_order(x):
    d, e = OrderedDict(a=x[0], b=1.0), {"b": 1.0, "a": x[0]}
    return d["a"] ** 2 if d == OrderedDict(e) else d["a"]


def kept_outside(x):
    global KEPT
    KEPT = OrderedDict()
    KEPT["a"] = 3
    return x**2


KEPT: Any = None


def test_what_others_see_stays_ordered():
    assert grad(kept_outside)(1.5) == 3.0
    assert type(KEPT) is OrderedDict


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
