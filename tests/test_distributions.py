"""Distributions outside of their support, where densities are 0, and distributions whose parameters are given once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient
from scipy import stats
from scipy.stats import multivariate_normal

from tangentish import NotDifferentiable, grad, hvp, jvp, value_and_grad, vjp

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
    "invgamma.pdf": lambda a: stats.invgamma.pdf(-1.0, a) + a,
    "invgamma.cdf": lambda a: stats.invgamma.cdf(-1.0, a, scale=a) + a,
    "pareto.pdf": lambda a: stats.pareto.pdf(0.3, a) + a,
    "pareto.sf": lambda a: stats.pareto.sf(-0.3, a) + a,
    "truncnorm.cdf below": lambda a: stats.truncnorm.cdf(-1.0, -a, a) + a,
    "truncnorm.sf above": lambda a: stats.truncnorm.sf(1.0, -a, a) + a,
    "fisk.pdf": lambda a: stats.fisk.pdf(-1.0, a) + a,
    "fisk.cdf": lambda a: stats.fisk.cdf(-1.0, a, scale=a) + a,
    "lomax.sf": lambda a: stats.lomax.sf(-3.0, a) + a,
    "powerlaw.cdf above": lambda a: stats.powerlaw.cdf(2.0, a) + a,
    "weibull_max.cdf": lambda a: stats.weibull_max.cdf(1.0, a, scale=a) + a,
    "burr12.cdf": lambda a: stats.burr12.cdf(-1.0, a, a) + a,
    "loguniform.cdf": lambda a: (
        stats.loguniform.cdf(9.0, a, 2.0) + stats.loguniform.pdf(-1.0, a, 2.0) + a
    ),
    "triang.cdf": lambda a: stats.triang.cdf(-1.0, a) + stats.triang.cdf(2.0, a) + a,
    "truncexpon.cdf": lambda a: stats.truncexpon.cdf(-1.0, a) + stats.truncexpon.cdf(2.0, a) + a,
    "chi.cdf": lambda a: stats.chi.cdf(-1.0, a) + stats.chi.pdf(-1.0, a) + a,
    "nakagami.cdf": lambda a: stats.nakagami.cdf(-1.0, a, scale=a) + a,
    "gengamma.cdf": lambda a: stats.gengamma.cdf(-1.0, a, 1.5) + a,
    "betaprime.cdf": lambda a: stats.betaprime.cdf(-1.0, a, a) + a,
    "invgauss.cdf": lambda a: stats.invgauss.cdf(-1.0, a) + stats.invgauss.pdf(-1.0, a) + a,
    "foldnorm.cdf": lambda a: stats.foldnorm.cdf(-1.0, a) + a,
    "rice.cdf": lambda a: stats.rice.cdf(-1.0, a) + stats.rice.pdf(-1.0, a) + a,
    "ncx2.cdf": lambda a: stats.ncx2.cdf(-1.0, 3.0, a) + a,
    "genpareto.cdf below": lambda a: (
        stats.genpareto.cdf(-3.0, a) + stats.genpareto.pdf(-3.0, a) + a
    ),
    "genpareto.cdf above": lambda a: (
        stats.genpareto.cdf(3.0, -a) + stats.genpareto.pdf(3.0, -a) + a
    ),
    "genextreme.cdf": lambda a: stats.genextreme.cdf(3.0, a) + stats.genextreme.pdf(3.0, a) + a,
    "binom.sf": lambda a: stats.binom.sf(7, 5, a) + a,
    "ncx2.pdf": lambda a: stats.ncx2.pdf(-1.0, 3.0, a, scale=a) + a,
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_of_the_support(name: str) -> None:
    assert grad(OUTSIDE[name])(0.6) == 1.0


def from_the_end_on(a: float) -> Any:
    x = np.linspace(0, 1, 3)
    values = [
        stats.gamma.pdf(x, 2 + a, scale=a) * stats.chi.pdf(x, 2 + a),
        stats.lognorm.cdf(x, a) + stats.lognorm.pdf(x, a),
        stats.weibull_min.sf(x, 1 + a) + stats.rayleigh.pdf(x, scale=a),
        stats.beta.pdf(x, 1 + a, 1 + a) + stats.powerlaw.cdf(x, 1 + a),
        stats.burr12.cdf(x, 1 + a, a) + stats.weibull_max.cdf(-x, 1 + a),
        stats.triang.pdf(x, 0.3, scale=1 + a) + stats.levy.pdf(x, scale=a),
        stats.ncx2.pdf(x, 3.0, a) + stats.rice.pdf(x, a, scale=a),
    ]
    return np.sum(np.array(values)[:, :2])


def test_from_the_end_of_the_support_on() -> None:
    numeric = (from_the_end_on(0.6 + 1e-5) - from_the_end_on(0.6 - 1e-5)) / 2e-5
    assert grad(from_the_end_on)(0.6) == pytest.approx(numeric, rel=1e-7)
    assert jvp(from_the_end_on, (0.6,), (1.0,))[1] == pytest.approx(numeric, rel=1e-7)
    of_numbers = grad(lambda x: stats.gamma.pdf(x, 3.0) + stats.maxwell.pdf(x) + 2 * x)
    assert of_numbers(0.0) == 2.0


FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def shares_on_a_simplex(y):
    shares, two = y / np.sum(y), y[:2] / np.sum(y[:2])
    total = stats.dirichlet.logpdf(shares, y + 1) + stats.dirichlet.pdf(shares[:3], y[::-1] + 0.5)
    return total * stats.dirichlet.logpdf(two[:1], y[2:]) + stats.dirichlet(y).pdf(shares)


@form
def counts_of_several_kinds(y):
    shares, counts = np.exp(y) / np.sum(np.exp(y)), np.array([2, 0, 1, 3])
    some = np.array([0.5, 0.5, 0.0, 0.0]) * y[0] / y[0]
    total = stats.multinomial.logpmf(counts, 6, shares) * stats.multinomial.pmf(
        counts, n=6, p=shares
    )
    return total + stats.multinomial.pmf(np.array([1, 2, 0, 0]), 3, some)


@form
def bounds_of_a_normal(y):
    at = np.array([-3.0, -0.4, 0.3, 3.0])
    inside = stats.truncnorm.cdf(at, -y, 1 + y) @ y + stats.truncnorm.logpdf(2.3, -y[0], y[1], y[2])
    return inside * stats.truncnorm.sf(0.1, y[3], np.inf) + stats.truncnorm.ppf(0.4, -np.inf, y[1])


@form
def covariances_in_short(y):
    points = np.outer(y, np.sin(y))
    total = multivariate_normal.logpdf(y, cov=np.diag(y)) * multivariate_normal.pdf(y, y[::-1], y)
    total += np.sum(
        multivariate_normal.pdf(points, y / 2, y[1]) + multivariate_normal.logpdf(points, y, y)
    )
    total += np.sum(multivariate_normal.pdf(points[:1], None, np.eye(4) + np.outer(y, y)))
    return total + multivariate_normal(mean=y, cov=y[0]).logpdf(np.ones(4))


@form
def waiting_times(y):
    a, b, c, d = y
    total = stats.fisk.logpdf(2.0, a, scale=b) + stats.gompertz.logsf(0.7, b) * stats.lomax.sf(
        3.0, c
    )
    total += stats.genextreme.logpdf(y / 9, 0.0, scale=a) @ y + stats.genpareto.sf(
        0.4, c / 9, 0.1, d
    )
    return total * stats.invgauss.cdf(0.6, d) + stats.exponnorm(a, loc=b, scale=c).logpdf(d)


@form
def entropies(y):
    return stats.norm.entropy(y[0], y[1]) * stats.logistic(scale=y[2]).entropy() + y[3]


@form
def with_heavy_tails(y):
    points = np.outer(np.arange(3.0), y)
    total = stats.multivariate_t.logpdf(y, np.zeros(4), np.eye(4) + np.outer(y, y), df=y[0])
    total *= stats.multivariate_t.pdf(np.ones(4), y, np.diag(1 + y), 3.0)
    d = stats.multivariate_t(loc=y[::-1], shape=np.eye(4), df=2.0)
    return total + np.sum(d.logpdf(points)) * d.pdf(np.ones(4))


@form
def of_what_is_given_once(y):
    a, b, c, d = y
    total = stats.gamma(a, scale=b).mean() * stats.beta(c, d).var() + stats.weibull_min(d).std()
    total += stats.t(df=c + 1, scale=a).std() * stats.t.mean(c, loc=b) + stats.t.var(c + y, b, d)[1]
    return total + stats.lognorm(s=b).entropy() * stats.poisson(a).std() + stats.binom(9, b).mean()


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, 0.7]), np.array([0.3, -1.0, 0.4, 2.0])
)


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


PRIOR = stats.norm(0.5, 2.0)
WAITING = stats.gamma(a=2.0, scale=1.5)
AROUND = multivariate_normal(np.arange(4.0), np.diag([1.0, 2.0, 3.0, 4.0]) + 0.1)


def by_parameters_that_vary(y):
    d, shifted = stats.norm(y[0], scale=y[1]), stats.norm(loc=y)
    total = stats.gamma(2.0, scale=y[2]).logpdf(y[3]) + shifted.sf(0.3) @ y
    for v in y:
        total += d.logpdf(v) * d.cdf(0.7) + d.ppf(0.3)
    return total * d.std() + d.mean() * stats.t(df=y[0], scale=y[1]).logpdf(0.5)


def by_what_they_are_asked(y):
    d, e = stats.beta(2.0, 3.0, loc=-0.1), stats.norm(0.0, 1.5)
    total = np.sum(d.pdf(y / 3))
    for prior in (e, WAITING):
        total += np.sum(prior.logpdf(y))
    return total + PRIOR.logcdf(y[1]) + np.sum(WAITING.ppf(y / 4)) + stats.binom(5, y[0] / 3).pmf(2)


def of_vectors(y):
    total = AROUND.logpdf(y) + multivariate_normal(y, np.eye(4)).logpdf(np.zeros(4))
    d = multivariate_normal(mean=np.ones(4), cov=np.eye(4) + np.outer(y, y))
    return total * d.pdf(np.zeros(4)) + stats.dirichlet(y).logpdf(np.array([0.1, 0.2, 0.3, 0.4]))


def made_elsewhere(scale):
    return stats.norm(0.0, scale)


def by_functions(y):
    d = made_elsewhere(y[0])
    y[1] = y[2] * 3.0
    return np.sum(d.logpdf(y)) + np.sum(made_elsewhere(1.5).logpdf(y))


def parameters_that_are_stored_to(y):
    """SciPy's objects keep the arrays themselves, but a covariance is a copy."""
    m, cov = y * 1.0, np.diag(y + 1.0)
    d, of_vectors = stats.norm(m, 2.0), multivariate_normal(m, cov)
    with_tails = stats.multivariate_t(m, cov, y[3])
    m[0], cov[0, 0] = y[1] ** 2, 7.0
    m[1:] += y[0]
    return d.logpdf(0.3) @ y + of_vectors.logpdf(np.zeros(4)) * with_tails.logpdf(np.ones(4))


