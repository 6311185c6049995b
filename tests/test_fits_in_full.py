"""Fits of polynomials with what NumPy gives besides the coefficients, and those of the other families, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from tangentish import grad

PLACES = np.array([0.0, 1.0, 2.5, 4.0])
FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def what_is_left_over(x):
    c, rest, rank, s, cut = np.polyfit(PLACES, np.sin(x), 1, full=True)
    return np.sum(c**2) * rest[0] + rank * np.sum(s) + cut


@form
def all_by_the_places(x):
    c, rest, _, s, _ = np.polyfit(x, np.sin(x), 1, None, True, 1 + x**2)
    return np.sum(c**2) + np.sum(rest**2) * np.sum(s**3)


@form
def covariances(x):
    c, spread = np.polyfit(PLACES, x**2, 1, cov=True)
    return np.sum(c * np.sqrt(np.diagonal(spread)))


@form
def covariances_that_are_not_scaled(x):
    c, spread = np.polyfit(x, np.sin(x), 2, w=1 + x**2, cov="unscaled")
    return np.sum(c**2) + np.sum(np.sin(spread))


@form
def covariances_of_columns(x):
    m = np.outer(x, np.sin(x)) + np.outer(x**3, [1.0, 2.0, 0.5, 3.0])
    c, spread = np.polyfit(x, m, 1, rcond=1e-12, w=x**2 + 1, cov=True)
    return np.sum(c**2) + np.sum(np.sin(spread))


@form
def other_families(x):
    v = np.sin(2 * x)
    one = np.sum(chebyshev.chebfit(x, v, 2) ** 2) * np.sum(legendre.legfit(x, v, 1, w=x**2) ** 2)
    two = np.sum(hermite.hermfit(PLACES, np.outer(v, x), 1) ** 2) + np.sum(laguerre.lagfit(x, v, 2))
    return one + two * np.sum(polynomial.polyfit(x, v, 2) ** 2)


@form
def other_families_in_full(x):
    c, (rest, rank, s, cut) = hermite_e.hermefit(x, np.cos(x), 1, full=True, w=1 + x**2)
    return np.sum(c**2) * rest[0] + np.sum(s) * rank + cut


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, -0.7]), np.array([0.3, -1.0, 0.4, 2.0])
)


def total(x, v, w):
    c = legendre.legfit(x, v, 2, full=False, w=w)
    return np.sum(c**2)


def test_in_single_precision_and_by_weights() -> None:
    x, v, w = (
        np.array(a, np.float32) for a in ([-1, -0.3, 0.2, 0.8], [0.5, 1, 0, 2], [1, 2, 1, 3])
    )
    for wrt in range(3):
        found = grad(total, wrt=wrt)(x, v, w)
        args = [np.array(a, float) for a in (x, v, w)]
        assert_close(found, numeric_gradient(total, args, wrt, 1.0), "", np.float32)
        assert found.dtype == np.float32


def several_degrees(x):
    return np.sum(chebyshev.chebfit(PLACES, x, [0, 2]))


def test_covariance_of_too_few_places() -> None:
    with pytest.raises(ValueError, match="must exceed order"):
        grad(lambda x: np.sum(np.polyfit(PLACES[:2], x, 1, cov=True)[1]))(np.ones(2))


def test_what_is_not_followed() -> None:
    check_refused(several_degrees, "no derivative rule", np.ones(4))


def counted(y):
    return np.sum(np.polyfit(np.arange(len(y)), y, 1) ** 2)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    y = np.array([1.0, 3.0, 2.0, 5.0])
    assert_close(grad(counted)(y), numeric_gradient(counted, (y,), 0, 1.0), "counted")
    assert capfd.readouterr() == ("", "")
