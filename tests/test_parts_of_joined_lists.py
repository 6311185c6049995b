"""Arrays joined with lists of numbers: their gradients are parts between places, and elements, counted from either end."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in, named

from tangentish import grad

BY_PLACES: list[Function] = []
FUNCTIONS: list[Function] = []
by_places, kept = kept_in(BY_PLACES), kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


@by_places
def between_two(x):
    flux = np.concatenate(([2 * x[0]], x[1:] * x[:-1], [x[3] ** 2]))
    return np.sum(np.diff(flux) ** 2)


@by_places
def of_several_numbers(x):
    y = np.concatenate(([x[0], 1.0, x[1] ** 2], x, [x[2], x[3] * x[0]]))
    return np.sum(y**2 * np.arange(9.0))


@by_places
def before_two_arrays(x):
    y = np.concatenate(([x[0]], x, x**2, [0.0, x[1]]))
    return np.sum(y**2 * np.arange(11.0))


@by_places
def side_by_side(x):
    y = np.hstack(([x[0], x[1]], x * x[2]))
    return np.sum(y**2 * np.arange(6.0))


@by_places
def between_two_arrays(x):
    y = np.concatenate((x, [x[0] * x[1], 3.0], x**2))
    return np.sum(y**2 * np.arange(10.0))


@by_places
def between_arrays_of_known_length(x):
    ends = np.array([x[3] ** 2, x[0]])
    y = np.concatenate((np.array([2 * x[0]]), x[1:] * x[:-1], np.zeros(2), ends))
    return np.sum(np.diff(y) ** 2 * np.arange(7.0))


@kept
def of_no_numbers(x):
    y = np.concatenate((x, [], x**2, []))
    return np.sum(y**2 * np.arange(8.0))


@kept
def of_lists_of_rows(x):
    y = np.concatenate(([[x[0], x[1]]], x.reshape(2, 2), [[1.0, x[2]], [x[3], 2.0]]))
    return np.sum(y**2 * np.arange(10.0).reshape(5, 2))


@kept
def of_columns(x):
    y = np.concatenate((x.reshape(2, 2), x[:2, None]), axis=1)
    return np.sum(np.column_stack((y, x[2:], [x[0], x[1]])) ** 3)


@kept
def of_a_list_with_a_star(x):
    y = np.concatenate(([x[0], *x[1:3]], x, [*x]))
    return np.sum(y**2 * np.arange(11.0))


@kept
def of_lists_with_names(x):
    left, right = [x[0]], [x[1], x[2] * x[0]]
    right[0] = x[3] ** 2
    y = np.concatenate((left, x, right))
    return np.sum(y**2 * np.arange(7.0))


@kept
def of_a_tuple(x):
    y = np.concatenate(((x[0], x[1]), x, (x[2],)))
    return np.sum(y**2 * np.arange(7.0))


@kept
def of_arrays_in_lists(x):
    y = np.concatenate(([x[0] * np.ones(2)], x.reshape(2, 2)))
    z = np.append(x, [x[0], x[1]])
    return np.sum(y**3) + np.sum(z**2 * np.arange(6.0))


@pytest.mark.parametrize("function", BY_PLACES, ids=named)
def test_by_places(function: Function) -> None:
    check_along(function, X, X_DOT)
    assert "part(" not in grad(function).source(X)


def test_elements_are_counted_from_either_end() -> None:
    text = grad(between_two).source(X)
    for part in ("dflux[0]", "dflux[1:-1]", "dflux[-1]"):
        assert part in text


def test_lengths_that_are_known_are_numbers() -> None:
    assert ".shape[0]" not in grad(between_arrays_of_known_length).source(X)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
