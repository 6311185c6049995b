"""Stores into arrays of unknown shape, which a helper gave: the place is asked for its shape, and stays what it is.

The place got a name once, and the line stored to that: the gradient was of what had been in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


def room(x):
    return np.empty(tuple(np.max([np.shape(x)], axis=0)))


class Box:
    def __init__(self, room):
        self.room = room


@keep
def all_of_it(x):
    y = room(x)
    y[...] = x
    return np.sum(y * x)


@keep
def all_of_it_and_then_a_part(x):
    y = room(x)
    y[:] = np.sin(x)
    y[0] *= 2.0
    return np.sum(y * x)


@keep
def on_one_way(x):
    y = room(x)
    if x[0] > 0.0:
        y[...] = x
    else:
        y[...] = 1.0
    return np.sum(y * x)


@keep
def by_a_view_and_by_functions(x):
    y, z, w = room(x), room(x), room(x)
    v = y
    v[...] = x * x[0]
    np.multiply(x, x, out=z)
    np.copyto(w, x)
    return np.sum(y * z * w)


@keep
def in_containers(x):
    d, box = {"room": room(x)}, Box(room(x))
    d["room"][...] = x
    box.room[...] = d["room"]
    box.room *= x
    return np.sum(box.room)


@keep
def rows_and_columns(x):
    m = room(np.outer(x, x))
    m[0] = x
    m[1:] = 1.0
    m[:, 1] = x * 2.0
    return np.sum(m * m)


@keep
def beside_others(x):
    y, z = room(x), room(x)
    y[...], k = x, 2.0
    z[...] = t = x * 2.0
    return np.sum(y * z * t) * k


X = np.array([0.7, 1.35, -0.4])
test_right = each_right(FUNCTIONS, X, np.array([0.5, -1.0, 0.25]))
