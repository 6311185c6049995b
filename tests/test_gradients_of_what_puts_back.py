"""A gradient that is called inside puts lists back: what it saved of them is read as it was then, or this is refused."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp

X, V = np.array([0.7, 0.4]), np.array([0.3, -0.2])

RIGHT: list[Function] = []
REFUSED: list[Function] = []


def counted(counter, v):
    counter[0] += 1
    return v * counter[0]


def noted(notes, v):
    notes.append(1)
    return v * len(notes)


@kept_in(REFUSED)
def counted_twice(x):
    counter = [0]
    return counted(counter, x[0]) * counted(counter, x[1])


@kept_in(REFUSED)
def noted_twice(x):
    notes = []
    return noted(notes, x[0]) * noted(notes, x[1])


@kept_in(RIGHT)
def counted_once(x):
    counter = [0]
    return counted(counter, x[0]) * x[1] ** 2


@kept_in(RIGHT)
def put_back_here(x):
    xs = [1.0, 2.0]
    s = x[0] * xs[0]
    xs[0] = 3.0
    xs.append(4.0)
    s = s * x[1] * xs[0] * xs[-1]
    xs.pop(0)
    return s * xs[0]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function):
    slope = grad(function)
    expected = numeric_gradient(lambda x: np.sum(slope(x) * V), (X,), 0, 1.0)
    assert_close(grad(lambda x: np.sum(slope(x) * V))(X), expected, "twice")


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_refused_and_right_by_its_own_operator(function):
    slope = grad(function)
    expected = numeric_gradient(lambda x: np.sum(slope(x) * V), (X,), 0, 1.0)
    assert_close(hvp(function)(X, V), expected, "hvp")
    with pytest.raises(NotDifferentiable, match="reads what this changes as it was before"):
        grad(lambda x: np.sum(slope(x) * V))(X)
