"""Views of what is an array on one way and a number on another: what is written through them is put back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, named


def by_a_view(x):
    q = 0.25
    w = x if q < 0.68 else q
    z = w[:]
    h = w * w
    z *= q
    return np.sum(h)


def by_the_data(x):
    w = x if x[0] < 10.0 else 2.0
    z = w[:]
    h = w * w
    w = 0.5
    z *= 0.25
    return np.sum(h) * w


def in_a_loop(x):
    w = x * 1.0 if x[0] < 10.0 else 2.0
    s = 0.0
    for _ in range(3):
        z = w[1:]
        s = s + np.sum(w * w)
        z *= 0.5
    return s


def read_afterwards(x):
    w = x * 1.0 if x[0] < 10.0 else 2.0
    z = w[:]
    h = w * w
    z *= x[1]
    return np.sum(h * w) + np.sum(z**2)


X = np.array([0.7, 1.4, 0.9])


@pytest.mark.parametrize("f", [by_a_view, by_the_data], ids=named)
def test_every_mode(f: Callable[..., Any]) -> None:
    check_along(f, X, np.array([0.3, -1.0, 0.4]))


@pytest.mark.parametrize("f", [in_a_loop, read_afterwards], ids=named)
def test_others_are_refused(f: Callable[..., Any]) -> None:
    check_refused(f, "'w' and 'z' may share memory", X)
