"""What functions of np.vectorize give lies in memory as their arguments do: `ravel` of it is a view in C order only."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_in_every_mode, check_refused

X, X_DOT = (
    np.array([[0.7, 1.3, 0.4], [0.2, 0.9, 1.1]]),
    np.array([[0.3, -0.7, 1.1], [1.0, 0.2, -0.4]]),
)


def written_through_ravel(x):
    g = np.vectorize(lambda t: t * t)
    y = g(x)
    r = y.ravel()
    r[1] = 5.0
    return np.sum(y * x)


def of_turned(x):
    y = np.vectorize(lambda t: t * t)(x.T)
    r = y.ravel()
    r[1] = 5.0
    return np.sum(y**2)


def of_two_turned(x):
    y = np.vectorize(lambda t, u: t * u, otypes=[float])(x.T, 2.0)
    r = y.ravel()
    r[1] = 5.0
    return np.sum(y**2)


def only_read(x):
    g = np.vectorize(lambda t: t * t)
    h = np.vectorize(lambda t, u: t * u)
    return np.sum(g(x.T)[1] * g(x)[:, 1]) + np.sum(h(x.T, g(x.T)).ravel()[:3] * x[0])


def test_in_c_order() -> None:
    check_in_every_mode(written_through_ravel, X, X_DOT)


@pytest.mark.parametrize("order", ["C", "F"])
def test_only_read(order: str) -> None:
    check_in_every_mode(only_read, np.array(X, order=order), X_DOT)


@pytest.mark.parametrize("f", [of_turned, of_two_turned])
def test_turned(f) -> None:
    check_refused(f, "np.ravel gives a view or a copy", X)


def test_in_fortran_order() -> None:
    check_refused(written_through_ravel, "np.ravel gives a view or a copy", np.asfortranarray(X))
