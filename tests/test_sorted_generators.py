"""sorted(v for v in xs): all is taken before anything is compared, so that it is sorted([v for v in xs])."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []


class Agent:
    def __init__(self, wealth):
        self.wealth = wealth


@kept_in(FUNCTIONS)
def of_objects(x):
    agents = [Agent(x[0]), Agent(x[1] * 2), Agent(x[2])]
    w = sorted(a.wealth for a in agents)
    return w[0] + 2 * w[1] * w[2]


@kept_in(FUNCTIONS)
def of_an_array(x):
    w = sorted(v * v for v in x if v > 0.5)
    return w[0] + 2 * w[1]


@kept_in(FUNCTIONS)
def in_reverse(x):
    return sum(v * (k + 1) for k, v in enumerate(sorted((v * 2 for v in x), reverse=True)))


@kept_in(FUNCTIONS)
def by_a_key(x):
    w = sorted((v * 2 for v in x), key=lambda v: -v)
    return w[0] ** 2


test_sorted_generators = each_right(
    FUNCTIONS, np.array([0.9, 0.4, 0.7]), np.array([0.3, -1.0, 0.5])
)
