"""Functions that a call gives back beside other values, and that are taken out of that: `pair(lambda z: ...)[0]`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

X = np.array([0.7, 1.2, -0.4])
X_DOT = np.array([0.3, -1.0, 0.8])
FUNCTIONS: list[Any] = []


def with_a_number(function):
    return function, 0.5


def with_what_varies(function, q):
    return function, q * q


def under_a_name(function):
    return {"f": function, "rest": 2.0}


@kept_in(FUNCTIONS)
def beside_a_number(x):
    scaled = with_a_number(lambda z: z * x[0])[0]
    return scaled(x[1])


@kept_in(FUNCTIONS)
def beside_a_number_unpacked(x):
    scaled, half = with_a_number(lambda z: z * x[0])
    return scaled(x[1]) * half


@kept_in(FUNCTIONS)
def called_by_another(x):
    scaled = with_a_number(lambda z: z * x[0])[0]
    moved = lambda z: scaled(z) - x[1]  # noqa: E731
    return moved(x[2]) * moved(x[0])


@kept_in(FUNCTIONS)
def beside_what_varies(x):
    both = with_what_varies(lambda z: z * x[0], x[1])
    return both[0](both[1])


@kept_in(FUNCTIONS)
def in_a_dict(x):
    return under_a_name(lambda z: z * x[0])["f"](x[1]) * x[2]


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function) -> None:
    check_along(function, X, X_DOT)
