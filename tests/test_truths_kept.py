"""Tests of a list, dict or set that changes afterwards: the way back goes where the forward pass went."""

from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Any] = []
X = np.array([0.7, 1.3, 0.4, 0.6, 0.9, 1.1])
X_DOT = np.array([0.2, -0.3, 0.9, 0.4, 0.1, -0.5])


@kept_in(FUNCTIONS)
def list_and(x):
    held, y = [], 1.0
    for v in x:
        if held and v > 0:
            y = y * v
        else:
            y = y + v * v
        held.append(v)
        if len(held) > 2:
            held = []
    return y * y


@kept_in(FUNCTIONS)
def list_of_constants_or(x):
    held, y = [], 1.0
    for v in x:
        if held or v > 5:
            y = y * v
        else:
            y = y + v * v
        held.append(1)
        if len(held) > 2:
            held.clear()
    return y * y


@kept_in(FUNCTIONS)
def dict_and(x):
    held, y = {}, 1.0
    for k, v in enumerate(x):
        if held and v > 0:
            y = y * v
        else:
            y = y + v * v
        held[k] = v
        if len(held) > 2:
            held = {}
    return y * y


@kept_in(FUNCTIONS)
def set_in_an_and_in_an_or(x):
    held, y = set(), 1.0
    for k, v in enumerate(x):
        if v > 5 or (held and v > 0):
            y = y * v
        else:
            y = y + v * v
        held.add(k)
        if len(held) > 2:
            held = set()
    return y * y


@kept_in(FUNCTIONS)
def conditional_expression(x):
    held, y = [], 1.0
    for v in x:
        y = y * v if held and v > 0 else y + v * v
        held.append(v)
        if len(held) > 2:
            held = []
    return y * y


@kept_in(FUNCTIONS)
def segments(x):
    parts, current = [], []
    for v in x:
        if current and abs(v - current[-1]) > 0.5:
            parts.append(list(current))
            current = []
        current.append(v)
    parts.append(list(current))
    return sum(sum(part) ** 2 for part in parts)


test_truths_kept = each_right(FUNCTIONS, X, X_DOT)