@pytest.mark.parametrize(
    "f",
    [
        by_parameters_that_vary,
        by_what_they_are_asked,
        of_vectors,
        by_functions,
        parameters_that_are_stored_to,
    ],
)
def test_parameters_given_once(f: Callable[[np.ndarray], float]) -> None:
    y, step = np.array([1.0, 2.0, 1.5, 0.7]), np.array([0.3, -1.0, 0.7, 0.2])
    expected = numeric_gradient(lambda y: f(y.copy()), [y], 0, 1.0)
    value, gradient = value_and_grad(f)(y)
    assert value == f(y.copy())
    assert_close(gradient, expected, "gradient")
    ahead, behind = (
        numeric_gradient(lambda y: f(y.copy()), [y + h * step], 0, 1.0) for h in (1e-4, -1e-4)
    )
    np.testing.assert_allclose(hvp(f)(y, step), (ahead - behind) / 2e-4, 1e-4, 1e-4)
    assert_close(vjp(f, y)[1](1.0)[0], expected, "gradient")


def test_draws_of_what_varies_are_refused() -> None:
    def drawn(y):
        d = stats.norm(y[0], y[1])
        return np.sum(d.rvs(3, random_state=1))

    with pytest.raises(NotDifferentiable, match=r"rvs .* write loc \+ scale \* rng.normal"):
        grad(drawn)(np.ones(2))


