"""Loops over the keys of a dict beside what varies: `zip(d, [a, b])`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def made_anew_of_its_own_keys(x):
    d = {"p": x[0], "q": x[1]}
    d = dict(zip(d, [x[2], x[1]]))
    return d["p"] * d["q"] ** 2


@form
def another_dict_of_its_keys(x):
    d = {"p": x[0], "q": x[1]}
    e = {k: v**2 for k, v in zip(d, [x[2], x[1]])}
    return e["p"] * e["q"] ** 2 * d["p"]


@form
def keys_of_numbers(x):
    weights = {"p": 1.0, "q": 2.0}
    d = {k: v for k, v in zip(weights, [x[2], x[1]])}
    return d["p"] * d["q"] ** 2 * weights["q"]


@form
def computed_keys(x):
    names = ["p", "q"]
    d = {k: x[j] for j, k in enumerate(names)}
    d = dict(zip(d, [x[2], x[1]]))
    return d["p"] * d["q"] ** 2


@form
def from_the_end(x):
    places = [2, 1]
    d = {k: x[k] for k in places}
    e = {k: v**2 for k, v in zip(reversed(d), x)}
    return e[1] * e[2] ** 2 * d[1]


@form
def whole_numbers(x):
    places = [1, 0]
    d = {k: x[k] for k in places}
    s = 0.0
    for k, v in zip(d, x):
        s += (k + 1) * v**2
    for v, (j, k) in zip(x, enumerate(d)):
        s += (k + 1) * v**2 * j
    return s * d[0]


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))
