"""Parts of new zeros that share no element are set, whatever the length of the axis; parts that may meet are added to."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

SET = []
set_there = kept_in(SET)
ADDED = []
added_there = kept_in(ADDED)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@set_there
def parameters_before_the_rest(x):
    shift, scale = x[0], x[1]
    rest = np.sin(x[2:])
    return np.sum(np.tanh(shift + np.exp(scale) * rest))


@set_there
def the_first_part_and_the_second(x):
    return np.sum(x[:2] ** 2) + np.sum(np.sin(x[2:])) * x[2:].size


@set_there
def between_two_elements(x):
    return x[0] * x[3] + np.sum(x[1:3] ** 3)


@set_there
def rows_and_columns(x):
    a = np.outer(x, x)
    return np.sum(a[:2, 1:] ** 2) + np.sum(a[2:, 1:] ** 3) + np.sum(np.sin(a[:, 0]))


@set_there
def parts_beyond_the_end(x):
    return np.sum(x[:9] ** 2) + np.sum(x[9:] ** 3)


@set_there
def all_but_the_last_and_the_last(x):
    return np.sum(np.sin(x[:-1])) * np.exp(x[-1])


@set_there
def the_last_ones_and_those_before(x):
    return np.sum(x[-2:] ** 2) + np.sum(np.sin(x[:-2])) * x[:-2].size


@set_there
def inside_and_at_the_end(x):
    return np.prod(x[1:-1]) + x[-1] ** 2


@added_there
def at_the_ends(x):  # which are one, if there is no other
    return x[0] ** 3 + x[-1] ** 2


@set_there
def up_to_what_is_given_and_from_there(x, n=2):
    return np.sum(np.sin(x[:n])) * np.prod(x[n:])


@set_there
def counted_back_by_what_is_given(x, n=1):
    return np.sum(np.sin(x[:-n])) * np.prod(x[-n:])


@set_there
def parts_one_after_the_other(x, n=1, k=2):
    return np.prod(x[n:k]) * np.sum(x[k:] ** 2)


@set_there
def before_a_loop_that_begins_later(x):
    s = np.sin(x[0])
    for i in range(1, len(x)):
        s = s * x[i] + 1
    return s


@added_there
def before_a_loop_that_begins_there(x):
    s = np.sin(x[0])
    for i in range(len(x)):
        s = s * x[i] + 1
    return s


@added_there
def up_to_where_it_was_and_from_where_it_is(x):
    n = 3
    y = np.sin(x[:n])
    n = n - 1
    return np.sum(y) * np.prod(x[n:])


@added_there
def up_to_what_is_written_to(x):
    n = np.array(3)
    y = np.sin(x[:n])
    n -= 1
    return np.sum(y) * np.prod(x[n:])


@added_there
def from_the_last_to_the_end(x):
    return np.sum(np.sin(x[:-1])) * np.prod(x[-2:])


@added_there
def parts_that_meet(x):
    return np.sum(np.sin(x[:3])) * np.sum(x[2:] ** 2)


@added_there
def an_element_of_the_part(x):
    return np.sum(np.sin(x[1:])) * x[1]


@added_there
def counted_from_the_end(x):
    return np.sum(np.sin(x[:-1])) * x[3]


@added_there
def every_second(x):
    return np.sum(np.sin(x[::2])) * x[1]


@added_there
def up_to_what_is_given(x, n=2):
    return np.sum(np.sin(x[:n])) * x[3]


@added_there
def the_last_column_comes_first(x):
    a = np.outer(x, x) + np.sin(x)
    s = 0.0
    for i in range(len(x)):
        s += a[i, i - 1] ** 2
    return s + np.sum(a[:, :-1] ** 3)


@added_there
def the_last_column_comes_last(x):
    a = np.outer(x, x) + np.sin(x)
    s = np.sum(a[:, :-1] ** 3)
    for i in range(len(x)):
        s += a[i, i - 1] ** 2
    return s


@set_there
def the_last_axis_counted_from_the_last(x):
    a = np.outer(x, x)
    return np.sum(a[..., 0] ** 2) + np.sum(np.sin(a[1:, ..., 1]))


@added_there
def the_last_axis_and_the_one_before(x):
    a = np.reshape(np.outer(x, x), (4, 2, 2))
    return np.sum(a[..., 0] ** 2) + np.sum(np.sin(a[..., 1, 0]))


@added_there
def the_last_axis_but_for_a_new_one(x):
    a = np.outer(x, x)
    return np.sum(a[..., 0, None] ** 2) + np.sum(np.sin(a[..., 1, 0]))


@pytest.mark.parametrize("function", SET, ids=named)
def test_set(function):
    check_along(function, X, ALONG)
    assert "] +=" not in grad(function).source(X)


@pytest.mark.parametrize("function", ADDED, ids=named)
def test_added(function):
    check_along(function, X, ALONG)
    assert "] +=" in grad(function).source(X)
