"""`np.r_` of what carries no derivative is a vector, and `np.interp` in tables of which nothing is known a number."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named

from tangentish import NotDifferentiable, grad, jvp

FUNCTIONS: list[Function] = []
OTHERS: list[Function] = []
kept, otherwise = kept_in(FUNCTIONS), kept_in(OTHERS)
X, X_DOT = np.array([0.13, 0.07, -0.11]), np.array([0.3, -0.7, 1.1])
CUTS = np.array([1.0, 2.0])
POLAR = {"alpha": np.array([-0.2, 0.0, 0.2]), "cl": np.array([-0.5, 0.4, 1.3])}
TURNED = {"alpha": np.array([-0.2, 0.0, 0.2]), "cl": np.array([-0.5, 0.4j, 1.3])}


@kept
def padded(x):
    edges = np.r_[0, CUTS * x.shape[0], np.inf]
    h = 0.0
    for k in range(len(x)):
        if edges[k] < 4.5:
            h += np.exp(x[k]) * (min(4.5, edges[k + 1]) - edges[k])
    return h


@kept
def as_long_as_two_more(x):
    z = np.r_[x.shape[0], np.ones(len(x)), 0.5]
    return np.sum(z[1:-1] * x**2) * z[0]


@kept
def of_numbers_alone(x):
    return np.sum(np.r_[1, 2, 3.5] * x**2)


@kept
def looked_up(x):
    a = 0.3
    for k in range(3):
        a = 0.5 * a + np.interp(a - x[k], POLAR["alpha"], POLAR["cl"]) * x[k]
    return a


@otherwise
def all_at_once(x):
    return np.sum(np.interp(x**2 - 0.01, POLAR["alpha"], POLAR["cl"]) * x)


@otherwise
def of_matrices(x):
    return np.sum(np.r_[np.ones((1, 3)), 2 * np.eye(3)] @ x**2)


@otherwise
def of_ranges_and_options(x):
    return np.sum(np.r_[0:3] * x**2) + np.sum(np.r_["0,2", [1, 2, 3]] * x)


test_every_mode = each_right([*FUNCTIONS, *OTHERS], X, X_DOT)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_nothing_is_summed(function: Function) -> None:
    assert "unbroadcast(" not in grad(function).source(X)


def test_complex_tables() -> None:
    def in_complex_tables(x):
        return np.abs(np.interp(x[0] * 2, TURNED["alpha"], TURNED["cl"]) * x[1]) ** 2

    with pytest.raises(NotDifferentiable, match="complex number"):
        grad(in_complex_tables)(X)
    with pytest.raises(NotDifferentiable, match="complex number"):
        jvp(in_complex_tables, (X,), (X_DOT,))
