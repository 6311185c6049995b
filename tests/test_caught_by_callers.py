"""Lines of helpers that nobody reads, and that raise what a caller catches: gradients go the way that the function goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

HELPERS: list[Callable[..., Any]] = []
helper = kept_in(HELPERS)


@helper
def with_a_maximum(v, s):
    top = v.max()
    return s * 2.0


@helper
def with_a_place(v, s):
    place = np.argmax(v)
    return s * 2.0


@helper
def beside_another(v, s):
    least, twice = min(v), s * 2.0
    return twice


@helper
def with_an_array(v, s):
    z = np.zeros(len(v) - 4)
    return s * 2.0


@helper
def with_a_test(v, s):
    if v:
        pass
    return s * 2.0


@helper
def in_a_dict(v, s):
    return {"max": v.max(), "mean": s * 2.0}["mean"]


@helper
def by_another_helper(v, s):
    return with_a_maximum(v, s) * s


@pytest.mark.parametrize("given", HELPERS, ids=named)
@pytest.mark.parametrize("n", [1, 4])
def test_caught_where_it_is_called(given: Callable[..., Any], n: int) -> None:
    def f(x):
        try:
            k = given(x[n:], x[0])
        except ValueError:
            k = 5.0 * x[1]
        return k * np.sum(x)

    check_along(f, np.array([0.3, 0.7, 1.1, 0.6]), np.array([0.2, -0.4, 0.3, 0.9]))


def test_called_in_a_try_and_outside_of_it() -> None:
    def f(x):
        s = with_a_maximum(x, x[0])
        try:
            k = with_a_maximum(x[4:], x[0])
        except ValueError:
            k = 5.0 * x[1]
        return (s + k) * np.sum(x)

    check_along(f, np.array([0.3, 0.7, 1.1, 0.6]), np.array([0.2, -0.4, 0.3, 0.9]))
