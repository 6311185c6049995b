"""Loops that change what their items are made of while they run: under a second name, in a container, in a copy that is none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import NotDifferentiable, value_and_grad


def scaled(x: Any) -> Iterator[Any]:
    for k in range(len(x)):
        yield x[k] * 1.5


def sums_of_neighbours(x: Any) -> Iterator[Any]:
    for k in range(len(x)):
        yield x[k] if k == 0 else x[k] + x[k - 1]


def halve(v: Any) -> None:
    v *= 0.5


def held_in_a_list(x):
    x = x * 1.0
    held = [x, x * 2]
    total = 0.0
    for v in scaled(x):
        held[0] *= np.sum(v)
        total += np.sum(v)
    return total


def held_in_a_dict(x):
    x = x * 1.0
    held = {"x": x}
    total = 0.0
    for v in scaled(x):
        held["x"] *= np.sum(v)
        total += np.sum(v)
    return total


def appended(x):
    x = x * 1.0
    held = []
    held.append(x)
    total = 0.0
    for v in sums_of_neighbours(x):
        held[0] *= 0.7
        total += np.sum(v * v)
    return total


def stored_among_numbers(x):
    x = x * 1.0
    held = [0.0] * 2
    held[0] = x
    total = 0.0
    for v in sums_of_neighbours(x):
        held[0] *= 0.7
        total += np.sum(v * v)
    return total


def no_copy(x):
    x = x * 1.0
    y = np.array(x, copy=None)
    total = 0.0
    for v in scaled(x):
        y[1:] = y[1:] * np.sum(v)
        total += np.sum(v)
    return total


def given_to_a_helper(x):
    x = x * 1.0
    total = 0.0
    for v in sums_of_neighbours(x):
        halve(v)
        total += np.sum(v * v)
    return total


def pairs_of_one_in_a_list(x):
    x = x[:, 0] * 1.0
    held = [x, x * 2]
    total = 0.0
    for v, w in itertools.pairwise(x):
        held[0] *= v
        total += v * w
    return total


def combinations_of_one_in_a_list(x):
    x = x[:, 0] * 1.0
    held = [x, x * 2]
    total = 0.0
    for v, w in itertools.combinations(x, 2):
        held[0] *= v
        total += v * w
    return total


def running_sums_of_one_in_a_list(x):
    x = x[:, 0] * 1.0
    held = [x, x * 2]
    total = 0.0
    for v in itertools.accumulate(x):
        held[0] *= v
        total += v
    return total


def an_array_of_its_own(x):
    x = x * 1.0
    y = np.zeros(2)
    total = 0.0
    for v in sums_of_neighbours(x):
        y[0] += np.sum(v)
        total += y[0] ** 2
    return total


PROGRAMS: list[Callable[[Any], Any]] = [
    held_in_a_list, held_in_a_dict, appended, stored_among_numbers, no_copy, given_to_a_helper, pairs_of_one_in_a_list,
    combinations_of_one_in_a_list, running_sums_of_one_in_a_list, an_array_of_its_own,
]  # fmt: skip
ACCEPTED = {combinations_of_one_in_a_list, an_array_of_its_own}


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives_are_right_or_refused(program: Callable[[Any], Any]) -> None:
    x = np.array([[0.31, 0.72], [0.53, 0.44], [0.62, 0.25]])
    try:
        value, gradient = value_and_grad(program)(x)
    except NotDifferentiable:
        assert program not in ACCEPTED
        return
    assert value == pytest.approx(program(x.copy()))
    expected = numeric_gradient(program, (x,), 0, 1.0)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
