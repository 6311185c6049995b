"""Arguments that are left out, on ways that ask for them: a TypeError there, as the function itself raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
X = np.array([1.5, 0.7])
right = kept_in(FUNCTIONS)


def friction(v, length=None, turbulent=None):
    if turbulent or (v > 1.0 and turbulent is None):
        return 0.02 * v**1.8
    else:
        return 1.6 * (v / length) ** (1 / 3.0)


@right
def left_out(x):
    return friction(x[0]) * x[1]


@right
def given(x):
    return friction(x[0], 2.0) * friction(x[1], x[0])


@right
def on_a_trip_that_never_comes(x):
    length = None
    y = x[0]
    for k in range(3):
        if k == 5:
            y = np.sin(y * x[1]) / length
        else:
            y = y * x[1]
    return y


def times(y, before):
    return y * before


@right
def given_to_a_helper_from_the_second_trip_on(x):
    before, y = None, x[0]
    for k in range(3):
        if k > 0:
            y = times(y, before)
        before = y + x[1]
    return y


def tried_in_a_helper(x):
    before, y = None, x[0]
    for _ in range(3):
        try:
            y = times(y, before)
        except TypeError:
            y = y * x[1]
        before = y + x[1]
    return y


@right
def caught(x):
    length = None
    y = x[0]
    try:
        y = y / length
    except TypeError:
        y = x[0] ** 3
    return y * x[1]


@right
def in_place(x):
    rate = None
    y = x * x
    if x[0] < 0:
        y[0] = x[0] * rate
    return np.sum(y)


test_right_in_every_mode = each_right(FUNCTIONS, X, np.array([0.3, -0.4]))


def test_tried_in_a_helper() -> None:
    numeric: Any = numeric_gradient(tried_in_a_helper, (X,), 0, 1.0)
    assert_close(grad(tried_in_a_helper)(X), numeric, "tried_in_a_helper")


def dropped(v, length=None):
    y = v * v
    if v < 1:
        v / length
    return y


def whole(v, length=None):
    return v * length


@pytest.mark.parametrize("function", [friction, dropped, whole], ids=named)
def test_raises_as_the_function_does(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        function(0.5)
    with pytest.raises(TypeError):
        grad(function)(0.5)


def counted(x):
    x[0] += 1.0
    return x[0]


def what_comes_before_is_not_left_out(x):
    y, rate = x * x, None
    try:
        s = counted(y) / rate
    except TypeError:
        s = y[0]
    return s


def none_on_the_first_trip_only(x):
    before, y = None, x[0]
    for k in range(len(x)):
        if k > 0:
            y = y * before
        before = y + x[1]
    return y


def none_under_another_name(x):
    before, y = None, x[0]
    for _ in range(3):
        last = before
        try:
            y = y * last
        except TypeError:
            y = y * x[1]
        before = y + x[1]
    return y


REFUSED = [
    what_comes_before_is_not_left_out,
    none_on_the_first_trip_only,
    none_under_another_name,
]


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_refused(function: Callable[..., Any]) -> None:
    check_refused(function, "None in arithmetic", X)
