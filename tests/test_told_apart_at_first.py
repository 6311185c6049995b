"""Lists of objects whose elements had names of their own until a function asked for them by index, or by slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []


class Body:
    def __init__(self, x):
        self.x = x
        self.f = 0.0


class World:
    def __init__(self, bodies):
        self.bodies = bodies

    def forces(self):
        for i, a in enumerate(self.bodies):
            for b in self.bodies[i + 1 :]:
                f = b.x * a.x
                a.f = a.f + f
                b.f = b.f - f


def push(bodies, i):
    for b in bodies[i:]:
        b.f = b.f - b.x


@kept_in(FUNCTIONS)
def pairs_in_a_method(x):
    w = World([Body(x[0]), Body(x[1]), Body(x[2])])
    w.forces()
    return w.bodies[0].f * x[0] + w.bodies[2].f


@kept_in(FUNCTIONS)
def on_one_way_only(x):
    if x[0] > 0:
        w = World([Body(x[0]), Body(x[1])])
        w.forces()
        return w.bodies[1].f
    return x[0] * 3


@kept_in(FUNCTIONS)
def the_rest_handed_to_a_helper(x):
    bodies = [Body(x[0]), Body(x[1])]
    s = x[0]
    for i in range(3):
        push(bodies, i)
        s = s * x[1]
    return bodies[0].f * s + bodies[1].f


test_elements_that_lose_their_names = each_right(
    FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.5])
)
