"""Entropies, Jensen's and Shannon's distance, and values on a grid by scipy.interpolate.interpn: all of SciPy, they are written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_refused, each_right, kept_in
from scipy.interpolate import interpn
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from tangentish import grad
from tangentish.runtime import entropies, gridded

X, DIRECTION = np.array([1.0, 0.53, 2.21, 0.71]), np.array([0.3, -1.0, 0.4, 2.0])
GRID = (np.arange(3.0), np.array([0.0, 0.4, 1.1, 2.0]))
INSIDE, BEYOND = np.array([[0.3, 1.2], [1.4, 1.7]]), np.array([[-0.3, 1.2], [1.4, 2.6]])

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def of_counts(x):
    table = np.outer(x, x) + np.arange(16.0).reshape(4, 4)
    return entropy(x) + np.sum(entropy(table, base=2, axis=1) ** 2) * entropy(table, axis=None)


@form
def relative(x):
    table = np.outer(x, x) + np.arange(16.0).reshape(4, 4)
    apart = entropy(table, x[:, None], keepdims=True) + entropy(table, x)
    return entropy(x, qk=x[::-1] ** 2) + np.sum(apart**2) + entropy(x, np.ones(4), x[2])


@form
def apart(x):
    table = np.outer(x, x) + np.arange(16.0).reshape(4, 4)
    rows = jensenshannon(table, table.T + x, base=2.0, axis=1, keepdims=True)
    return np.sum(rows**2) + jensenshannon(x, x[::-1] ** 2) * jensenshannon(np.ones(4), x, x[2])


@form
def on_a_grid(x):
    values = np.outer(np.sin(x[:3]), x)
    inside = interpn(GRID, values, INSIDE + 0.01 * x[:2]) ** 2
    nearest = interpn(GRID, values, INSIDE, method="nearest") ** 2
    beyond = interpn(GRID, values, BEYOND, bounds_error=False, fill_value=None)
    filled = interpn(GRID, values, BEYOND, "linear", False, 0.3)
    return np.sum(inside) + np.sum(nearest * beyond) + np.sum(filled**2)


test_written_out = each_right(FUNCTIONS, X, DIRECTION)


def test_as_scipy_has_them() -> None:
    table = np.outer(X, X**2) + 1
    for qk in (None, table**2, X):
        ways: list[dict[str, Any]] = [{}, {"axis": 1}, {"base": 3.0, "keepdims": True}]
        for how in ways + [{"axis": None}] * (qk is not X):
            found = entropies.entropy(table, qk, **how)
            np.testing.assert_allclose(found, entropy(table, qk, **how), 1e-13)
    for how in ({}, {"axis": 1, "base": 2.0}, {"keepdims": True}):
        found = entropies.jensenshannon(table, X[:, None], **how)
        np.testing.assert_allclose(found, jensenshannon(table, X[:, None], **how), 1e-13)
    values = np.outer(X[:3], X)
    for method in ("linear", "nearest"):
        for fill in (None, 0.3):
            given: dict[str, Any] = {
                "method": method,
                "bounds_error": False,
                "fill_value": fill,
            }
            found = gridded.interpn(GRID, values, BEYOND, **given)
            np.testing.assert_array_equal(found, interpn(GRID, values, BEYOND, **given))


def without_gaps(x):
    return entropy(x, nan_policy="omit")


def test_gaps_are_not_left_out() -> None:
    check_refused(without_gaps, "nan_policy", X)


def test_the_distance_to_oneself_is_a_kink() -> None:
    def f(x):
        return jensenshannon(x, np.ones(3))

    np.testing.assert_array_equal(grad(f)(np.ones(3)), np.zeros(3))
