"""`Model(w).fit(x, y).score()`: methods that make attributes, give the object back, and are asked in the same line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, named

DATA, AIMS = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 5.0])


class Line:
    def __init__(self, w: Any) -> None:
        self.w = w

    def fit(self, x: Any, y: Any) -> Line:
        self.rest_ = y - self.w * x
        return self

    def weighed(self, v: Any) -> Line:
        self.weight_ = v
        self.rest_ = self.rest_ * v
        return self

    def score(self) -> Any:
        return np.sum(self.rest_**2)

    @property
    def first(self) -> Any:
        return self.rest_[0]


class Chain:
    def __init__(self, *steps: tuple[str, Line]) -> None:
        self.steps = steps

    def run(self) -> Any:
        s = 0.0
        for _, step in self.steps:
            s += step.fit(DATA, AIMS).weighed(s + 2.0).score()
        return s


def at_once(x):
    return Line(x[0]).fit(DATA, AIMS).score() * x[1]


def of_a_name(x):
    m = Line(x[0])
    return x[1] * m.fit(DATA, AIMS).score() + np.sum(m.rest_)


def one_after_the_other(x):
    return Line(x[0]).fit(DATA, AIMS).weighed(x[1]).score() * x[2]


def in_a_loop(x):
    s = 0.0
    for k in range(3):
        s += Line(x[0] * k).fit(DATA, AIMS).score() * x[k]
    return s


def on_each_way(x):
    m = Line(x[0])
    if x[1] > 0:
        s = m.fit(DATA, AIMS).score()
    else:
        s = m.fit(AIMS, DATA).score() * 2.0
    return s * m.rest_[0]


def of_an_element(x):
    lines = [Line(x[0]), Line(x[1])]
    s = lines[1].fit(DATA, AIMS).weighed(x[2]).score()
    return s * lines[0].fit(AIMS, DATA).first + np.sum(lines[1].rest_) * x[0]


def of_an_entry(x):
    lines = {"a": Line(x[0])}
    return x[1] * lines["a"].fit(DATA, AIMS).first ** 2 + np.sum(lines["a"].rest_)


def of_attributes(x):
    chain = Chain(("a", Line(x[0])), ("b", Line(x[1])))
    return chain.run() + chain.steps[0][1].weighed(x[2]).first


def of_each(x):
    s, lines = 0.0, [Line(x[0]), Line(x[1])]
    for line in lines:
        s += line.fit(DATA, AIMS).first ** 2
    return s + lines[0].weighed(x[2]).score()


FUNCTIONS: list[Callable[..., Any]] = [
    at_once, of_a_name, one_after_the_other, in_a_loop, on_each_way,
    of_an_element, of_an_entry, of_attributes, of_each,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_every_mode(f: Callable[..., Any], sign: float) -> None:
    check_along(f, np.array([0.7, 1.4 * sign, 0.9]), np.array([0.3, -1.0, 0.4]))
