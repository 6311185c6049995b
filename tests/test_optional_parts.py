"""Parts of objects in a list that may be None: asked whether they are there, by their truth or for None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []


@dataclass
class Part:
    v: float


@dataclass
class Model:
    spring: Part
    damper: Part | None = None
    stop: Part | None = None


def models(x):
    return [
        Model(Part(x[0])),
        Model(Part(x[1]), Part(x[0] * x[1])),
        Model(Part(2.0), None, Part(x[1])),
    ]


@kept_in(FUNCTIONS)
def in_a_sum(ms):
    return sum(m.spring.v * (m.damper.v if m.damper else 3.0) for m in ms)


@kept_in(FUNCTIONS)
def left_out(ms):
    return sum(m.damper.v**2 for m in ms if m.damper and m.spring.v > 0)


@kept_in(FUNCTIONS)
def not_there(ms):
    listed = [m.spring.v if not m.stop else m.stop.v * m.spring.v for m in ms]
    return listed[0] * listed[1] * listed[2]


@kept_in(FUNCTIONS)
def in_a_loop(ms):
    s = 1.0
    for m in ms:
        if m.damper and not m.stop:
            s *= m.damper.v + (m.stop.v if m.stop is not None else m.spring.v)
        elif m.stop:
            s *= m.stop.v
    return s


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_of_given_models(function: Callable[..., Any]) -> None:
    x, eps = np.array([0.7, 1.3]), 1e-6
    ways = [("spring", 0), ("spring", 1), ("damper", 1), ("stop", 2)]
    given = models(x)
    gradient = grad(function)(given)
    for name, k in ways:
        part = getattr(given[k], name)
        old = part.v
        part.v = old + eps
        more = function(given)
        part.v = old - eps
        less = function(given)
        part.v = old
        found = getattr(gradient[k], name)
        np.testing.assert_allclose(
            0.0 if found is None else found.v, (more - less) / 2 / eps, 1e-5, 1e-8
        )
    assert gradient[0].damper is None
