"""What a loop adds to new zeros, at a place of its own on each trip, is set there; places that may meet are added to."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

SET = []
set_there = kept_in(SET)
NAMED_TWICE = []
ADDED = []
added_there = kept_in(ADDED)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@set_there
def by_its_counter(x):
    s = 0.0
    for i in range(len(x)):
        s = s * np.sin(x[i]) + 1
    return s


@set_there
def by_a_counter_that_is_shifted(x):
    s = 0.0
    for i in range(1, len(x)):
        s = s * 0.5 + x[i - 1] ** 2 * s + 1
    return s


@set_there
def by_a_counter_backwards(x):
    s = 1.0
    for i in range(len(x) - 1, -1, -1):
        s = s / x[i]
    return s


@set_there
def on_either_way(x):
    s = 1.0
    for v in x:
        if v > 0.5:
            s = s * v
        else:
            s = s + v**2
    return s


@set_there
def in_some_trips(x):
    s = 1.0
    for i in range(len(x)):
        if i % 2:
            s = s * x[i]
    return s


@set_there
def in_no_trips(x):
    s = 0.0
    for i in range(4, 4):
        s = s * x[i] + 1
    return s


@set_there
def by_two_counters(x):
    a = np.outer(x, np.arange(3.0))
    s = 0.0
    for i in range(4):
        for j in range(3):
            s = s * 0.9 + np.sin(a[i, j])
    return s


@set_there
def in_a_triangle(x):
    a = np.outer(x, x)
    s = 1.0
    for i in range(4):
        for j in range(i + 1, 4):
            s = s * a[i, j]
    return s


@set_there
def in_columns_of_their_own(x):
    a = np.outer(x, np.arange(1.0, 4.0))
    s = 0.0
    for i in range(4):
        s = s * 0.9 + a[i, 0] * a[i, 2]
    return s


@added_there
def by_one_counter_of_two(x):
    s = 0.0
    for _ in range(3):
        for i in range(4):
            s = s * 0.9 + np.sin(x[i])
    return s


@added_there
def at_neighbours(x):
    s = 0.0
    for i in range(3):
        s = s * 0.9 + x[i] * x[i + 1]
    return s


@added_there
def counted_from_both_ends(x):
    s = 0.0
    for i in range(-2, 4):
        s = s * 0.9 + np.sin(x[i])
    return s


@added_there
def before_the_first(x):
    s = 0.0
    for i in range(5):
        s = s * 0.9 + np.sin(x[i - 1])
    return s


@added_there
def down_past_the_first(x):
    s = 0.0
    for i in range(3, -5, -1):
        s = s * 0.9 + np.sin(x[i])
    return s


@added_there
def down_to_what_is_not_known(x, last=-3):
    s = 0.0
    for i in range(3, last, -1):
        s = s * 0.9 + np.sin(x[i])
    return s


@added_there
def by_a_counter_that_is_bound_anew(x):
    s = 0.0
    for i in range(4):
        i = i // 2
        s = s * 0.9 + np.sin(x[i])
    return s


@added_there
def by_a_remainder(x):
    s = 0.0
    for i in range(8):
        s = s * 0.9 + np.sin(x[i % 4])
    return s


@added_there
def by_two_counters_on_one_axis(x):
    s = 0.0
    for i in range(2):
        for j in range(2):
            s = s * 0.9 + np.sin(x[i + j])
    return s


@added_there
def in_a_while(x):
    k, s = 0, 0.0
    while k < 6:
        s = s * 0.9 + np.sin(x[k // 2])
        k += 1
    return s


@added_there
def after_another_loop(x):
    s = 0.0
    for i in range(4):
        s = s * 0.9 + np.sin(x[i])
    for i in range(4):
        s = s * x[i]
    return s


@added_there
def at_neighbours_on_either_way(x):
    s = 0.0
    for i in range(3):
        s += x[i] ** 3 if i % 2 else x[i + 1] ** 2
    return s


@added_there
def of_a_row_and_a_part_of_all_rows(x):
    a = x.reshape(2, 1, 2) * np.ones((2, 3, 1))
    return np.sum(a[1, 2] ** 2) + np.sum(a[..., 0] ** 3)


@added_there
def of_a_row_and_a_part_of_masked_ones(x, mask=np.array([[True, False], [True, True]])):
    a = x.reshape(2, 1, 2) * np.ones((2, 2, 1))
    return np.sum(a[mask, 0] ** 2) + np.sum(a[1, 1] ** 3)


@kept_in(NAMED_TWICE)
def of_an_expression(x):
    return np.sum((x * 2)[[0, 0, 1]] ** 2)


@kept_in(NAMED_TWICE)
def on_each_trip(x):
    a = np.outer(x, x)
    s = 0.0
    for i in range(4):
        s = s * 0.9 + np.sum(np.sin(a[i, [0, 2, 2]]))
    return s


@kept_in(NAMED_TWICE)
def by_places_that_are_given(x, places=np.array([1, 1, 3])):
    return np.sum(x[places] ** 2)


@pytest.mark.parametrize("function", SET, ids=named)
def test_set(function):
    check_along(function, X, ALONG)
    assert "] +=" not in grad(function).source(X)


@pytest.mark.parametrize("function", ADDED, ids=named)
def test_added(function):
    check_along(function, X, ALONG)
    assert "] +=" in grad(function).source(X)


@pytest.mark.parametrize("function", NAMED_TWICE, ids=named)
def test_elements_that_are_named_twice_are_added_to_twice(function):
    check_along(function, X, ALONG)
    assert "np.add.at(" in grad(function).source(X)


def test_loops_that_are_taken_back_trip_by_trip_have_no_tapes():
    def squares(x):
        s = 0.0
        for v in x:
            t = np.sin(v)
            s += t**2
        return s

    assert "tape" not in grad(squares).source(X)
