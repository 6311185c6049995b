"""Attributes and entries whose names are the same once they are put together: `wing.tip_x` and `wing_tip.x`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right


class Wing:
    def __init__(self, tip_x: Any) -> None:
        self.tip_x = tip_x


class Tip:
    def __init__(self, x: Any) -> None:
        self.x = x


def objects(x):
    wing, wing_tip = Wing(x[0]), Tip(3 * x[1])
    return wing.tip_x**2 * wing_tip.x


def objects_that_change(x):
    wing, wing_tip = Wing(x[0]), Tip(3 * x[1])
    for _ in range(2):
        wing.tip_x = wing.tip_x * wing_tip.x
        wing_tip.x += x[2]
    return wing.tip_x


def dicts(x):
    fc, fc_1 = {"1_w": x[0]}, {"w": 2.0 * x[1]}
    fc_1["w"] = fc_1["w"] * x[2]
    return fc["1_w"] * fc_1["w"]


def dicts_of_dicts(x):
    p = {"a": {"b": {"c_d": x[0]}}, "e": 1.0}
    p_a = {"b_c": {"d": 2.0 * x[1]}, "f": x[2]}
    return p["a"]["b"]["c_d"] * p_a["b_c"]["d"] ** 2 * p_a["f"]


def in_a_helper(x):
    def lift(wing, wing_tip):
        wing_tip.x = wing_tip.x * wing.tip_x
        return wing.tip_x + wing_tip.x

    return lift(Wing(x[0]), Tip(x[1])) * x[2]


FUNCTIONS: list[Callable[..., Any]] = [
    objects, objects_that_change, dicts, dicts_of_dicts, in_a_helper,
]  # fmt: skip


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 1.4, 0.9]), np.array([0.3, -1.0, 0.4]))
