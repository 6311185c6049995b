"""Copies of arrays that go into tuples in a list, while the array itself is updated in place: so are their tangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def appended(x):
    history, p = [], x.copy()
    history.append((1.0, p.copy()))
    p += 3 * x
    history.insert(0, (2.0, p * 1.0))
    p *= x
    history.append([3.0, p + 0.5])
    p -= 1
    return sum(m * np.sum(q) ** 2 for m, q in history)


@form
def put_at_the_end(x):
    history, p = [], x.copy()
    history += [(1, p + 1.0), (2, +p)]
    history.extend([(3, p / 1)])
    p += 3 * x
    return sum(m * np.sum(q) ** 2 for m, q in history)


@form
def of_a_comprehension(x):
    p = x.copy()
    history = [(k, p.copy()) for k in range(2)]
    history[0] = (3, np.copy(p))
    p += 3 * x
    return sum((m + 1) * np.sum(q) ** 2 for m, q in history)


@form
def in_tuples_in_tuples(x):
    p, history = x.copy(), []
    for k in range(3):
        history.append((k, (p.copy(), np.sum(p))))
        p += x * k
    return sum((m + 1) * np.sum(q[0] ** 2) * q[1] for m, q in history)


class Run:
    def __init__(self, p):
        self.p, self.time, self.history = p, 1.0, []

    def step(self, x):
        self.p += 3 * x
        self.history.append((self.time, self.p.copy()))
        self.time += 1


@form
def history_of_an_object(x):
    run = Run(x.copy())
    for k in range(3):
        run.step(x * k)
    return sum(time * np.sum(q) ** 2 for time, q in run.history)


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))
