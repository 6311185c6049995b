"""Distributions outside of their support: densities are 0 there, and do not vary with the shape."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tangentish import grad

OUTSIDE = {
    "gamma.pdf": lambda a: stats.gamma.pdf(-1.0, a, 0.1, a) + a,
    "chi2.pdf": lambda a: stats.chi2.pdf(-1.0, a) + a,
    "beta.pdf below": lambda a: stats.beta.pdf(-0.5, a, a) + a,
    "beta.pdf above": lambda a: stats.beta.pdf(1.5, a, a) + a,
    "f.pdf": lambda a: stats.f.pdf(-1.0, a, a, scale=a) + a,
    "lognorm.pdf": lambda a: stats.lognorm.pdf(-1.0, a) + a,
    "lognorm.cdf": lambda a: stats.lognorm.cdf(-1.0, a) + a,
    "weibull_min.pdf": lambda a: stats.weibull_min.pdf(-1.0, a, scale=a) + a,
    "weibull_min.sf": lambda a: stats.weibull_min.sf(-1.0, a) + a,
    "binom.sf": lambda a: stats.binom.sf(7, 5, a) + a,
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_of_the_support(name: str) -> None:
    assert grad(OUTSIDE[name])(0.6) == 1.0


def test_counts_between_whole_numbers() -> None:
    def f(rate):
        return stats.poisson.cdf(2.7, rate) + stats.poisson.ppf(0.7, 3.0, rate)

    h = 1e-6
    np.testing.assert_allclose(grad(f)(0.6), (f(0.6 + h) - f(0.6 - h)) / (2 * h), 1e-7)


def test_what_an_estimate_holds_is_a_number_like_any_other() -> None:
    data = stats.gaussian_kde([0.1, 0.5, 0.9])

    def f(x, kde=data):
        return np.sum((kde.dataset - x) ** 2) * kde.factor

    h = 1e-6
    np.testing.assert_allclose(grad(f)(0.6), (f(0.6 + h) - f(0.6 - h)) / (2 * h), 1e-7)