def test_another_distribution_under_the_same_name() -> None:
    def likelihood(y):
        return np.sum(prior.logpdf(y))

    y = np.array([0.3, 0.6])
    for prior in (
        stats.norm(0.5, 2.0),
        stats.norm(0.5, scale=3.0),
        stats.gamma(2.0),
        stats.beta(2, 3),
    ):
        assert_close(grad(likelihood)(y), numeric_gradient(likelihood, [y], 0, 1.0), "gradient")


def of_any_rank(x, m, cov, allow_singular=True):
    total = multivariate_normal.logpdf(x, m, cov, allow_singular)
    return total * multivariate_normal.pdf(x, m, cov, allow_singular=allow_singular)


def test_covariances_that_may_be_singular() -> None:
    x, m, root = np.array([0.3, 0.4]), np.zeros(2), np.array([[1.4, 0.1], [0.1, 0.9]])

    def f(root):
        return of_any_rank(x, m, root @ root.T)

    assert_close(grad(f)(root), numeric_gradient(f, [root], 0, 1.0), "gradient")
    step = np.array([[0.3, -0.1], [0.2, 0.4]])
    slope = numeric_gradient(lambda r: np.sum(grad(f)(r) * step), [root], 0, 1.0)
    assert_close(hvp(f)(root, step), slope, "second")
    singular = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert np.all(np.isfinite(grad(of_any_rank)(np.ones(2), m, singular)))
    with pytest.raises(ValueError, match="this covariance is singular"):
        grad(of_any_rank, wrt="cov")(np.ones(2), m, singular)


@pytest.mark.parametrize("cov", [0.7, np.array([0.7, 1.3])], ids=["number", "diagonal"])
def test_covariances_of_fewer_axes_where_singular_ones_are_allowed(cov: Any) -> None:
    x, m = np.array([0.3, 0.4]), np.array([0.1, -0.2])
    for k in range(3):
        gradient = grad(of_any_rank, wrt=k)(x, m, cov)
        assert_close(gradient, numeric_gradient(of_any_rank, [x, m, cov], k, 1.0), "gradient")
