"""Updates of what objects outside hold by what varies: numbers are bound anew, arrays raise, copies are updated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp

RIGHT: list[Callable[..., Any]] = []
HELD: list[Callable[..., Any]] = []

CONFIG = {"scale": 2.0, "steps": 3, "start": np.ones(2), "parts": [np.ones(2)]}


class Model:
    def __init__(self) -> None:
        self.scale = 1.5
        self.start = np.ones(2)


MODEL = Model()


def start() -> Any:
    return CONFIG["start"]


def updated(y, v):
    y += v
    return y


@kept_in(RIGHT)
def number_of_a_dict(x):
    k = CONFIG["scale"]
    k *= x[0]
    return k * x[1]


@kept_in(RIGHT)
def integer_of_a_dict_in_a_loop(x):
    total = 0.0
    for i in range(2):
        k = CONFIG["steps"]
        k -= x[i]
        total += k * k
    return total


@kept_in(RIGHT)
def number_of_an_object(x):
    k = MODEL.scale
    k += x[0] ** 2
    k /= x[1]
    return k


def copies(x):
    u, v, w = CONFIG["start"].copy(), np.copy(MODEL.start), 2 * MODEL.start
    a = np.array(start())
    a += x
    b = CONFIG["start"].copy()
    b *= x
    c = np.copy(MODEL.start)
    c -= x
    d = 2 * MODEL.start
    d /= x
    return np.sum(a * b * c * d) + np.sum(u + v + w)


@kept_in(HELD)
def array_of_a_dict(x):
    y = CONFIG["start"]
    y *= x
    return np.sum(CONFIG["start"] ** 2)


@kept_in(HELD)
def array_of_an_object(x):
    y = MODEL.start
    y *= x
    return np.sum(MODEL.start**2)


@kept_in(HELD)
def view_of_one(x):
    y = CONFIG["start"].reshape(2, 1)
    y += x[0]
    return np.sum(CONFIG["start"] ** 2)


@kept_in(HELD)
def array_that_a_helper_gives(x):
    y = start()
    y -= x
    return np.sum(start() ** 2)


@kept_in(HELD)
def array_given_to_a_helper(x):
    z = updated(start(), x[0])
    return np.sum(z * start())


@kept_in(HELD)
def items_of_a_list(x):
    for part in CONFIG["parts"]:
        part *= x
    return np.sum(CONFIG["parts"][0] ** 2)


@kept_in(HELD)
def one_of_two(x):
    y, z = CONFIG["start"], x
    y /= z
    return np.sum(CONFIG["start"] ** 2)


@kept_in(HELD)
def on_each_trip(x):
    y = start()
    for _ in range(2):
        y *= x
    return np.sum(start() ** 2)


@kept_in(HELD)
def where_another_way_gives_what_varies(x):
    y = start()
    if x[0] > 9.0:
        y = 2 * x
    y *= x
    return np.sum(start() ** 2)


@kept_in(HELD)
def view_where_another_way_gives_what_varies(x):
    y = start() if x[0] < 9.0 else 2 * x
    z = y[1:]
    z += x[1:]
    return np.sum(start() ** 2)


@kept_in(HELD)
def item_of_a_list_of_its_own(x):
    rows = [start()]
    rows[0] += x
    return np.sum(start() ** 2) + rows[0][0]


test_numbers_and_copies = each_right(RIGHT, np.array([0.7, 0.4]), np.array([0.3, -1.0]))


def test_copies() -> None:
    x, x_dot = np.array([0.7, 0.4]), np.array([0.3, -1.0])
    numeric = numeric_gradient(copies, (x,), 0, 1.0)
    assert_close(grad(copies)(x), numeric, "copies")
    assert_close(jvp(copies, (x,), (x_dot,))[1], numeric @ x_dot, "copies")


class Holder:
    def __init__(self):
        self.start = np.ones(2)


def lessen(x, start):
    start -= 0.1 * x
    return x


def lessen_and_forget(x, start):
    lessen(x, start)


@kept_in(RIGHT)
def as_an_array(x):
    holder = Holder()
    start = np.asarray(holder.start)
    start += x
    return np.sum(holder.start) * x[0]


def array_of(w):
    return np.asarray(w)


@kept_in(RIGHT)
def as_an_array_by_a_helper(x):
    holder = Holder()
    start = array_of(holder.start)
    start += x
    return np.sum(holder.start) * x[0]


@kept_in(HELD)
def as_floats_without_a_copy(x):
    holder = Holder()
    w = holder.start.astype(float, copy=False)
    w += x
    return np.sum(holder.start) * x[0]


@kept_in(HELD)
def as_an_array_that_is_no_copy(x):
    holder = Holder()
    w = np.array(holder.start, copy=None)
    w += x
    return np.sum(holder.start) * x[0]


@functools.cache
def remembered():
    return np.zeros(2)


@kept_in(HELD)
def what_a_cache_holds_after_it_was_emptied(x):
    w = remembered()
    w *= 0
    w += x
    return np.sum(remembered() ** 2)


@kept_in(HELD)
def by_a_helper_of_which_nobody_wants_what_it_gives(x):
    holder = Holder()
    lessen(x, holder.start)
    return np.sum(holder.start) * x[0]


@kept_in(HELD)
def by_a_helper_of_a_helper(x):
    holder = Holder()
    lessen_and_forget(x, holder.start)
    return np.sum(holder.start) + x[0]


@pytest.mark.parametrize("function", HELD, ids=named)
def test_arrays_that_others_hold(function: Callable[..., Any]) -> None:
    """When it runs, or before where it is known what they hold."""
    x = np.array([0.7, 0.4])
    for derivative in (grad(function), lambda x: jvp(function, (x,), (x,))):
        with pytest.raises(
            (TypeError, NotDifferentiable),
            match="has to be a real number|a global array is written to|that a global holds",
        ):
            derivative(x)
    assert np.array_equal(CONFIG["start"], np.ones(2))
    assert np.array_equal(MODEL.start, np.ones(2))
