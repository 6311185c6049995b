"""Arrays of records: their fields are read as any data; what varies is not stored there, which would lose its derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp, value_and_grad

FIELDS = [("x", float), ("v", float, 2), ("n", int)]
X = np.array([0.7, 1.1, 0.6, 0.9])


def catalogue() -> Any:
    table = np.zeros(4, dtype=FIELDS)
    table["x"], table["n"] = [0.5, 1.5, 2.5, 0.25], [1, 2, 3, 4]
    table["v"] = np.arange(8.0).reshape(4, 2)
    return table


def by_field(x, table):
    return np.sum(table["x"] * x**2) + np.sum(table["v"].T * x)


def by_record(x, table):
    s = 0.0
    for star, a in zip(table, x):
        s += star["x"] * a**2 * star["v"][1] ** star["n"]
    return s


def by_place(x, table):
    s = 0.0
    for i in range(len(table)):
        key = "x" if i % 2 else "n"
        s += table[i]["x"] * x[i] ** table["n"][i] + table[1:][0]["x"] * x[0] + table[key][i] * x[1]
    return s


@pytest.mark.parametrize("f", [by_field, by_record, by_place], ids=lambda f: f.__name__)
def test_fields_are_read(f: Callable[..., Any]) -> None:
    args = X, catalogue()
    assert_close(grad(f)(*args), numeric_gradient(f, args, 0, 1.0), f.__name__)


def stored(x):
    p = np.zeros(4, dtype=[("x", float), ("v", float)])
    p["x"] = x
    return p["x"] @ p["x"]


def stored_by_a_name_outside(x):
    p = np.zeros(4, dtype=FIELDS)
    p["x"] += x
    return p["x"] @ p["x"]


def stored_by_a_view(x):
    p = np.zeros(4, dtype=FIELDS)
    values = p["x"]
    values[:] = x
    return p["x"] @ p["x"]


def stored_as_a_record(x):
    p = np.zeros(2, dtype="f8,f8")
    p[0] = (x[0], x[1])
    return p["f0"] @ p["f1"]


def stored_in_a_loop(x):
    p = np.zeros(4, dtype=FIELDS)
    for record, a in zip(p, x):
        record["x"] = a
    return p["x"] @ p["x"]


def made_of_what_varies(x):
    p = np.array([(x[0], 1), (x[1], 2)], dtype=[("w", float), ("n", int)])
    return np.sum(p["w"] * p["n"])


def converted(x):
    return np.sum(x.astype([("a", float)])["a"])


STORING = [
    stored, stored_by_a_name_outside, stored_by_a_view, stored_as_a_record, stored_in_a_loop, made_of_what_varies, converted,
]  # fmt: skip


@pytest.mark.parametrize("f", STORING, ids=lambda f: f.__name__)
def test_what_varies_is_not_stored(f: Callable[..., Any]) -> None:
    for derivative in (grad(f), lambda x: jvp(f, (x,), (x,))):
        with pytest.raises(NotDifferentiable, match="an array of records holds"):
            derivative(X)


def changed_as_a_record(x, table):
    before = np.sum(x * table["x"]) ** 2
    table[0] = (7.0, [1.0, 2.0], 3)
    return before * np.sum(table["x"] * x)


def changed_by_a_name_for_it(x, table):
    before = np.sum(x * table["x"]) ** 2
    star = table[1]
    star["x"] = 9.0
    star["v"][0] = 4.0
    return before * np.sum(table["x"] * x) * np.sum(table["v"].T * x)


def changed_in_a_loop(x, table):
    before = np.sum(x * table["x"]) ** 2
    for star in table:
        star["x"] += 1.0
    return before * np.sum(table["x"] * x)


def read_by_a_name_after_it_changed(x, table):
    star, kept = table[2], table[2].copy()
    before = star["x"] * x[0] ** 2
    table[2] = (5.0, [1.0, 2.0], 3)
    return before * star["x"] * x[1] + kept["x"] * x[2] ** 2


CHANGED = [
    changed_as_a_record, changed_by_a_name_for_it, changed_in_a_loop, read_by_a_name_after_it_changed,
]  # fmt: skip


@pytest.mark.parametrize("f", CHANGED, ids=lambda f: f.__name__)
def test_records_are_views_of_their_places(f: Callable[..., Any]) -> None:
    numeric = numeric_gradient(lambda x: f(x, catalogue()), (X,), 0, 1.0)
    table = catalogue()
    value, gradient = value_and_grad(f)(X, table)
    assert value == f(X, catalogue())
    assert_close(gradient, numeric, f.__name__)
    assert_close(jvp(lambda x: f(x, catalogue()), (X,), (X,))[1], numeric @ X, f.__name__)
