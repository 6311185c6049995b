"""Tables of functions outside that hold others at the next call: gradients are those of what they hold by then."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import Function, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

READ: list[Function] = []
reading = kept_in(READ)
X, X_DOT = np.array([0.3, 0.7]), np.array([1.0, -2.0])


def square(v):
    return v * v


class Held:
    table: dict[str, Callable[..., Any]] = {"p": np.sin}


TABLE: dict[str, Callable[..., Any]] = {"p": np.sin, "q": np.cos}
STEPS: list[Callable[..., Any]] = [np.sin, np.cos]
PAIR = (STEPS, 2)
PLACE = types.SimpleNamespace(table={"p": np.sin})


def put(function, more):
    for table in (TABLE, PLACE.table, Held.table):
        table["p"] = function
        table.pop("r", None)
    STEPS[:] = [function, np.cos]
    if more:
        TABLE["r"] = np.exp
        STEPS.append(np.exp)


@reading
def by_a_key(x):
    return np.sum(TABLE["p"](x)) * 2


@reading
def run_over(x):
    total = 0.0
    for function in TABLE.values():
        total += np.sum(function(x))
    return total


@reading
def run_over_in_a_comprehension(x):
    return sum([np.sum(function(x)) for function in STEPS])


@reading
def in_a_tuple(x):
    return np.sum(PAIR[0][0](x)) * PAIR[1]


@reading
def of_an_object(x):
    return np.sum(PLACE.table["p"](x))


@reading
def of_a_class(x):
    return np.sum(Held.table["p"](x) ** 2)


def chosen(x, key):
    return TABLE[key](x)


@reading
def in_a_helper(x):
    return np.sum(chosen(x, "p") * chosen(x, "q"))


def _of_a_closure():
    table = TABLE

    def of_a_closure(x):
        return np.sum(table["p"](x))

    return of_a_closure


reading(_of_a_closure())


@pytest.mark.parametrize("function", READ, ids=named)
def test_gradients_of_what_they_hold(function):
    gradient, product = grad(function), hvp(function)
    for held, more in ((np.sin, False), (np.tanh, False), (square, True), (np.sin, False)):
        put(held, more)
        numeric = numeric_gradient(function, (X,), 0, 1.0)
        assert_close(gradient(X), numeric, held.__name__)
        assert_close(grad(function)(X), numeric, held.__name__)
        assert_close(jvp(function, (X,), (X_DOT,))[1], numeric @ X_DOT, held.__name__)
        slope = numeric_gradient(lambda z: np.sum(gradient(z) * X_DOT), (X,), 0, 1.0)
        assert_close(product(X, X_DOT), slope, held.__name__)
