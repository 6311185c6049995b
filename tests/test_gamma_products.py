"""Products of gamma functions where a pole of one is taken away, by another or as there is no other: they are smooth there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
from every_mode import each_right, kept_in

from tangentish import grad, hvp

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def more_chosen_than_there_are(x):
    return np.sum(scipy.special.binom(x[0] + 5, x + np.array([7.0, 8.0, -2.0])) * x[::-1])


@form
def fewer_than_none(x):
    return np.sum(scipy.special.binom(x + 2.5, np.array([-1.0, 4.5, 5.5])) * np.cos(x))


@form
def rising_from_below(x):
    fixed = scipy.special.poch(x + np.array([-2.0, -1.0, 0.0]), np.array([3.0, 2.5, 1.5]))
    return np.sum(fixed * (1 + x)) + np.sum(scipy.special.poch(x - 5, 2) ** 2)


@form
def rising_by_what_varies(x):
    return np.sum(scipy.special.poch(x - np.array([2.0, 1.0, 3.0]), x + np.array([3.0, 2.5, 3.7])))


@form
def sums_at_poles(x):
    return np.sum(scipy.special.beta(x - 0.5, np.array([-0.5, -1.5, 0.5]) - 2 * x) * (1 + x))


@form
def between_whole_numbers(x):
    return np.sum(scipy.special.beta(x + np.array([-3.0, -4.0, -2.0]), np.array([2, 1, 2])) ** 2)


test_every_mode = each_right(FUNCTIONS, np.zeros(3), np.array([0.3, -1.0, 0.4]))


def test_of_large_numbers() -> None:
    """Where gamma itself is infinite."""
    k = np.array([150.0, 201.0, 203.5])
    moved = (scipy.special.binom(200.0, k + 1e-5) - scipy.special.binom(200.0, k - 1e-5)) / 2e-5
    found = grad(lambda k: np.sum(scipy.special.binom(200.0, k)))(k)
    np.testing.assert_allclose(found, moved, 1e-6)


def rising(z, m):
    return scipy.special.poch(z, m)


def test_where_the_function_jumps() -> None:
    """At a whole place it is a polynomial of z, and beside it 0 for all m but whole ones."""
    assert np.isnan(grad(rising, wrt=1)(-5.0, 2.0))
    assert grad(rising)(-5.0, 2.0) == pytest.approx(-9)
    assert hvp(rising)(-5.0, 1.0, 2.0) == pytest.approx(2)
    assert grad(lambda a: scipy.special.beta(a, 0.5))(0.0) == -np.inf


def test_the_type_stays() -> None:
    z = np.array([-2.0, 1.5], np.float32)
    found = grad(lambda z: np.sum(scipy.special.poch(z, np.float32(3.0))))(z)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, 3 * z**2 + 6 * z + 2, 1e-5)


def test_no_choice_with_repetition() -> None:
    n = np.array([0.0, 2.0])
    found = grad(lambda n: np.sum(scipy.special.comb(n, 2, repetition=True)))(n)
    np.testing.assert_allclose(found, [0, 2.5], 1e-12)
