"""Loops over what holds texts beside numbers and arrays that vary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
kept = kept_in(FUNCTIONS)


@kept
def settings_with_a_title(x):
    settings, total = {"w": x, "title": "text", "scale": 3}, 0.0
    for key, value in settings.items():
        if key == "w":
            total += np.sum(value**2) * settings["scale"]
    return total


@kept
def told_by_their_type(x):
    settings, total = {"w": x, "title": "text"}, 0.0
    for value in settings.values():
        if not isinstance(value, str):
            total += np.sum(value**3)
    return total


@kept
def in_a_generator(x):
    settings = {"w": x, "title": "text", "b": x[0]}
    return sum(np.sum(value**2) for key, value in settings.items() if key != "title")


@kept
def in_a_list(x):
    total = 0.0
    for value in [x[0], "between", x[2]]:
        if value != "between":
            total += value**2
    return total


@kept
def on_either_side(x):
    total = 0.0
    for one, other in [("a", x[0]), (x[1], "b")]:
        total += other**2 if one == "a" else one
    return total


@kept
def texts_in_a_column(x):
    total = 0.0
    for name, value in [("square", x[0]), ("plain", x[1])]:
        total += value**2 if name == "square" else value
    return total


test_in_every_mode = each_right(FUNCTIONS, np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.8, 1.1]))
