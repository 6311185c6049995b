"""Keys of a dict of differentiated values chosen by a function of the user's: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1, 0.9]), np.array([1.0, -2.0, 0.5, 0.3, 0.4])
NAMES = ["a", "b", "a", "c", "b"]


def totals(x):
    found = {}
    for name, v in zip(NAMES, x, strict=True):
        found[name] = found.get(name, 0.0) + v * v
    return found


@kept_in(RIGHT)
def the_largest(x):
    d = totals(x)
    best = max(d, key=lambda k: d[k])
    return d[best] * x[0]


@kept_in(RIGHT)
def the_largest_in_the_mean(x):
    d = totals(x)
    counts = {k: NAMES.count(k) for k in NAMES}
    best = max(d, key=lambda k: d[k] / counts[k])
    return d[best] * x[0]


@kept_in(RIGHT)
def from_the_largest_to_the_least(x):
    d = totals(x)
    s = 0.0
    for i, k in enumerate(sorted(d, key=lambda k: (-d[k], k))):
        s += (i + 1) * d[k] ** 2
    return s


@kept_in(RIGHT)
def the_least_is_left_out(x):
    d = totals(x)
    least = min(d, key=lambda k: (d[k], k))
    del d[least]
    return sum(d.values()) * x[1]


@kept_in(RIGHT)
def by_a_function_of_its_own(x):
    d = totals(x)

    def size(k):
        return abs(d[k] - 1.0)

    return d[min(d, key=size)] ** 2


@kept_in(RIGHT)
def by_what_is_not_in_it(x):
    d = totals(x)
    return d[max(d, key=ord)] * x[2]


test_right = each_right(RIGHT, X, X_DOT)
