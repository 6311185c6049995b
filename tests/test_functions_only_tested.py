"""Functions that are handed on, of whose results only tests depend: generated code still calls them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 1.3, 0.4])
D = np.array([0.3, -1.1, 0.8])


def bisect(f, a, b, args=(), trips=3):
    fa = f(a, *args)
    fb = f(b, *args)
    if fa == 0.0:
        return a
    if fb == 0.0:
        return b
    for _ in range(trips):
        m = 0.5 * (a + b)
        fm = f(m, *args)
        if (fm > 0) == (fa > 0):
            a = m
        else:
            b = m
    return 0.5 * (a + b)


def count(d, do, p):
    return int(d / p - do)


def too_many(d, do, p, n):
    return count(d, do, p) - n


def distance(d, do, p, n):
    return d / p - do - n


def of_counts(x):
    """The bounds carry the derivative, the number of tubes does not."""
    top = x[0] * 3 + x[1] * 10
    return bisect(too_many, 0, top, args=(x[0], x[1], 5)) * x[2]


def of_distances(x):
    top = x[0] * 3 + x[1] * 10
    return bisect(distance, x[2], top, args=(x[0], x[1], 5)) * x[2]


def chosen(f, a):
    fa = f(a)
    if fa > 1:
        return a * f(a)
    return a * 2


def by_closure(x):
    return chosen(lambda v: v * x[1], x[0]) + chosen(lambda v: v * x[1] * 3, x[0])


def handed_on(f, a):
    return chosen(f, a) * a


def by_two(x):
    return handed_on(np.sin, x[0]) + handed_on(lambda v: v + x[2], x[1])


def countdown(f, a, n):
    """A recursion that hands on the function."""
    fa = f(a)
    if n == 0 or fa > 4:
        return a
    return countdown(f, a * 1.5, n - 1)


def by_recursion(x):
    return countdown(lambda v: v * v, x[0], 6) * x[1]


PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    of_counts, of_distances, by_closure, by_two, by_recursion,
)  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_every_mode(f: Any) -> None:
    expected = numeric_gradient(f, [X], 0, 1.0)
    assert_close(grad(f)(X), expected, "gradient")
    np.testing.assert_allclose(jvp(f, (X,), (D,))[1], expected @ D, 1e-6, 1e-9)
    ahead, behind = (numeric_gradient(f, [X + h * D], 0, 1.0) for h in (1e-4, -1e-4))
    np.testing.assert_allclose(hvp(f)(X, D), (ahead - behind) / 2e-4, 1e-3, 1e-4)


def test_functions_that_nobody_calls_are_left_out() -> None:
    def applied(f, a):
        return f(a) * a

    def total(x):
        return applied(lambda v: v * x[1], x[0])

    assert "applied_forward(x[0], x)" in grad(total).source(X)
