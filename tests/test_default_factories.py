"""Dataclasses whose fields are made by a lambda: what it gives is written where the object is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


@dataclass
class Settings:
    rate: float = 0.1
    sizes: list = field(default_factory=lambda: [2, 3])
    options: dict = field(default_factory=lambda: {"a": 2.0})


@dataclass
class State:
    xs: list = field(default_factory=lambda: [1.0, 2.0])
    m: np.ndarray = field(default_factory=lambda: np.eye(2) * 3)
    d: dict = field(default_factory=lambda: {"k": 1.0})
    r: float = 1.0

    def push(self, v):
        self.xs.append(v)
        self.d["k"] = self.d["k"] * v
        self.m[0, 0] = v


@kept_in(RIGHT)
def settings(x):
    s = Settings(rate=x[1])
    return x[0] * s.rate * s.sizes[0] * s.options["a"] * Settings().sizes[1]


@kept_in(RIGHT)
def each_has_its_own(x):
    g = State(r=x[0])
    g.push(x[1])
    h = State(r=x[2])
    s = sum(g.xs) * sum(h.xs) * g.d["k"] * h.d["k"]
    return s * g.r * h.r * g.m[0, 0] * h.m.sum()


@kept_in(RIGHT)
def made_of_constants(x):
    g = State()
    for v in x:
        g.push(v)
    return sum(g.xs) * g.d["k"] * g.m.sum() + sum(State(xs=[x[0]]).xs)


@refused_in(REFUSED)("the default_factory of 'm' can't be written here")
def where_a_name_is_another(x):
    np = 3.0
    return State(r=x[0]).r * np


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
