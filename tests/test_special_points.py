"""Special functions where a formula of their derivative has a pole, and they themselves have none: never nan there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from every_mode import check_along, named
from numeric import numeric_gradient
from scipy import special, stats

from tangentish import grad, hvp, jvp

PLACES = np.array([-1.0, -0.4, 0.3, 1.0])
DEGREES = np.arange(4)


def legendre(x):
    return sum((k + 1) * special.eval_legendre(k, x) for k in range(4))


def jacobi(x):
    return sum((k + 1) * special.eval_jacobi(k, 0.5, 1.5, x) for k in range(4))


def gegenbauer(x):
    return sum((k + 1) * special.eval_gegenbauer(k, 1.5, x) for k in range(4))


def chebyshev(x):
    first = [special.eval_chebyt(k, x) for k in range(4)]
    return sum((k + 1) * y for k, y in enumerate(first)) + special.eval_chebyu(0.0, x)


def chebyshev_of_the_second_kind(x):
    return sum((k + 1) * special.eval_chebyu(float(k), x) for k in range(4))


def laguerre(x):
    return sum((k + 1) * special.eval_laguerre(k, x) + special.eval_genlaguerre(k, 0.5, x) for k in range(4))  # fmt: skip


def constants(x):
    return special.eval_legendre(0, x) + special.eval_jacobi(0, 1, 2, x) + special.eval_chebyu(1, x)


def all_degrees_at_once(x):
    return special.eval_legendre(DEGREES, x[..., None]) @ (DEGREES + 1.0)


POLYNOMIALS = [legendre, jacobi, gegenbauer, chebyshev, chebyshev_of_the_second_kind, laguerre, constants, all_degrees_at_once]  # fmt: skip


@pytest.mark.parametrize("f", POLYNOMIALS, ids=named)
def test_families_from_the_constant_on(f: Callable[..., np.ndarray]) -> None:
    """Up to the third degree: cubic, so that differences of four places are exact."""
    total = lambda x: np.sum(f(x))
    h = 0.5
    slope = (8 * (f(PLACES + h) - f(PLACES - h)) - f(PLACES + 2 * h) + f(PLACES - 2 * h)) / (12 * h)
    bend = (f(PLACES + h) - 2 * f(PLACES) + f(PLACES - h)) / h**2
    third = (f(PLACES + 2 * h) - 2 * f(PLACES + h) + 2 * f(PLACES - h) - f(PLACES - 2 * h)) / (
        2 * h**3
    )
    ones = np.ones(4)
    np.testing.assert_allclose(grad(total)(PLACES), slope, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (PLACES,), (ones,))[1], slope, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(hvp(total)(PLACES, ones), bend, rtol=1e-9, atol=1e-8)
    twice = lambda x: np.sum(grad(total)(x))
    np.testing.assert_allclose(grad(twice)(PLACES), bend, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(hvp(twice)(PLACES, ones), third, rtol=1e-8, atol=1e-7)


def test_degrees_that_are_no_whole_numbers() -> None:
    f = lambda x: special.eval_legendre(0.4, x)
    numeric = (f(0.3 + 1e-5) - f(0.3 - 1e-5)) / 2e-5
    assert grad(f)(0.3) == pytest.approx(numeric, rel=1e-8)


def test_reciprocal_of_gamma_at_its_zeros() -> None:
    x = np.array([0.0, -1.0, -2.0, -0.5, 1.5])
    total = lambda x: np.sum(special.rgamma(x) * np.arange(1.0, 6.0))
    along = np.array([0.3, -1.0, 0.4, 0.6, 0.2])
    check_along(total, x, along)
    check_along(lambda x: np.sum(grad(total)(x) ** 2), x, along)


@pytest.mark.filterwarnings("ignore:floating point number truncated", "ignore:non-integer arg n")
def test_orders_that_are_cut_off() -> None:
    orders, x = np.array([1.6, 0.4, 2.8, 1.9]), np.array([0.2, 0.7, 0.4, 0.3])
    total = lambda x: np.sum(
        special.kn(orders, x) * special.yn(orders, x) + special.nbdtr(orders + 1, orders + 1, x)
    )
    check_along(total, x, np.array([0.3, -1.0, 0.4, 0.6]))


def at_the_end_of_incomplete_ones(a):
    ends = special.gammaincinv(a, 0.0) + special.gammainccinv(a, 1.0)
    return np.sum(ends + special.betaincinv(a, 1.5, 0.0) + special.betaincinv(1.5, a, 1.0))


def test_inverses_of_incomplete_functions_at_their_ends() -> None:
    a = np.array([0.7, 1.0, 2.0])
    np.testing.assert_array_equal(grad(at_the_end_of_incomplete_ones)(a), 0)
    assert grad(lambda p: special.gammaincinv(1.0, p))(0.0) == 1


def exponential_integrals(x):
    return special.expn(0, x) + special.expn(1, x) ** 2 * special.expn(np.arange(4), x)


def test_exponential_integrals_of_small_orders() -> None:
    x = np.array([0.2, 0.7, 1.3, 2.5])
    total = lambda x: np.sum(exponential_integrals(x) * (1 + np.arange(4)))
    check_along(total, x, np.array([0.3, -1.0, 0.4, 0.6]))
    check_along(lambda x: np.sum(grad(total)(x) ** 2), x, np.array([0.3, -1.0, 0.4, 0.6]))


def test_float32_stays_float32_at_the_origin() -> None:
    for at_rest in (np.linalg.norm, np.std):

        def f(x, size=at_rest):
            return size(x)

        x = np.zeros(3, np.float32)
        found = grad(f)(x)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, x)


def test_student_in_the_middle() -> None:
    """At 0 the distribution function moves with the degrees of freedom as its density does, which is smooth."""

    def share(v, t):
        return special.stdtr(v, t)

    def of_stats(v, t):
        return stats.t.cdf(t, v) + stats.t.ppf(special.stdtr(v, t), v)

    def density(v):
        return stats.t.pdf(0.0, v)

    for v in (0.7, 3.0):
        wanted = numeric_gradient(density, (v,), 0, 1.0)
        for first, second in ((0, 1), (1, 0)):
            found = grad(grad(share, wrt=first), wrt=second)(v, 0.0)
            np.testing.assert_allclose(found, wanted, 1e-6)
        assert grad(grad(share))(v, 0.0) == 0
        np.testing.assert_allclose(grad(grad(of_stats), wrt=1)(v, 0.0), wanted, 1e-6)


def below(x):
    return np.sum(special.log_ndtr(x))


def below_a_scaled_one(x):
    return np.sum(stats.norm.logcdf(x, 0.1, 2.0)) - stats.norm.logsf(-x[0])


def above(x):
    return np.sum(stats.norm.logsf(-x, scale=0.5))


@pytest.mark.parametrize("f", [below, below_a_scaled_one, above], ids=named)
def test_tails_far_out(f: Callable[..., float]) -> None:
    """Where the logarithms of two tails are so large that their difference has no digits; f is nearly a square there."""
    for x in (np.array([-3e3, -1e3]), np.array([-3e10, -1e10])):
        h = 1e-3 * x
        expected = [(f(x + d) - f(x - d)) / (2 * np.sum(d)) for d in np.diag(h)]
        np.testing.assert_allclose(grad(f)(x), expected, 1e-6)


@pytest.mark.parametrize("size", [1e-170, 1e170])
def test_harmonic_means_of_any_size(size: float) -> None:
    """They grow as what they are the means of: the slopes are the same, whatever the size."""
    f = lambda x: stats.hmean(x)
    x = np.array([0.3, 0.7, 0.5])
    np.testing.assert_allclose(grad(f)(size * x), numeric_gradient(f, (x,), 0, 1.0), 1e-6)
