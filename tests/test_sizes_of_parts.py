"""Of parts of arrays the way back may read the size alone: what stood there is not kept for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


@kept_in(RIGHT)
def mixed(x):
    u = x * 1.0
    for _ in range(2):
        u[0] = u[1] + x[2]
        for i in range(len(u) - 1):
            if u[i] < u[i + 1]:
                u[i : i + 2] = u[i : i + 2].mean()
    return u[1] ** 2


@kept_in(RIGHT)
def means_of_masked_parts(x):
    u = x * 1.0
    s = 0.0
    for i in range(3):
        s += u[u > 0.5].mean() * x[i]
        u[i] = 0.2 * u[i + 1] + s
    return s + u[0]


@kept_in(RIGHT)
def means_to_places_that_are_overwritten(x):
    u, k = x * 1.0, np.array([0, 3, 1])
    s = 0.0
    for i in range(3):
        s += u[: k[i] + 1].mean() * u[k[i]]
        u[k[i]] = u[k[i]] * x[i]
        k[i] = 2
    return s * u.mean()


test_right = each_right(RIGHT, X, X_DOT)


def test_nothing_is_kept_for_a_size() -> None:
    assert "u_tape" not in grad(mixed).source(X)
