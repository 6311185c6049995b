"""What NumPy's numbers have as arrays do: `x[0].flat`, and `s.T` where the tangent of `s` is 0.0 on one way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4]), np.array([1.0, -2.0, 0.5])


@kept_in(RIGHT)
def element_of_flat(x):
    y = x[0] * x[1]
    return y.flat[0] * np.sum(x).flat[-1] + np.sum(x[2].flat) ** 2


@kept_in(RIGHT)
def flat_run_over(x):
    s = 0.0
    for v in np.sum(x).flat:
        s += v**2
    (first,) = x[0].flat
    return s * first


@kept_in(RIGHT)
def flat_of_no_axes(x):
    return np.array(x[1]).flat[0] ** 3 + sum(x[:2].flat)


def at_rest(ask):
    """A number that varies on one way only, asked there and elsewhere."""

    def f(x):
        low, high = np.float64(2.0), np.float64(3.0)
        if x[0] > 0:
            high = x[1] * x[2]
        return ask(low) * x[0] ** 2 + ask(high) * x[1] ** 2

    return kept_in(RIGHT)(f)


for asked in (
    lambda s: s.T,
    lambda s: s.item(),
    lambda s: s.astype(float),
    lambda s: s.flatten()[0],
):
    at_rest(asked)

test_one_way = each_right(RIGHT, X, X_DOT)
test_the_other_way = each_right(RIGHT, -X, X_DOT)
