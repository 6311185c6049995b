"""Formulas in a dict, or a list, of the module that a loop asks one after another: each may read what others gave."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named
from numeric import assert_close

from tangentish import grad

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([100.0, 12.0, 7.0]), np.array([3.0, -0.2, 0.5])
HERE: ModuleType = sys.modules[__name__]

SHEET = {
    "revenue": lambda c: c["units"] * c["price"],
    "costs": lambda c: c["units"] * c["unit_cost"] + c["fixed"],
    "profit": lambda c: c["revenue"] - c["costs"],
}


def rate(c):
    return c["k"] * c["a"]


def loss(c):
    return c["rate"] ** 2 / c["a"]


STEPS = [("rate", rate, 0.5), ("loss", loss, 2.0)]
CHANGED = {"b": lambda c: c["a"] * 2.0, "d": lambda c: c["a"] + c["b"]}


def given(x):
    return {"units": x[0], "price": x[1], "unit_cost": x[2], "fixed": 10.0}


@right
def sheet(x):
    cells = given(x)
    for name, formula in SHEET.items():
        cells[name] = formula(cells)
    return cells["profit"] ** 2


@right
def by_names(x):
    cells = dict(given(x))
    for name in SHEET:
        cells[name] = SHEET[name](cells)
    return cells["profit"] * cells["revenue"]


@right
def in_a_helper(x):
    def filled(inputs):
        cells = dict(inputs)
        for name, formula in SHEET.items():
            cells[name] = formula(cells)
        return cells

    return filled(given(x))["profit"] ** 2


@right
def list_of_rows(x):
    cells = {"k": x[0], "a": x[1]}
    for name, formula, weight in STEPS:
        cells[name] = weight * formula(cells)
    return cells["loss"] + cells["rate"]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)


def test_a_table_that_changes_is_read_again(monkeypatch):
    def f(a):
        cells = {"a": a}
        for name, formula in CHANGED.items():
            cells[name] = formula(cells)
        return cells["d"]

    gradient = grad(f)
    assert_close(gradient(2.0), 3.0, "as it stands")
    monkeypatch.setitem(CHANGED, "b", lambda c: c["a"] ** 2)
    assert_close(gradient(2.0), 5.0, "another formula")
    monkeypatch.setattr(HERE, "CHANGED", {"d": lambda c: 7.0 * c["a"]})
    assert_close(gradient(2.0), 7.0, "another table")
    monkeypatch.setitem(HERE.CHANGED, "e", lambda c: c["a"])
    assert_close(gradient(2.0), 7.0, "one more")
    monkeypatch.setitem(HERE.CHANGED, "d", lambda c: 3.0 * c["a"])
    assert_close(gradient(2.0), 3.0, "another again")
