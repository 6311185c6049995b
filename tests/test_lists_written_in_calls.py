"""`Basis(o, [0.1, 0.2])`: lists that are written down in a call, and changed by what is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from every_mode import Function, each_right, kept_in

RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


class Basis:
    def __init__(self, origin: Any, weights: list[Any], scale: Any = 2.0) -> None:
        self.origin = origin
        self.weights = weights
        self.normalize(scale)

    def normalize(self, scale: Any) -> None:
        for k in range(len(self.weights)):
            self.weights[k] *= scale


def overlap(basis: Basis) -> Any:
    s = 0.0
    for w in basis.weights:
        s += w**2 * basis.origin[0] * basis.origin[1]
    return s


def doubled(weights: list[Any]) -> Any:
    weights[0] *= 2.0
    weights.append(weights[0] ** 2)
    return sum(weights)


@kept_in(RIGHT)
def at_rest(x):
    basis = Basis(x, [0.1, 0.2])
    return overlap(basis)


@kept_in(RIGHT)
def by_what_varies(x):
    return overlap(Basis(x, [0.1, x[1]], x[0])) * x[1]


@kept_in(RIGHT)
def of_a_comprehension(x):
    return overlap(Basis(x, [v * 0.5 for v in (1.0, 2.0)]))


@kept_in(RIGHT)
def several(x):
    both = [Basis(x, [0.1, 0.2]), Basis(x * 2, [0.3])]
    return overlap(both[0]) * overlap(both[1])


@kept_in(RIGHT)
def after_others(x):
    return x[0] ** 2 * doubled([x[0], x[1]]) + doubled([x[1], 2.0])


test_right = each_right(RIGHT, X, X_DOT)
