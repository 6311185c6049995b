"""Arrays that a list, a dict or an object outside holds, written to after they were read: the gradient has them as they were."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 0.4]), np.array([1.0, -2.0])

TABLE: dict[str, Any] = {}
ROWS: list[Any] = []
MODULE = types.ModuleType("config")


class Settings:
    rows: list[Any]


def begin():
    TABLE.clear()
    TABLE.update(a=np.ones(2), inner={"b": np.ones(2)}, rows=[np.ones(2)])
    ROWS[:] = [np.ones(2)]
    MODULE.table = {"a": np.ones(2)}
    Settings.rows = [np.ones(2)]


def change(d):
    d["a"][0] = 7.0


def change_table():
    TABLE["a"][0] = 7.0


@kept_in(RIGHT)
def stored_to(x):
    begin()
    y = x * TABLE["a"]
    TABLE["a"][0] = 7.0
    return np.sum(y) ** 2


@kept_in(RIGHT)
def by_a_helper_that_is_given_it(x):
    begin()
    y = x * TABLE["a"]
    change(TABLE)
    return np.sum(y) ** 2 * TABLE["a"][0]


@kept_in(RIGHT)
def by_a_helper_that_finds_it(x):
    begin()
    y = x * TABLE["a"]
    change_table()
    return np.sum(y) ** 2


@kept_in(RIGHT)
def in_a_list(x):
    begin()
    y = x * ROWS[0]
    ROWS[0] *= 7.0
    z = y * ROWS[0]
    ROWS[0].fill(2.0)
    return np.sum(z * ROWS[0]) ** 2


@kept_in(RIGHT)
def one_within_another(x):
    begin()
    y = x * TABLE["inner"]["b"] * TABLE["rows"][0]
    TABLE["inner"]["b"][0] = 5.0
    TABLE["rows"][0] += 2.0
    return np.sum(y * TABLE["inner"]["b"]) ** 2


@kept_in(RIGHT)
def in_a_loop(x):
    begin()
    s = 0.0
    for _ in range(3):
        s = s + np.sum(x * TABLE["a"]) ** 2
        TABLE["a"][0] += 1.0
    return s


@kept_in(RIGHT)
def of_modules_and_classes(x):
    begin()
    y = x * MODULE.table["a"] * Settings.rows[0]
    MODULE.table["a"][0] = 7.0
    Settings.rows[0][1] = 3.0
    return np.sum(y) ** 2


@kept_in(RIGHT)
def read_by_a_function(x):
    begin()

    def total():
        return np.sum(x * TABLE["a"])

    y = total()
    TABLE["a"][1] = 3.0
    return y**2


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, X, X_DOT)
