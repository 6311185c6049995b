"""Incomplete gamma and beta functions by their parameters: all digits wherever they are defined.

The numbers are those of mpmath: central differences of its own functions, of 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numeric import numeric_gradient
from scipy import special, stats

from tangentish import grad, hvp, jvp
from tangentish.runtime import beta_prime_slope, betainc_slope, gammainc_slope

# a, x, the slope in a
GAMMA = [
    (1e-06, 1e-30, -68.49564663420573),
    (1e-06, 0.5, -0.5597741815347902),
    (1e-06, 20.0, -9.835596473694982e-11),
    (0.01, 1e-08, -14.93990191158828),
    (0.01, 0.01, -3.893309876518442),
    (0.3, 0.6, -0.5708643927200859),
    (1.0, 1.0, -0.4317297106348987),
    (1.0, 60.0, -4.105015416396122e-26),
    (2.5, 0.001, -7.61728094459622e-8),
    (2.5, 3.0, -0.2275485512782608),
    (40.0, 10.0, -1.032530342106353e-12),
    (40.0, 41.0, -0.06166982796290203),
    (40.0, 160.0, -2.706920459981662e-30),
    (10000.0, 9800.0, -0.0005308191313024515),
    (10000.0, 10300.0, -4.768499514046361e-5),
    (1000000.0, 1000000.0, -0.0003989423136466252),
]

# a, b, x, the slopes in a and b
BETA = [
    (0.5, 0.5, 0.2, -0.6419756782692087, 0.3875637692754405),
    (1.0, 1.0, 0.7, -0.2496724607571127, 0.3611918412977808),
    (2.0, 3.0, 1e-12, -1.622861266953562e-22, 3.499999999991333e-24),
    (2.0, 3.0, 0.9999999999990905, -3.260037666276201e-36, 8.268224054716656e-35),
    (1e-05, 2.0, 0.3, -0.5039751643751196, 3.691302697255281e-6),
    (1e-05, 2.0, 1e-20, -45.03141986590652, 6.446415588321802e-6),
    (0.2, 0.0001, 0.99, -0.002622032854806865, 9.297840596151354),
    (0.2, 0.0001, 0.3, -0.002482560700009046, 4.163334426861968),
    (1e-05, 1e-05, 0.5, -25000.00000411223, 25000.00000411223),
    (700.0, 0.003, 0.9999999990686774, -4.116449091729251e-6, 13.12244446337058),
    (300.0, 500.0, 0.375, -0.01822065270885134, 0.01092996236472687),
    (300.0, 500.0, 0.5, -1.671956853891604e-13, 1.296514279971816e-13),
    (10000.0, 30.0, 0.9975, -0.0001378773851743857, 0.05049400308718211),
    (0.01, 20000.0, 1e-07, -5.345148121338051, 4.716215569591053e-7),
]


@pytest.mark.parametrize(("a", "x", "slope"), GAMMA)
def test_gamma(a: float, x: float, slope: float) -> None:
    np.testing.assert_allclose(gammainc_slope(a, x), slope, 1e-10)


@pytest.mark.parametrize(("a", "b", "x", "by_a", "by_b"), BETA)
def test_beta(a: float, b: float, x: float, by_a: float, by_b: float) -> None:
    found = betainc_slope(a, b, x, 1, 0), betainc_slope(a, b, x, 0, 1)
    np.testing.assert_allclose(found, (by_a, by_b), 1e-10)
    odds = x / (1 - x)
    found = beta_prime_slope(a, b, odds, 1, 0), beta_prime_slope(a, b, odds, 0, 1)
    np.testing.assert_allclose(found, (by_a, by_b), 1e-10)


def test_beta_by_odds_of_all_sizes() -> None:
    """Where x is as good as 1, and 1 - x still has its digits."""
    for odds in (1e-30, 1e-3, 1.0, 1e3, 1e30):
        found = beta_prime_slope(1.3, 0.4, odds, 0, 1)
        np.testing.assert_allclose(found, -beta_prime_slope(0.4, 1.3, 1 / odds, 1, 0), 1e-12)


def test_at_the_ends_nothing_moves() -> None:
    ends = np.array([0.0, np.inf])
    np.testing.assert_array_equal(gammainc_slope(1.5, ends), 0)
    np.testing.assert_array_equal(beta_prime_slope(1.5, 0.5, ends, 1, 0), 0)
    np.testing.assert_array_equal(betainc_slope(1.5, 0.5, np.array([0.0, 1.0]), 0, 1), 0)
    assert np.isnan(gammainc_slope(-1.0, 2.0)) and np.isnan(gammainc_slope(1.0, -2.0))


def test_float32_and_shapes_are_kept() -> None:
    x = np.full((2, 3), 0.4, np.float32)
    assert gammainc_slope(1.5, x).dtype == np.float32
    assert betainc_slope(1.5, x[0], x, 1, 0).dtype == np.float32
    assert gammainc_slope(x, np.ones((0, 2, 3))).shape == (0, 2, 3)
    assert betainc_slope(x, 1.5, np.ones((0, 1, 1)), 0, 1).shape == (0, 2, 3)
    assert type(gammainc_slope(2, 1)) is np.float64


FUNCTIONS: dict[str, Callable[[np.ndarray], float]] = {
    "gammainc": lambda p: np.sum(special.gammainc(p, 3 * p[2]) * p),
    "gammaincc": lambda p: np.sum(np.log(special.gammaincc(p, 4 * p[::-1]))),
    "gammaincinv": lambda p: np.sum(special.gammaincinv(p[0], p[1:] / 3)),
    "betainc": lambda p: np.sum(special.betainc(p[0], p, p[1] / 2) * p),
    "betaincc": lambda p: np.sum(special.betaincc(p, p[0], p[2] / 2)),
    "betaincinv": lambda p: np.sum(special.betaincinv(p[0], p[1], p[2] / 3)),
    "chdtr": lambda p: np.sum(special.chdtr(p, 1.3) * special.chdtrc(p[::-1], 0.8)),
    "stdtr": lambda p: np.sum(special.stdtr(p, p[0] - p[1] ** 2)),
    "stdtrit": lambda p: np.sum(special.stdtrit(p, p[2] / 3)),
    "gamma.cdf": lambda p: np.sum(stats.gamma.cdf(p, p[0], 0.1, p[1])),
    "gamma.ppf": lambda p: np.sum(stats.gamma.ppf(p / 3, p[0], 0.1, p[1])),
    "beta.logcdf": lambda p: np.sum(stats.beta.logcdf(p / 3, p[0], p[1:2])),
    "chi2.logsf": lambda p: np.sum(stats.chi2.logsf(p, p[::-1])),
    "t.cdf": lambda p: np.sum(stats.t.cdf(p - 0.8, p[0], 0.1, p[1])),
    "f.sf": lambda p: np.sum(stats.f.sf(p, p[0], p[1], 0.1, p[2])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_in_every_mode(name: str) -> None:
    f = FUNCTIONS[name]
    p, p_dot = np.array([0.7, 1.9, 1.2]), np.array([0.3, -0.4, 0.8])
    expected = numeric_gradient(f, (p,), 0, 1.0)
    np.testing.assert_allclose(grad(f)(p), expected, 1e-6, 1e-8)
    np.testing.assert_allclose(jvp(f, (p,), (p_dot,))[1], expected @ p_dot, 1e-6)
    h = 1e-5
    bent = (grad(f)(p + h * p_dot) - grad(f)(p - h * p_dot)) / (2 * h)
    np.testing.assert_allclose(hvp(f)(p, p_dot), bent, 1e-6, 1e-7)


OUTSIDE = {
    "gamma": lambda a: stats.gamma.cdf(-1.0, a) + a,
    "chi2": lambda a: stats.chi2.sf(-1.0, a) + a,
    "beta below": lambda a: stats.beta.cdf(-0.5, a, a) + a,
    "beta above": lambda a: stats.beta.cdf(1.5, a, a) + a,
    "f": lambda a: stats.f.cdf(-1.0, a, a) + a,
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_of_the_support(name: str) -> None:
    assert grad(OUTSIDE[name])(0.6) == 1.0


def test_at_zero_the_density_is_that_of_an_exponential() -> None:
    assert grad(lambda x: special.gammainc(1.0, x))(0.0) == 1.0
    assert grad(lambda x: special.betainc(1.0, 2.0, x))(0.0) == pytest.approx(2.0)
