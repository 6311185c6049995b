"""What each trip sets, and the way back reads only as it was then, is saved once it is set, also where it is added to."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

ONE_TAPE = []
one_tape = kept_in(ONE_TAPE)
OTHERS = []
others = kept_in(OTHERS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@one_tape
def added_to(x):
    total = np.zeros(2)
    t = 0.0
    for v in x:
        t += v
        total = total + v * np.array([np.cos(t), np.sin(t)])
    return np.sum(total**2)


@others
def multiplied(x):
    total, t = np.zeros(2), 1.0
    for v in x:
        t *= v
        total = total * t + np.array([np.cos(t), t**3])
    return np.sum(total**2)


@one_tape
def with_a_break(x):
    total, t = 0.0, 0.0
    for v in x:
        t += v
        total = total * np.sin(t) + v * t**2
        if t > 1.5:
            break
    return total


@others
def left_before_it_is_added_to(x):
    total, t = 0.0, 0.3
    for v in x:
        if t > 1.5:
            break
        t += v
        total = total * np.sin(t) + v * t**2
    return total


@others
def read_before_and_after(x):
    total, t = 0.0, 0.3
    for v in x:
        total = total * np.sin(t)
        t += v
        total = total + v * t**2
    return total


@others
def added_to_twice(x):
    total, t = 0.0, 0.3
    for v in x:
        t += v
        total = total * np.sin(t)
        t += v**2
        total = total + v * t**2
    return total


@others
def on_some_trips(x):
    total, t = 0.0, 0.3
    for v in x:
        if v > 0.5:
            t += v
        total = total * np.sin(t) + v * t**2
    return total


@others
def an_array_that_is_added_to(x):
    total, t = 0.0, np.zeros(2)
    for v in x:
        t += v
        total = total * np.sin(t[0]) + v * np.sum(t**2)
    return total


@others
def a_number_or_an_array(x):
    total, t = 0.0, 0.3
    for k in range(4):
        t += x[k]
        total = total * np.sum(np.sin(t)) + x[k] * np.sum(t**2)
        if k == 1:
            t = t + x[:2]
    return total


@others
def read_after_the_loop(x):
    total, t = 0.0, 0.3
    for v in x:
        t += v
        total = total * np.sin(t) + v * t**2
    return total * t**2


@others
def given_back(x):
    t = 0.3
    for v in x:
        t += v
        t *= np.sin(t)
    return t


@pytest.mark.parametrize("function", [*ONE_TAPE, *OTHERS], ids=named)
def test_right(function):
    check_along(function, X, ALONG)


def test_the_value_before_keeps_its_name():
    """What is recorded before the next value of the same name is there needs no other name."""
    assert "total_1" not in grad(added_to_twice).source(X).split("dx =")[0]


@pytest.mark.parametrize("function", ONE_TAPE, ids=named)
def test_one_tape(function):
    assert grad(function).source(X).count("tape = []") == 1
