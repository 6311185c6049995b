"""`locals()` that a line hands to a function: a check that looks up a variable by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


def check(variables, name, shape):
    if variables[name].shape != shape:
        raise ValueError(f"{name} must be {shape}")
    return variables[name].shape[0]


def total(variables, *names):
    return sum(variables[name] for name in names)


@kept_in(RIGHT)
def checked_first(vector):
    check(locals(), "vector", (3,))
    return np.sqrt(np.sum(vector**2))


@kept_in(RIGHT)
def what_there_is_by_then(x):
    """Has a docstring."""
    y, z = x[0] ** 2, x[1]
    n = check(locals(), "x", (3,))
    z = z * 2
    return total(locals(), "y", "z", "n") * y


@kept_in(RIGHT)
def given_back(x, scale=2.0):
    y = np.sin(x[2])
    return total(locals(), "y", "scale") * x[0]


@refused_in(REFUSED)("any variable")
def after_a_branch_that_binds(x):
    if x[0] > 0:
        y = x[1]
    return total(locals(), "y") * x[0]


@refused_in(REFUSED)("any variable")
def after_one_is_deleted(x):
    y = z = x[1]
    del z
    return total(locals(), "y") * y


@kept_in(RIGHT)
def after_a_comprehension(x):
    parts = [v * v for v in x]
    if x[0] > 5:
        parts = [x[0]]
    n = parts[2]
    return total(locals(), "n") * parts[1]


@refused_in(REFUSED)("any variable")
def in_a_branch(x):
    y = x[1]
    if x[0] > 0:
        y = total(locals(), "y") * 2
    return y


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
