"""Arrays of functions, dicts and objects hide what these hold: refused where that carries a derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_along, each_refused, refused_in

REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X = np.array([0.7, 1.3, -0.4])

HOLDS = "an array of objects holds a differentiated value: write a list"
CAPTURES = "captures differentiated values, and what becomes of it is not known"


@refused(CAPTURES)
def run_over(x):
    s = 0.0
    for f in np.array([lambda z: z * x[0], lambda z: z + x[1]]):
        s = s + f(2.0)
    return s


@refused(CAPTURES)
def asked_in_a_loop(x):
    f = np.array([lambda z: z * x[0]])[0]
    z = 1.0
    while z < 10:
        z = z + f(z)
    return z


@refused(CAPTURES)
def of_a_list(x):
    fs = [lambda z: z * x[0], lambda z: z + x[1]]
    z = 1.0
    if np.asarray(fs)[0](z) > 0:
        z = z - np.asarray(fs)[1](z) / 2
    return z


class Body:
    def __init__(self, mass):
        self.mass = mass


@refused(HOLDS)
def of_dicts(x):
    return np.sum(np.array([{"k": x}])[0]["k"] ** 2)


@refused(HOLDS)
def of_objects(x):
    bodies = np.stack([Body(x[0]), Body(x[1])])
    return bodies[0].mass * bodies[1].mass


test_refused = each_refused(REFUSED, X)


def test_those_of_numbers() -> None:
    def of_pairs(x):
        return np.sum(np.array([(v, v * v) for v in x]) ** 2)

    check_along(of_pairs, X, np.array([1.0, -2.0, 0.5]))


def test_those_that_capture_nothing() -> None:
    def scaled(x):
        return np.sum(x**2) * len(np.array([lambda v: v, lambda v: -v]))

    check_along(scaled, X, np.array([1.0, -2.0, 0.5]))
