"""Functions that a call in a loop hands on, and that read an argument of the function around: `handed(partial(...))`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

X = np.array([0.7, 0.2, -0.4])
X_DOT = np.array([0.3, -1.0, 0.8])
FUNCTIONS: list[Any] = []


def handed(p):
    return p


@kept_in(FUNCTIONS)
def called_at_once(x):
    def rate(k, y):
        return -k * y * x

    y = x
    for _ in range(2):
        y = y + handed(partial(rate, 0.5))(y)
    return np.sum(y)


@kept_in(FUNCTIONS)
def put_into_a_list(x):
    def rate(k, y):
        return -k * y * x

    y = x
    for _ in range(2):
        rates = [handed(partial(rate, 0.5))]
        y = y + rates[0](y)
    return np.sum(y)


@kept_in(FUNCTIONS)
def run_over(x):
    def rate(k, y):
        return -k * y * x

    y = x
    for _ in range(2):
        for f in [handed(partial(rate, np.sum(y)))]:
            y = y + f(y)
    return np.sum(y)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function) -> None:
    check_along(function, X, X_DOT)
