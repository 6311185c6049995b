"""Lists and tuples of what `reversed` gives, and keys of dicts in an order that a function says: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


@kept_in(RIGHT)
def list_turned_round(x):
    terms = [v**2 for v in x]
    back = list(reversed(terms))
    back.append(x[0])
    return sum(k * v for k, v in enumerate(back)) * terms[1]


@kept_in(RIGHT)
def rows_turned_round(x):
    rows = list(reversed(x.reshape(2, 2)))
    return rows[0] @ np.sin(rows[1])


@kept_in(RIGHT)
def tuple_turned_round(x):
    a, b, c = tuple(reversed((x[0], x[1] ** 2, x[2])))
    return a * b - c


@kept_in(RIGHT)
def pairs_turned_round(x):
    s = 0.0
    for k, v in list(reversed(list(enumerate(x)))):
        s = s * 0.5 + k * v**2
    return s


@kept_in(RIGHT)
def functions_turned_round(x):
    steps = [lambda v: v * 2, np.sin, lambda v: v + x[0]]
    for step in list(reversed(steps)):
        x = step(x)
    return np.sum(x)


@kept_in(RIGHT)
def keys_by_their_texts(x):
    sums = {}
    for v, label in zip(x, "baca", strict=True):
        sums[label] = sums.get(label, 0.0) + v**2
    s = 0.0
    for label in sorted(sums, key=str):
        s = s * 0.5 + sums[label]
    return s * sums[max(sums, key=ord)]


@kept_in(RIGHT)
def keys_by_a_lambda(x):
    sums = {}
    for v, k in zip(x, [3, 1, 2, 1], strict=True):
        sums[k] = sums.get(k, 0.0) + v**2
    places = sorted(sums, key=lambda k: (k % 2, -k), reverse=True)
    return sum(sums[k] * (i + 1) for i, k in enumerate(places))


@kept_in(RIGHT)
def keys_by_their_values(x):
    sums = {}
    for v, k in zip(x, [3, 1, 2, 1], strict=True):
        sums[k] = sums.get(k, 0.0) + v**2
    s = 0.0
    for k in sorted(sums, key=lambda k: sums[k]):
        s = s * 0.5 + np.sin(sums[k])
    return s


class Pair:
    def __init__(self, w, b):
        self.w = w
        self.b = b


@kept_in(RIGHT)
def objects_beside_others(x):
    ps = [Pair(v, v**2) for v in x]
    s = 0.0
    for p, v in zip(reversed(ps), x):
        s += p.w * p.b * v
    for p, q in zip(ps, reversed(ps)):
        q.w = s * p.w + q.b
    k = int(x[0] * 2)
    return s + sum(p.w * q.b + p.b for p, q in zip(ps[k:], ps[:k]))


test_right = each_right(RIGHT, X, X_DOT)
