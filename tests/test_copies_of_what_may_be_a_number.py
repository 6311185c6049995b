"""copy.copy and copy.deepcopy of what is an array on one way and a number, or None, on another."""

from __future__ import annotations

import copy
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([0.3, -0.2, 0.5])


def as_wide_as(z, width):
    z = np.atleast_2d(z)
    if z.shape[1] == 1:
        z = z.T
    if width == 1:
        z = z[:, 0]
    if width == 0:
        z = z[0, 0]
    return z


class Filter:
    def __init__(self):
        self.x, self.z = np.ones((2, 1)), None

    def update(self, z):
        z = as_wide_as(z, self.x.ndim)
        self.x = self.x + 0.1 * (z - self.x) ** 2
        self.z = deepcopy(z)


def picked(x, width):
    return x[0] if width == 0 else x


@right
def kept_by_a_filter(x):
    f = Filter()
    for z in x:
        f.update(z)
    return np.sum(f.x) + np.sum(f.z**2)


@right
def of_a_number(x):
    z = picked(x, 0)
    w = deepcopy(z)
    w = w * z
    return np.sum(w * z)


@right
def of_an_array(x):
    z = picked(x, 1)
    w = copy.copy(z)
    d = copy.deepcopy({"w": w, "x": x})
    d["x"][0] = 3.0
    return np.sum(w * z * d["w"]) + np.sum(x * d["x"])


@right
def of_none(x):
    total = 0.0
    for k in range(2):
        z = x if k == 1 else None
        w = deepcopy(z)
        if w is not None:
            w[0] = 3.0
            total = total + np.sum(w * z)
        else:
            total = total + x[0] ** 2
    return total


test_right = each_right(FUNCTIONS, X, X_DOT)
