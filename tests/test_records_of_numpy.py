"""Arrays of records: their fields are read as any data; what varies is not stored there, which would lose its derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp

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
