"""Lines that raise where they run, and do not run or are caught: generating a gradient is not disturbed by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []


@kept_in(FUNCTIONS)
def place_beyond_a_list(x):
    try:
        z = [x[0], x[1]][5]  # noqa: PLE0643
    except IndexError:
        z = x[1] ** 2
    return z


@kept_in(FUNCTIONS)
def place_beyond_a_tuple(x):
    return (x[0], x[1])[2] if len(x) > 5 else x[1] ** 2  # noqa: PLE0643


@kept_in(FUNCTIONS)
def labels_for_other_axes(x):
    return np.einsum("ij->i", x).sum() if len(x) > 5 else x[0] ** 2


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_lines_that_would_raise(function: Callable[..., Any]) -> None:
    x, x_dot = np.array([0.7, 0.4]), np.array([0.3, -1.0])
    numeric = numeric_gradient(function, (x,), 0, 1.0)
    assert_close(grad(function)(x), numeric, function.__name__)
    assert_close(jvp(function, (x,), (x_dot,))[1], numeric @ x_dot, function.__name__)


def unlike(w):
    v = w.copy()
    v[1] += v[0] * 0.5
    return v


def written(w, u):
    w[1] = w[0] * u


def results_that_nobody_reads(x):
    z = unlike(np.outer(x, x)) * 2.0
    w = unlike(x * x) * 3.0
    written(x, x[0])
    return np.sum(z) + np.sum(w) + np.sum(x)


def test_shapes_of_results_that_nobody_reads() -> None:
    """`_`, of which the way back asks the shape, is not bound anew by a line that drops another result."""
    x, x_dot = np.array([0.7, 0.45, 0.9]), np.array([0.3, -0.7, 0.5])
    gradient = grad(results_that_nobody_reads)
    slope = numeric_gradient(lambda z: np.sum(gradient(z) * x_dot), (x,), 0, 1.0)
    assert_close(hvp(results_that_nobody_reads)(x, x_dot), slope, "results_that_nobody_reads")


def by_neighbours(x, n):
    s = 0.0
    for i in range(1, n):
        for j in range(i, n):
            s += x[i - 1] * x[j]
    return s


def by_steps(x, n):
    s = 0.0
    for i in range(n - 1, 0, -2):
        s += x[i]
    return s


def test_loops_that_only_count_are_not_run() -> None:
    """`for i in range(1, n): pass` can't raise where all bounds are integers; others stay for what they raise."""
    x = np.array([0.7, 0.45, 0.9])
    for function in (by_neighbours, by_steps):
        assert "pass" not in grad(function).source(x, 3)
        numeric = numeric_gradient(lambda z, f=function: f(z, 3), (x,), 0, 1.0)
        assert_close(grad(function)(x, 3), numeric, function.__name__)
        assert_close(grad(function)(x, 0), np.zeros(3), function.__name__)
        with pytest.raises(IndexError):
            grad(function)(x, 6)


def by_given_steps(x, k):
    s = x[0]
    for _ in range(0, 3, k):
        s += x[1]
    return s


def test_steps_of_zero_still_raise() -> None:
    x = np.array([0.7, 0.45, 0.9])
    assert_close(grad(by_given_steps)(x, 1), np.array([1.0, 3.0, 0.0]), "of steps")
    with pytest.raises(ValueError, match="must not be zero"):
        grad(by_given_steps)(x, 0)


def greatest_of_none(x, k):
    best = np.max(x[:k])  # noqa: F841
    return np.sum(x**2)


def place_among_none(x, k):
    place = x[:k].argmax()  # noqa: F841
    return np.sum(x**2)


def number_of_several(x, k):
    value = float(x[k:])  # noqa: F841
    return np.sum(x**2)


def axis_of_several(x, k):
    column = np.squeeze(x[k:], 0)  # noqa: F841
    return np.sum(x**2)


def axis_of_a_vector(x, k):
    mirrored = np.fliplr(x)  # noqa: F841
    return np.sum(x**2) * k


def two_in_a_row(x, k):
    pairs = x[k:].reshape(-1, 2)  # noqa: F841
    return np.sum(x**2)


_RAISING = [
    greatest_of_none, place_among_none, number_of_several, axis_of_several, axis_of_a_vector, two_in_a_row,
]  # fmt: skip


@pytest.mark.parametrize("function", _RAISING, ids=named)
def test_what_nobody_reads_still_raises(function: Callable[..., Any]) -> None:
    """There may be no element, or more than one: who calls the gradient hears of it."""
    x = np.array([0.7, 0.4, 0.9])
    with pytest.raises((TypeError, ValueError)) as expected:
        function(x, 0)
    with pytest.raises(expected.type):
        grad(function)(x, 0)
    with pytest.raises(expected.type):
        jvp(function, (x, 0), (x, None))


def views_written_to(x, a):
    line = x.ravel()
    line[0] = a
    turned = np.moveaxis(x, 0, -1)
    turned[0, 1] *= a
    flat = np.squeeze(x)
    flat[1] = a**2
    upside = np.flip(x, axis=1).T
    upside[2] = a
    diagonal = np.diag(x)  # noqa: F841
    return np.sum(x**2)


def test_views_that_nobody_reads_have_no_lines() -> None:
    """Which functions of shapes can't raise is told by what they do with arrays of as many axes."""
    x = np.arange(6.0).reshape(2, 3)
    lines = [
        line.split(" = ")[0].strip() for line in grad(views_written_to).source(x, 0.7).splitlines()
    ]
    assert not {"line", "turned", "flat", "upside", "diagonal"} & set(lines), lines
    for k in (0, 1):
        numeric = numeric_gradient(views_written_to, (x, 0.7), k, 1.0)
        assert_close(grad(views_written_to, wrt=k)(x, 0.7), numeric, "views written to")
