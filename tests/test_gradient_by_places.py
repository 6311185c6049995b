"""np.gradient by places and steps that vary: its gradient has derivatives itself, in reverse and in forward mode."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from every_mode import check_along, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp

FUNCTIONS: list[Callable[..., float]] = []
program = kept_in(FUNCTIONS)
POINT, ALONG = np.array([0.7, 0.4]), np.array([0.3, -0.8])


def values(p):
    return np.array([p[0], p[1] ** 2, p[0] * p[1], 1.0])


def places(p):
    return np.cumsum(np.array([p[0], p[1] ** 2 + 1, p[0] * p[1] + 0.4, 1.0]))


@program
def of_one_axis(p):
    return np.sum(np.gradient(values(p), places(p)) ** 3)


@program
def at_edges_of_the_second_order(p):
    return np.sum(np.gradient(np.outer(values(p), values(p)), places(p), axis=1, edge_order=2) ** 3)


@program
def of_two_axes(p):
    rows, columns = np.gradient(np.outer(values(p), values(p)), places(p), 2 * places(p))
    return np.sum(rows * columns**2)


@program
def by_one_step(p):
    return np.sum(np.gradient(values(p), p[1] ** 2) ** 3)


@program
def by_two_steps(p):
    rows, columns = np.gradient(np.outer(values(p), values(p)), p[1], p[0] * p[1])
    return np.sum(rows * columns**2)


@program
def along_an_axis_that_is_not_known(p):
    table, axis = np.outer(values(p), p), int(p[0] > 5)
    moved = np.moveaxis(table, axis, -1) * 1.0
    moved[..., 0] *= p[1]
    return np.sum(moved**2 * np.swapaxes(table, axis, 1))


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_gradient_has_derivatives(function: Callable[..., float]) -> None:
    check_along(function, POINT, ALONG)

    def inside(p):
        return np.sum(grad(function)(p) * ALONG)

    expected = numeric_gradient(inside, (POINT,), 0, 1.0)
    assert_close(grad(inside)(POINT), expected, function.__name__)
    assert_close(jvp(inside, (POINT,), (ALONG,))[1], expected @ ALONG, function.__name__)
