"""Objects outside that answer comparisons, or a call of `hash`, by an exception: nobody asks them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tangentish import check_grad


class Registry:
    """A module in disguise, as packages put one into `sys.modules`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self.scales = {"small": 0.5, "large": 2.0}

    def __eq__(self, other: object) -> bool:
        raise TypeError("registries are not compared")

    def scale(self, name: str, default: float) -> float:
        return self.scales.get(name, default)

    def __call__(self, a: Any, b: Any) -> Any:
        return a * b + a


REGISTRY = Registry()
X = np.array([0.7, 1.3, 0.4])


def test_a_method_with_two_arguments() -> None:
    def scaled(x):
        return np.sum(x**2) * REGISTRY.scale("small", 1.0)

    check_grad(scaled, X)


def test_one_that_is_handed_to_reduce() -> None:
    def folded(x):
        return functools.reduce(REGISTRY, [x[0], x[1], x[2]])

    check_grad(folded, X)
