"""copy.deepcopy of dicts that hold objects, by their attributes; of lists of them it is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_refused, each_right

X = np.array([0.7, 1.4, 0.9])


class Body:
    def __init__(self, v: Any, w: Any) -> None:
        self.v, self.w = v, w

    def pushed(self, f: Any) -> None:
        self.v += f * self.w


def of_a_dict(x):
    a = {"p": Body(x[0], x[1]), "t": x[2]}
    b = copy.deepcopy(a)
    b["p"].pushed(x[2])
    return a["p"].v * 3 + b["p"].v ** 2 * b["t"]


def of_a_list_in_a_dict(x):
    a = {"p": [Body(x[0], x[1])]}
    b = copy.deepcopy(a)
    b["p"][0].v *= 2
    return a["p"][0].v * 3 + b["p"][0].v * x[2]


def before_a_trial_step(x):
    s = {"p": Body(x[0], x[1])}
    for _ in range(2):
        old = copy.deepcopy(s)
        s["p"].pushed(x[2])
        if s["p"].v > 2.0:
            s["p"].v = old["p"].v * 0.5
    return s["p"].v * s["p"].w


FUNCTIONS: list[Callable[..., Any]] = [of_a_dict, of_a_list_in_a_dict, before_a_trial_step]


test_every_mode = each_right(FUNCTIONS, X, np.array([0.3, -1.0, 0.4]))


def of_a_list(x):
    a = [Body(x[0], x[1]), Body(x[1], x[2])]
    b = copy.deepcopy(a)
    b[0].v *= 2
    return a[0].v * 3 + b[0].v


def test_of_a_list_it_is_refused() -> None:
    check_refused(of_a_list, "is used as a whole", X)
