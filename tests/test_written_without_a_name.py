"""Arrays without a derivative that are written to where they have no name: as arguments of calls, by what functions give."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest
from every_mode import Function, check_along, check_refused, kept_in, named

from tangentish import NotDifferentiable, grad, vjp

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])
Pair = namedtuple("Pair", "a b")

PROGRAMS: list[Function] = []
REFUSED: list[Function] = []
program, refused = kept_in(PROGRAMS), kept_in(REFUSED)


def weights():
    return np.array([1.0, 3.0, 2.0, 4.0])


def raise_(q):
    q += 1


class Holder:
    def __init__(self, w):
        self.w = w


@program
def field_of_a_named_tuple(x):
    w = weights()
    s = np.sum(x * w) ** 2
    for _ in range(3):
        raise_(Pair(w, 1).a)
        s = s + np.sum(x * w) ** 2
    raise_(Pair(w, x).a)
    return s * np.sum(x * w)


@program
def attribute_of_an_object_made_here(x):
    w = weights()
    s = np.sum(x * w) ** 2
    raise_(Holder(w).w)
    return s * np.sum(x * w)


@program
def chosen(x):
    w = weights()
    s = np.sum(x * w) ** 2
    raise_(w if x[0] > 0 else x * 1)
    raise_(max([w], key=len))
    return s * np.sum(x * w)


@program
def given_by_a_generator_inside(x):
    w = weights()
    s = np.sum(x * w) ** 2

    def items():
        for k in range(2):
            yield k, w

    for k, q in items():
        s = s + np.sum(x * w) ** 2
        q *= k + 2
    return s * np.sum(x * w)


@program
def given_by_a_function_inside(x):
    w = weights()
    s = np.sum(x * w) ** 2

    def give():
        return w

    give().fill(3.0)
    q = (lambda: w)()
    q[1] = 7.0
    return s * np.sum(x * w)


@refused
def updated_in_an_array_of_objects(x):
    w = weights()
    s = np.sum(x * w) ** 2
    q = np.array([w, None], dtype=object)[0]
    q += 1
    return s * np.sum(x * w)


@refused
def stored_in_an_array_of_objects(x):
    w = weights()
    s = np.sum(x * w) ** 2
    held = np.empty(2, dtype=object)
    held[0] = w
    held[0][0] = 9.0
    return s * np.sum(x * w)


@refused
def filled_in_an_array_of_objects(x):
    w = weights()
    s = np.sum(x * w) ** 2
    held = np.empty(2, dtype=object)
    held[0] = w
    held[0].fill(3.0)
    return s * np.sum(x * w)


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_array_of_objects(function):
    check_refused(function, "an array of objects holds what is written to here", X)


def split_of_an_attribute(x, o):
    s = np.sum(x * o.w)
    np.hsplit(o.w, [2])[0][0] = 4
    np.real(o.w)[1:].fill(2.0)
    return s * np.sum(x * o.w)


def test_views_of_what_an_object_holds():
    before, after = weights(), np.array([4.0, 2.0, 2.0, 2.0])
    expected = (X @ after) * before + (X @ before) * after
    o = Holder(weights())
    assert np.allclose(grad(split_of_an_attribute)(X, o), expected)
    assert np.allclose(vjp(split_of_an_attribute, X, o)[1](1.0)[0], expected)
    assert np.array_equal(o.w, before)


def split_of_an_entry(x, table):
    s = np.sum(x * table["w"])
    np.hsplit(table["w"], [2])[0].fill(5.0)
    return s


def test_views_of_what_a_dict_holds_are_refused():
    with pytest.raises(NotDifferentiable, match="inside of another container"):
        grad(split_of_an_entry)(X, {"w": weights()})
