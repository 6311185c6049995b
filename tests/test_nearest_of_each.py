"""The nearest of each by a lambda in a comprehension: a place without a derivative, whatever the lambda computes."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])
POINTS = np.array([0.5, 1.0, 1.9, 0.1, 3.0])
ROWS = np.array([[0.5, 1.0], [1.9, 0.1], [3.0, 0.6]])


@right
def labels(x):
    c = x.reshape(2, 2)
    near = [min(range(len(c)), key=lambda k: np.sum((p - c[k]) ** 2)) for p in ROWS]
    return sum(np.sum((p - c[k]) ** 2) * (k + 1) for p, k in zip(ROWS, near, strict=True))


@right
def values_of_the_farthest(x):
    far = [x[max(range(len(x)), key=lambda i: abs(x[i] - p))] * p for p in POINTS]
    return sum(far) * x[0]


@right
def in_order(x):
    s = 0.0
    orders = [
        sorted(range(4), key=lambda i: x[i] * p - x[i] ** 2, reverse=bool(p > 1)) for p in POINTS
    ]
    for order in orders:
        for weight, i in enumerate(order):
            s += weight * x[i]
    return s * x[1]


@right
def under_the_same_name(x):
    return sum(x[min(range(4), key=lambda i: (x[i] - i) ** 2 + q * x[i])] * q for q in x for i in x)


@right
def inside_of_each_other(x):
    rows = [
        min(range(4), key=lambda i: abs(x[i] - x[max(range(4), key=lambda j: x[j] * x[i] * p)]))
        for p in POINTS
    ]
    return sum(x[i] * (k + 1) for k, i in enumerate(rows))


@right
def all_together(x):
    near = {p: min(range(x.size), key=lambda i: abs(x[i] - p)) for p in (0.5, 2.0)}
    return x[near[0.5]] ** 2 + x[near[2.0]] * x[0]


@refused("a lambda is not supported yet")
def with_another_name_for_min(x):
    least = min
    return sum(x[least(range(4), key=lambda i: abs(x[i] - p))] for p in POINTS)


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
