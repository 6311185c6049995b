"""Functions under `@njit` of Numba are followed by the Python that they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, adjoint, grad, value_and_grad, vjp

numba = pytest.importorskip("numba")
X, X_DOT = np.array([0.7, 1.4, 0.9]), np.array([1.0, -2.0, 0.5])


@numba.njit
def anomaly(E, ecc):
    return E - ecc * np.sin(E)


@numba.njit(cache=False)
def smoothed(x, n):
    y = x.copy()
    for _ in range(n):
        for i in range(1, len(y) - 1):
            y[i] = 0.5 * y[i] + 0.25 * anomaly(y[i - 1], 0.3) * y[i + 1]
    return y


@numba.jit(nopython=True)
def halved(x):
    for i in range(x.shape[0]):
        x[i] /= 2


@numba.vectorize
def cubed(x):
    return x**3


class Orbit:
    step = staticmethod(anomaly)


def called(x):
    return np.sum(smoothed(x * x, 3))


def written_to(x):
    y = x * x
    halved(y)
    return y @ x


def handed_on(x):
    return sum(f(v, 0.2) for f in (anomaly,) for v in x)


def of_class(x):
    return sum(Orbit.step(v, v) for v in x)


def at_rest(x):
    return np.sum(x * anomaly(0.5, 0.2))


@pytest.mark.parametrize("function", [called, written_to, handed_on, of_class, at_rest])
def test_right(function) -> None:
    check_along(function, X, X_DOT)


def test_asked_itself() -> None:
    value, gradient = value_and_grad(anomaly, wrt=(0, 1))(0.9, 0.2)
    assert value == anomaly(0.9, 0.2)
    assert_close(gradient[0], 1 - 0.2 * np.cos(0.9), "E")
    assert_close(gradient[1], -np.sin(0.9), "ecc")
    _, pullback = vjp(smoothed, X, 2)
    assert_close(
        pullback(np.ones(3))[0],
        numeric_gradient(lambda x: np.sum(smoothed(x, 2)), (X,), 0, 1.0),
        "smoothed",
    )


def test_compiled_again() -> None:
    gradient = grad(called, compile="numba")
    assert_close(gradient(X), grad(called)(X), "called")


def test_a_call_without_derivative_stays_compiled() -> None:
    assert "anomaly(0.5, 0.2)" in grad(at_rest).source(X)


def test_a_rule_of_its_own_comes_first() -> None:
    @numba.njit
    def doubled(x):
        return 2 * x

    @adjoint(doubled)
    def doubled_adjoint(dy, y, x):
        return 10 * dy

    def f(x):
        return np.sum(doubled(x))

    assert_close(grad(f)(X), np.full(3, 10.0), "by the rule")


def test_elementwise_functions_of_numba_have_no_rule() -> None:
    with pytest.raises(NotDifferentiable, match="cubed"):
        grad(lambda x: np.sum(cubed(x)))(X)
