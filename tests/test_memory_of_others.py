"""Arrays that objects outside hold, and write to later: the function sees the changes, the gradient has what was read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, vjp

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 0.4]), np.array([1.0, -2.0])


class Model:
    def __init__(self):
        self.begin()

    def begin(self):
        self.w = np.array([1.0, 2.0])
        self.ws = [np.ones(2), np.arange(2.0)]
        self.table = {"a": np.ones(2)}

    def grow(self):
        self.w += 1
        self.ws[0][:] += 1
        self.table["a"] *= 2

    def weights(self):
        return self.w

    def both(self):
        return self.w, self.ws[1]

    def advance(self):
        self.w *= 1.5
        return self.w

    def step(self):
        self.w *= 1.5
        return 2.0


MODEL = Model()
MODELS = [MODEL, MODEL]
TABLE: dict[str, Any] = {}


def begin():
    MODEL.begin()
    TABLE["w"] = np.array([1.0, 2.0])


def change_table():
    TABLE["w"][0] += 2


# ---------------------------------------------------------------- under a name, which shows the change


@kept_in(RIGHT)
def of_an_attribute(x):
    begin()
    w = MODEL.w
    y = x * w
    MODEL.grow()
    return np.sum(y * w * y)


@kept_in(RIGHT)
def of_a_method(x):
    begin()
    w = MODEL.weights()
    y = x * w
    MODEL.grow()
    return np.sum(y * w * y)


@kept_in(RIGHT)
def read_after_only(x):
    begin()
    a = MODEL.advance()
    MODEL.grow()
    return np.sum(a * x * x)


@kept_in(RIGHT)
def of_a_view(x):
    begin()
    w = MODEL.w[1:]
    y = x[1:] * w
    MODEL.grow()
    return np.sum(y * w * y) * x[0]


@kept_in(RIGHT)
def of_an_entry(x):
    begin()
    w = TABLE["w"]
    y = x * w
    change_table()
    return np.sum(y * w * y)


@kept_in(RIGHT)
def of_two_steps(x):
    begin()
    a = MODEL.advance()
    y = x * a
    b = MODEL.advance()
    return np.sum(y * a * y * b)


@kept_in(RIGHT)
def the_same_object(x):
    begin()
    w = MODEL.w
    MODEL.grow()
    y = x * w * x
    return np.sum(y) * (w is MODEL.w)


@kept_in(RIGHT)
def in_a_loop(x):
    begin()
    w = MODEL.w
    s = 0.0
    for _ in range(3):
        s = s + np.sum(x * w * x) * s + x[0]
        MODEL.grow()
    return s * np.sum(w * x)


@kept_in(RIGHT)
def in_a_loop_of_no_trips(x):
    begin()
    w = MODEL.w
    s = x * 1.0
    for _ in range(int(0 * x[0])):
        s = s * w
        MODEL.grow()
    return np.sum(s * w * s)


@kept_in(RIGHT)
def in_nested_loops(x):
    begin()
    w = MODEL.w
    for _ in range(2):
        for _ in range(2):
            x = x * w / 3
            MODEL.grow()
        x = x * w / 3
    return np.sum(x * x)


@kept_in(RIGHT)
def on_one_way(x):
    begin()
    w = np.ones(2)
    if x[0] > 0:
        w = MODEL.w
    y = x * w
    MODEL.grow()
    return np.sum(y * w * y)


@kept_in(RIGHT)
def bound_anew(x):
    begin()
    w = MODEL.w
    y = x * w
    w = MODEL.advance()
    y = y * w
    MODEL.grow()
    w = w * 1.0
    return np.sum(y * y * w)


@kept_in(RIGHT)
def changed_in_the_line(x):
    begin()
    w = MODEL.w
    s = 1.0
    s += np.sum(w * x) * MODEL.step()
    s *= np.sum(w * x * x)
    return s


@kept_in(RIGHT)
def in_products(x):
    begin()
    w = MODEL.w
    y = np.dot(w, x)
    MODEL.grow()
    return y * np.dot(x, w) * w[0] * w.sum()


@kept_in(RIGHT)
def in_stores(x):
    begin()
    w = MODEL.w
    z = np.zeros(2)
    z[0] = x[0] * w[0]
    MODEL.grow()
    z[1] = z[0] * w[1]
    z += w * x
    return z @ z


# ---------------------------------------------------------------- by way of something else


@kept_in(RIGHT)
def by_displays(x):
    begin()
    xs, p, d = [MODEL.w], (MODEL.w, 1.0), {"q": MODEL.w}
    y = x * xs[0] * p[0] * d["q"] * x
    MODEL.grow()
    return np.sum(y * xs[0])


@kept_in(RIGHT)
def by_copies_of_containers(x):
    begin()
    ws, d = list(MODEL.ws), dict(MODEL.table)
    first = [*MODEL.ws][0]
    y = x * ws[0] * d["a"] * first * x
    MODEL.grow()
    return np.sum(y * first * d["a"])


@kept_in(RIGHT)
def by_a_comprehension(x):
    begin()
    ws = [w for w in MODEL.ws]
    y = x * ws[0] * x
    MODEL.grow()
    return np.sum(y * ws[0])


@kept_in(RIGHT)
def by_unpacking(x):
    begin()
    w, v = MODEL.both()
    y = x * w * x * v
    MODEL.grow()
    return np.sum(y * w)


@kept_in(RIGHT)
def by_stores_to_containers(x):
    begin()
    xs, d = [], {}
    for _ in range(2):
        xs.append(MODEL.w)
    d["k"] = MODEL.w
    y = x * xs[0] * d["k"] * x
    MODEL.grow()
    return np.sum(y * xs[1] * d["k"])


@kept_in(RIGHT)
def by_a_choice(x):
    begin()
    w = MODEL.w if x[0] > 0 else TABLE["w"]
    y = x * w
    MODEL.grow()
    return np.sum(y * w * y)


@kept_in(RIGHT)
def by_functions_that_give_views(x):
    begin()
    w, v = np.asarray(MODEL.w), np.ravel(MODEL.w)
    y = x * w * v
    MODEL.grow()
    return np.sum(y * w * y * v)


ROWS = [np.ones(2)]


def doubled(w):
    w *= 2.0
    return w


@kept_in(RIGHT)
def where_a_helper_writes_to_it_and_gives_it(x):
    begin()
    y = np.sum(x**2 * MODEL.w)
    _ = doubled(MODEL.w)
    return y * np.sum(x * MODEL.w)


@kept_in(RIGHT)
def root_of_an_array_under_another_name(x):
    begin()
    w, v = np.asarray(MODEL.w), MODEL.w
    y = np.sum(x * np.sqrt(w))
    v *= 2.0
    return y * np.sum(x * np.sqrt(w))


@kept_in(RIGHT)
def item_of_a_copy_of_a_list_of_the_module(x):
    begin()
    w = list(ROWS)[0]
    w[:] = 1.5
    y = np.sum(x**2 * ROWS[0])
    w += 1.0
    return y * np.sum(x * ROWS[0])


@kept_in(RIGHT)
def by_zip(x):
    begin()
    s = 0.0
    for w, v in zip(MODEL.ws, x, strict=True):
        s = s + np.sum(w * v * x)
    MODEL.grow()
    return s


@kept_in(RIGHT)
def a_buffer_filled_again(x):
    begin()
    a = MODEL.advance()
    y = x * a
    b = MODEL.advance()
    return np.sum(y * a * y * b)


@kept_in(RIGHT)
def beside_what_holds_it(x):
    begin()
    s = 0.0
    for w, model in [(MODEL.ws[0], MODEL), (MODEL.w, MODEL)]:
        s = s + np.sum(w * x * x)
        model.grow()
    return s


@kept_in(RIGHT)
def pairs_with_a_name(x):
    begin()
    pairs = [(m.w, m) for m in MODELS]
    s = 0.0
    for w, model in pairs:
        s = s + np.sum(w * x * x)
        model.grow()
    return s


@kept_in(RIGHT)
def sorted_ones(x):
    begin()
    ws = sorted([w for w in MODEL.ws], key=lambda w: -w[0])
    y = x * ws[0]
    MODEL.grow()
    return np.sum(y * y * ws[1])


@functools.lru_cache
def factor(k):
    return 1.0 * k


def scaled(v, k):
    return factor(k) * v


@kept_in(RIGHT)
def a_product_in_place(x):
    y = scaled(np.array([0.4, 2.0]), 2)
    y *= x[0]
    return np.sum(y * x)


@kept_in(RIGHT)
def a_quotient_in_place(x):
    y = scaled(np.array([0.4, 2.0]), 3)
    y /= x
    return np.sum(y * y)


@kept_in(RIGHT)
def powers_in_place(x):
    total = 0.0
    for k in range(1, 4):
        y = scaled(np.array([0.4, 2.0]), k)
        y **= x[1]
        y *= x
        total += np.sum(y * y)
    return total


@kept_in(RIGHT)
def products_in_branches(x):
    y = scaled(np.array([0.4, 2.0]), 2)
    if x[0] > 0:
        y *= x[1]
    else:
        y /= x[1]
    return np.sum(y)


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, X, X_DOT)


def raised_by(y, k):
    y += k
    return y


def written_to(x):
    w = raised_by(MODEL.w, 1.0)
    y = np.sum(x * w) ** 2
    w[0] = 9.0
    return y * np.sum(x * MODEL.w)


def test_what_others_hold_is_not_put_back() -> None:
    """The way back reads copies, so that what the function has written to the memory of others stays there."""
    begin()
    written_to(X)
    after = MODEL.w.copy()
    begin()
    expected = numeric_gradient(lambda x: (begin(), written_to(x))[1], (X,), 0, 1.0)
    begin()
    assert_close(grad(written_to)(X), expected, "written_to")
    assert np.array_equal(MODEL.w, after)
    begin()
    _, pullback = vjp(written_to, X)
    MODEL.w[:] = 100.0
    assert_close(pullback(1.0)[0], expected, "written_to")
    assert np.all(MODEL.w == 100.0)
