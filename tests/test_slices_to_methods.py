"""Slices that a class's own `__getitem__` gets: `b[1:]` is `b.__getitem__(slice(1, None))`."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

functions: list[Function] = []
program = kept_in(functions)

X, X_DOT = np.array([0.72, 1.32, 0.41]), np.array([0.3, -0.7, 1.1])


class Held:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        return self.values[place]


class Cut:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        if isinstance(place, slice):
            return Cut(self.values[place])
        return self.values[place]


class Bounds:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        if isinstance(place, tuple):
            return self.values[place[0]] * self.values[place[1]]
        return self.values[place.start or 0]


@program
def parts(x):
    b, n = Held(x * 2), 2
    return np.sum(b[1:n] ** 2) + b[0] * np.sum(b[::-2] ** 3)


@program
def of_two_axes(x):
    b = Held(np.outer(x, x))
    return np.sum(b[1:, 0] ** 2) * np.sum(b[..., :2])


@program
def told_from_places(x):
    b = Cut(x * 2)
    c = b[::2]
    return np.sum(c.values) * c[1] * b[1:][0]


@program
def bounds_read(x):
    b, s = Bounds(x * 2), 0.0
    for k in range(2):
        s += b[k:] * b[:k] * b[k, 2]
    return s


@program
def name_bound(x):
    slice = 2
    return np.sum(Held(x**2)[:slice] * x[slice])


test_right = each_right(functions, X, X_DOT)
