"""Functions that divide by x and yet are smooth at 0: derivatives of all orders, at 0 and beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.special
from every_mode import check_along

from tangentish import grad, hvp, jvp

PLACES = [0.0, 1e-9, -1e-6, 1e-4, 0.2, 0.6366, 0.637, 1.0, -2.2, 7.7]


def sinc(x: Any) -> Any:
    return np.sinc(x)


def exprel(x: Any) -> Any:
    return scipy.special.exprel(x)


def integral(f: Any) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    return float(weights / 2 @ f((nodes + 1) / 2))


def slope(f: Any, x: float, n: int) -> float:
    """Both functions are integrals, and so are their derivatives."""
    if f is sinc:
        return integral(lambda t: (np.pi * t) ** n * np.cos(np.pi * x * t + n * np.pi / 2))
    return integral(lambda t: t**n * np.exp(x * t))


@pytest.mark.parametrize("f", [sinc, exprel])
@pytest.mark.parametrize("x", PLACES)
def test_three_orders(f: Any, x: float) -> None:
    np.testing.assert_allclose(grad(f)(x), slope(f, x, 1), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(jvp(f, (x,), (2.0,))[1], 2 * slope(f, x, 1), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(grad(grad(f))(x), slope(f, x, 2), rtol=1e-12)
    np.testing.assert_allclose(hvp(f)(x, 1.0), slope(f, x, 2), rtol=1e-12)
    np.testing.assert_allclose(grad(grad(grad(f)))(x), slope(f, x, 3), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.longdouble])
def test_the_type_stays(dtype: Any) -> None:
    x = np.array(PLACES, dtype)
    found = grad(lambda x: np.sum(np.sinc(x)))(x)
    assert found.dtype == dtype
    expected = [slope(sinc, v, 1) for v in PLACES]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_compiled() -> None:
    pytest.importorskip("numba")

    def f(x: Any) -> Any:
        return np.sum(np.sinc(x))

    found = grad(f, compile="numba")(np.array(PLACES))
    np.testing.assert_allclose(found, [slope(sinc, x, 1) for x in PLACES], rtol=1e-12, atol=1e-14)


def test_at_the_samples_that_interpolation_goes_through() -> None:
    """Whittaker and Shannon's interpolation, where it is asked for at a sample."""
    samples = np.array([0.3, -1.0, 2.0, 0.5])

    def f(x: Any) -> Any:
        return np.sum(samples * np.sinc(x - np.arange(4)))

    expected = sum(s * slope(sinc, 2.0 - k, 2) for k, s in enumerate(samples))
    np.testing.assert_allclose(hvp(f)(2.0, 1.0), expected, rtol=1e-12)


@pytest.mark.parametrize("at", [(0.0, 1.0), (1e-8, 1.0 + 1e-8), (-1e-5, 1.0 - 1e-5), (0.3, 1.7), (-2.0, 0.4)])  # fmt: skip
def test_elliptic_integrals_and_dilogarithms(at: tuple[float, float]) -> None:
    def f(x: Any) -> Any:
        integrals = scipy.special.ellipk(x[0]) * scipy.special.ellipe(x[0])
        return integrals * scipy.special.spence(x[1]) + scipy.special.ellipkm1(x[1])

    check_along(f, np.array(at), np.array([0.7, -0.4]))


@pytest.mark.parametrize("p", [0.0, 1e-8, -1e-6, 1e-3, 0.4])
def test_powers_of_boxes(p: float) -> None:
    def f(x: Any) -> Any:
        there = scipy.special.boxcox(x[1], x[0]) * scipy.special.boxcox1p(x[1], x[0])
        back = scipy.special.inv_boxcox(x[1], x[0]) * scipy.special.inv_boxcox1p(x[1], x[0])
        return there + back

    check_along(f, np.array([p, 1.7]), np.array([0.7, -0.4]))


@pytest.mark.parametrize("z", [0.0, 0.7])
def test_entropies_where_nothing_is_left(z: float) -> None:
    """By both, x * log(z) has the slope 1 / z at x = 0, too."""

    def f(x: Any) -> Any:
        return scipy.special.xlogy(x[0], x[1] + 0.5) + x[1] * scipy.special.xlog1py(x[0], x[1])

    check_along(f, np.array([0.0, z]), np.array([0.7, -0.4]))


def entropy(x: float, z: float) -> float:
    return scipy.special.xlogy(x, z)


def test_entropies_of_nothing() -> None:
    with np.errstate(divide="ignore"):
        assert grad(entropy, wrt=(0, 1))(0.0, 0.0) == (-np.inf, 0.0)
        assert grad(entropy, wrt=1)(0.5, np.float64(0.0)) == np.inf


@pytest.mark.parametrize("name", ["spherical_jn", "spherical_in"])
def test_spherical_waves_at_the_origin(name: str) -> None:
    wave = getattr(scipy.special, name)

    def f(x: Any) -> Any:
        return np.sum(wave(np.arange(4), x[0])) * wave(1, x[1]) + wave(0, x[1], True) * x[0]

    check_along(f, np.array([0.0, 0.0]), np.array([0.7, -0.4]))
    check_along(f, np.array([0.0, 1.2]), np.array([0.7, -0.4]))


def test_choices_of_more_than_there_is() -> None:
    """`comb` and `perm` are 0 there, on both sides."""

    def f(x: Any) -> Any:
        return (
            scipy.special.comb(x[0], 3) + scipy.special.perm(x[0], 3) + scipy.special.comb(1, x[1])
        )

    check_along(f, np.array([1.0, 3.0]), np.array([0.7, -0.4]))
