"""Attributes of a class that an object updates: what it had from its class is read, and its own is stored."""

from __future__ import annotations

import numpy as np
from every_mode import check_along, check_refused

X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


class Scaled:
    k = 2.0


class OfAnArray:
    k = np.ones(2)


def test_updated() -> None:
    def function(x):
        a = Scaled()
        a.k += x[0]
        return a.k * x[1]

    check_along(function, X, X_DOT)


def test_an_array_updated() -> None:
    def function(x):
        a = OfAnArray()
        a.k += x[0]
        return np.sum(a.k) * x[1]

    check_refused(function, "what the class holds is updated here: write o.k = o.k + v", X)


def test_written_out() -> None:
    def function(x):
        a = Scaled()
        a.k = a.k + x[0]
        return a.k * x[1]

    check_along(function, X, X_DOT)
