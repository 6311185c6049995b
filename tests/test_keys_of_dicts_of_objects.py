"""`name in d` and `name not in d` of dicts of objects that are taken apart: the keys are written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)
X, X_DOT = np.array([2.1, 0.3, 0.7, 0.2]), np.array([0.3, -0.2, 0.5, 0.1])
NAMES = ["steel", "wood", "alu"]


@dataclass
class Mat:
    E: float
    nu: float = 0.3


def energy(mats):
    total = 0.0
    for name in NAMES:
        if name in mats:
            total += mats[name].E ** 2 * (1 - mats[name].nu)
        if name not in mats:
            total *= 2
    return total


@right
def in_a_helper(x):
    return energy({"steel": Mat(x[0], x[1]), "alu": Mat(x[2], x[3])})


@right
def of_one_object(x):
    return energy({"steel": Mat(x[0], x[1])}) * x[2]


@right
def of_one_that_is_made_here(x):
    d = {"a": Mat(x[0], x[1]), 2: Mat(x[2], x[3]), "c": x[0]}
    total = 0.0
    for name in ("a", 2, "b"):
        total += x[0] if name not in d else d[name].E * d[name].nu
    k = "b" if x[0] < 0 else 2
    if k in d:
        total *= x[1] + d["c"]
    return total


test_right = each_right(FUNCTIONS, X, X_DOT)
