"""Lessons of the order of evaluation: what is read before a call in the same expression that changes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpus import values
from lessons import Lesson, Lessons, check_lesson

lesson = Lessons()


def v3() -> tuple[Any, ...]:
    return (values(1, 3),)


def m33() -> tuple[Any, ...]:
    return (values(1, 3, 3),)


class Cell:
    """Keeps the last state."""

    def __init__(self, h):
        self.h = h

    def step(self, x):
        self.h = self.h * x
        return self.h


def less(a, b):
    return a - 2 * b


def scaled(y):
    y[0] = y[0] * y[1]
    return y[0]


def used(d, t):
    return d["a"] * t


# ------------------------------------------------------------------------------ indices of stores


@lesson("stores", v3)
def value_before_an_index_that_pops(x):
    y = x * 2
    places = [0, 1, 2]
    y[places.pop()] = x[len(places) - 1] * x[2]
    y[places.pop()] = x[len(places) - 1] * y[2]
    return y


@lesson("stores", v3)
def value_before_an_index_that_writes(x):
    y = x * 2

    def grow():
        y[1] += y[0]
        return 1

    y[grow()] = y[1] * y[2]
    return y


@lesson("stores", v3)
def value_before_an_index_that_writes_elsewhere(x):
    y = x * 2
    z = x * 3

    def grow(v):
        v[1] += v[0]
        return 1

    z[grow(y)] = y[1] * y[2]
    return y * z


@lesson("stores", v3)
def value_before_an_index_of_a_list_and_a_dict(x):
    y = x * 2
    z = [x[0], x[1]]
    d = {1: x[2]}

    def grow(v):
        v[1] += v[0]
        return 1

    z[grow(y)] = y[1]
    d[grow(y)] = y[1] * y[1]
    return z[1] * y[1] + d[1]


@lesson("stores", v3)
def values_before_one_of_several_places(x):
    y = x * 2
    z = x * 3

    def grow(v):
        v[1] += v[0]
        return 1

    y[0], z[grow(y)] = y[1] * y[2], y[0]
    return y * z


# ------------------------------------------------------------------------------ attributes, entries


@lesson("order", v3)
def attributes_before_a_method(x):
    o = Cell(x[0])
    return o.h + o.step(x[1]) * o.h + o.h * o.step(x[2])


@lesson("order", v3)
def counters_before_a_method(x):
    o = Cell(2)
    return x[0] * o.h + o.step(3) * o.h * x[1] + o.h * o.step(4) * x[2]


@lesson("order", v3)
def entries_before_a_closure(x):
    s = {"a": x[0]}

    def step():
        s["a"] = s["a"] * x[1]
        return s["a"]

    return s["a"] + step() * s["a"] + s["a"] * step()


@lesson("order", v3)
def attributes_as_arguments(x):
    o = Cell(x[0])
    return less(o.h, o.step(x[1])) + less(a=o.h * 2, b=o.step(x[2]))


@lesson("order", v3)
def attributes_in_displays(x):
    o = Cell(x[0])
    t = (o.h, o.step(x[1]), o.h)
    a, b, c = o.h, o.step(x[2]), o.h
    return t[0] + 2 * t[1] + 5 * t[2] + 7 * a + 11 * b + 13 * c


@lesson("order", v3)
def attributes_in_calls_with_rules(x):
    o = Cell(x[0])
    return np.dot(np.array([o.h, o.step(x[1]), o.h]), x) + max(o.h, o.step(x[2]))


@lesson("order", v3, m33)
def arrays_that_are_bound_anew(x):
    o = Cell(x)
    return np.sum(o.h * o.step(2.0))


@lesson("order", v3, m33)
def arrays_that_are_changed_in_place(x):
    d = {"a": x * 2}

    def step():
        d["a"] *= x
        return 3.0

    return np.sum(d["a"] * step())


@lesson("order", v3)
def attributes_are_updated_by_what_a_method_gives(x):
    o = Cell(x[0])
    o.h += o.step(x[1])
    o.h *= o.step(x[2])
    return o.h


@lesson("order", v3, m33)
def array_attributes_are_updated_by_what_a_method_gives(x):
    o = Cell(x * 1.0)
    first = o.h
    o.h += o.step(2.0)
    return np.sum(first * o.h)


@lesson("order", v3)
def a_dict_is_seen_as_it_is_when_the_function_runs(x):
    d = {"a": x[0]}

    def step(t):
        d["a"] = d["a"] * t
        return t

    return used(d, step(x[1]))


@lesson("order", v3, may_refuse=True)
def a_bound_before_a_method(x):
    o = Cell(1)
    a = np.outer(x, x)
    return np.sum(a[o.h : 3, o.step(2)] * x[0])


# -------------------------------------------------------------------------------------------- tests


@lesson("order", v3)
def a_test_changes_an_object(x):
    o = Cell(x[0])
    if o.h < o.step(x[1]) or o.step(2.0) > 0:
        return o.h * x[1]
    elif o.step(x[2]) > -9:
        return o.h
    return x[2] * o.h


@lesson("order", lambda: (1.3, 9.0), lambda: (1.3, 0.5))
def a_while_test_changes_an_object(x, bound):
    o = Cell(1.0)
    s = 0.0
    while o.step(x) < bound:
        s += o.h * x
    return s * o.h


@lesson("order", lambda: (1.3, 9.0), lambda: (1.3, 0.5), lambda: (1.3, 2.0))
def a_while_test_and_breaks(x, bound):
    o = Cell(1.0)
    s = 0.0
    while o.step(x) < bound and s < 7:
        if o.h > 4:
            break
        if o.h < 1.5:
            continue
        s += o.step(x)
    else:
        s = s * x
    return s * o.h


# ------------------------------------------------------------------------------------------- arrays


@lesson("order", v3, lambda: (values(1, 3, dtype=np.float32),))
def an_element_is_updated_by_what_changes_it(x):
    y = x * 1
    y[0] += scaled(y)
    y[0] = y[0] * scaled(y)
    return np.sum(y * y)


@lesson("order", v3)
def places_are_updated_by_what_changes_them(x):
    y = x * 1
    y[[0, 2]] += scaled(y)
    return np.sum(y * y)


@lesson("order", v3)
def a_slice_is_updated_by_what_changes_it(x):
    y = x * 1
    y[:2] += scaled(y)
    return np.sum(y * y)


@lesson("order", m33)
def a_row_is_updated_by_what_changes_it(x):
    y = x * 1
    y[0] += scaled(y)
    return np.sum(y * y)


@pytest.mark.parametrize("case", lesson.cases)
def test_lesson(case: Lesson) -> None:
    check_lesson(case)
