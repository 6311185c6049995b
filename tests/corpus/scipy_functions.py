"""Functions of SciPy, as likelihoods and losses use them."""

import numpy as np
import scipy.linalg as sla
from scipy import interpolate, ndimage, special, stats
from scipy.integrate import cumulative_trapezoid, simpson
from scipy.interpolate import splev, splrep
from scipy.linalg import cho_factor, cho_solve, solve_triangular, svd
from scipy.linalg import norm as length
from scipy.signal import convolve2d, fftconvolve, lfilter
from scipy.sparse import issparse
from scipy.spatial.distance import cdist, cosine, pdist, squareform
from scipy.special import expit, gammaln, logsumexp, xlogy
from scipy.stats import norm

from . import positives, program, values


@program(args=lambda: (values(1, 3), values(2, 5, 3), np.array([0.0, 1, 1, 0, 1])))
def logistic_loss(w, x, y):
    p = expit(x @ w)
    return -np.sum(xlogy(y, p) + xlogy(1 - y, 1 - p))


@program(args=lambda: (values(1, 4, 3), 0.4), wrt=(0, 1))
def mixture_likelihood(x, scale):
    return np.sum(logsumexp(norm.logpdf(x, 0.1, scale), axis=1)) + np.sum(norm.cdf(x))


@program(args=lambda: (positives(1, 3), positives(2, 3)), wrt=(0, 1))
def dirichlet_normaliser(a, b):
    return (
        np.sum(gammaln(a)) - gammaln(np.sum(a)) + np.sum(special.betaln(a, b) * special.digamma(b))
    )


@program(args=lambda: (values(1, 5),))
def error_functions(x):
    return np.sum(special.erf(x) * special.erfc(2 * x)) + np.sum(special.log_ndtr(x))


@program(args=lambda: (values(1, 2, 4),))
def soft_attention(x):
    return np.sum(special.softmax(x, axis=1) ** 2) + np.sum(special.log_softmax(x, axis=-1)[:, 0])


@program(args=lambda: (values(1, 3, 3), values(2, 3)), wrt=(0, 1))
def gaussian_process(a, y):
    k = a @ a.T + np.eye(3)
    c = cho_factor(k, lower=True)
    return 0.5 * y @ cho_solve(c, y) + np.sum(np.log(np.diag(c[0])))


@program(args=lambda: (values(1, 3, 3), values(2, 3)), wrt=(0, 1))
def whitened_by_triangle(a, y):
    chol = np.linalg.cholesky(a @ a.T + np.eye(3))
    z = solve_triangular(chol, y, lower=True)
    return z @ z


@program(args=lambda: (values(1, 3, 3), values(2, 3)), wrt=(0, 1))
def matrix_functions(a, b):
    return np.sum(sla.expm(a) @ b) + np.sum(sla.solve(a + 3 * np.eye(3), b) ** 2)


@program(args=lambda: (values(1, 4, 2), values(2, 3, 2)), wrt=(0, 1))
def kernel_of_distances(x, z):
    return np.sum(np.exp(-cdist(x, z, "sqeuclidean"))) + np.sum(cdist(x, z))


@program(args=lambda: (values(1, 6), values(2, 3)), wrt=(0, 1))
def filtered_signal(x, w):
    return np.sum(fftconvolve(x, w, mode="same") ** 2) + simpson(x**2, dx=0.1)


@program(args=lambda: (values(1, 3), values(2, 3), values(3, 3, 3)), wrt=(0, 1, 2))
def normal_density(x, mean, a):
    return stats.multivariate_normal.logpdf(x, mean, a @ a.T + np.eye(3))


@program(args=lambda: (0.4, 0.8), wrt=(0, 1))
def power_of_a_test(effect, alpha):
    critical = stats.norm.isf(alpha / 2)
    return stats.norm.sf(critical - effect * 3) + stats.norm.cdf(-critical - effect * 3)


@program(args=lambda: (positives(1, 4), 0.7, 1.3), wrt=(0, 1, 2))
def lognormal_and_counts(x, s, rate):
    k = np.arange(4)
    return np.sum(stats.lognorm.pdf(x, s, scale=rate)) + np.sum(k * stats.poisson.pmf(k, rate))


KNOTS = np.linspace(0, 2, 9)
SPLINE = splrep(KNOTS, np.sin(3 * KNOTS))


@program(args=lambda: (positives(1, 4), 0.7), wrt=(0, 1))
def splines_given_by_knots(x, a):
    return np.sum(splev(x, SPLINE) ** 2) * float(splev(a, SPLINE)) * splev(a, SPLINE, der=1)


@program(args=lambda: (positives(1, 5, 3),))
def moments_of_samples(x):
    if issparse(x):
        return np.sum(x)
    shapes = stats.skew(x) + stats.kurtosis(x, fisher=False)
    means = stats.gmean(x, axis=1)[:3] * stats.hmean(x, axis=1)[:3]
    return np.sum(shapes * means) + np.sum(stats.zscore(x, axis=1)[:, 0] * x[:, 1])


@program(args=lambda: (positives(1, 2), positives(2, 3), values(3, 6)), wrt=(0, 1, 2))
def filter_by_its_coefficients(b, a, x):
    smooth = lfilter(b, 1.0, x)
    return np.sum(lfilter(b, a, smooth) ** 2)


@program(args=lambda: (values(1, 4, 3), values(2, 2, 3) + 0.1), wrt=(0, 1))
def distances_of_points(x, y):
    near = np.exp(-squareform(pdist(x)))
    return np.sum(near * (cdist(x, y, "cosine") @ cdist(y, x, "cityblock"))) + cosine(x[0], y[1])


@program(args=lambda: (values(1, 4, 5), positives(2, 2, 3)), wrt=(0, 1))
def blurred_picture(x, kernel):
    around = convolve2d(x, kernel, mode="same", boundary="wrap")
    mirrored = convolve2d(x**2, kernel, mode="same", boundary="symm")
    rows = fftconvolve(x, kernel[:1], axes=1)
    return np.sum(around * mirrored) + np.sum(rows**3)


@program(args=lambda: (positives(1, 4),))
def polynomials_of_a_family(x):
    return np.sum(
        special.eval_legendre(3, x) * special.eval_hermite(2, x) + special.spherical_jn(1, x)
    )


@program(args=lambda: (values(1, 4, 3), values(2, 3, 3), 0.4), wrt=(0, 1, 2))
def distances_by_a_metric(x, z, edge):
    metric = np.eye(3) + edge * np.outer(z[0], z[0])
    around = convolve2d(x, z, mode="same", fillvalue=edge)
    near = cdist(x, z, "mahalanobis", VI=metric) + cdist(x, z, metric="correlation")
    return np.sum(near * around)


@program(
    args=lambda: (positives(1, 5), positives(2, 5), 0.3, 3),
    wrt=(0, 1, 2),
    variants=[lambda: (positives(3, 3), positives(4, 3), 0.1, 1)],
)
def heat_by_implicit_steps(u, conductivity, dt, steps):
    ab = np.zeros((3, len(u)))
    ab[0, 1:] = ab[2, :-1] = -dt * conductivity[1:]
    ab[1] = 1 - ab[0] - ab[2]
    for _ in range(steps):
        u = sla.solve_banded((1, 1), ab, u)
    return np.sum(u**2)


@program(
    args=lambda: (values(1, 4, 5), values(2, 3, 2)),
    wrt=(0, 1),
    variants=[lambda: (values(3, 2, 3), values(4, 3, 3))],
)
def image_through_filters(image, kernel):
    smooth = ndimage.convolve(image, kernel)
    edges = ndimage.correlate(smooth, kernel, mode="nearest")
    return np.sum(edges * ndimage.convolve(image, kernel, mode="constant"))


NODES = np.linspace(-2.0, 3.0, 11)
HEIGHTS = np.sin(NODES) + 0.1 * NODES**2
cubic = interpolate.CubicSpline(NODES, HEIGHTS)
monotone = interpolate.PchipInterpolator(NODES, HEIGHTS)
by_lines = interpolate.interp1d(NODES, HEIGHTS)
going_on = interpolate.interp1d(NODES, HEIGHTS, fill_value="extrapolate")
level = interpolate.interp1d(NODES, HEIGHTS, "cubic", bounds_error=False, fill_value=(0.0, 1.0))
steps = interpolate.interp1d(NODES, HEIGHTS, kind="previous")
smooth = interpolate.UnivariateSpline(NODES, HEIGHTS, s=0.01)


@program(args=lambda: (values(91, 4), 0.37), wrt=(0, 1), variants=[lambda: (values(92, 2, 3), 1.1)])
def splines_of_the_module(x, s):
    y = cubic(x) * monotone(s) + smooth(x) * x
    return np.sum(y**2) + float(cubic(s)) * smooth(s) + cubic(x, 1).sum() * monotone(s, nu=1)


@program(args=lambda: (values(93, 4), 0.37), wrt=(0, 1))
def interpolations_of_the_module(x, s):
    y = by_lines(x) * s + going_on(x * 9.0) * x + level(7.0 * x)
    total = 0.0
    for v in x:
        total += level(v) * steps(v) + by_lines(s) * v
    return y @ y + total


@program(args=lambda: (values(94, 4),), variants=[lambda: (values(95, 1),)])
def interpolants_made_inside(x):
    weights = NODES**2
    f = interpolate.interp1d(NODES, weights)
    g = interpolate.CubicSpline(NODES, HEIGHTS, bc_type="natural")
    total = 0.0
    for v in x:
        total += f(v) * g(v)
    h = interpolate.make_interp_spline(NODES, HEIGHTS, k=3)
    return total * np.sum(g(x)) + interpolate.PchipInterpolator(NODES, weights)(x[0]) + len(h.t)


@program(args=lambda: (values(81, 11), values(82, 3), 0.37), wrt=(0, 1, 2))
def splines_through_what_varies(y, t, s):
    f = interpolate.CubicSpline(NODES, y * s, bc_type="natural")
    g = interpolate.make_interp_spline(NODES, y, k=2)
    total = (
        interpolate.CubicSpline(
            NODES, np.stack([y, y**2], axis=1), bc_type=((1, 0.5 * np.ones(2)), "clamped")
        )(s)
        @ t[:2]
    )
    for v in t:
        total += f(v, 1) * g(v)
    return total * np.sum(f(t)) + np.sum(interpolate.BSpline(g.t, g.c * s, 2)(t) ** 2)


@program(args=lambda: (values(83, 11), values(84, 3), 0.37), wrt=(0, 1, 2))
def interpolations_through_what_varies(y, t, s):
    f = interpolate.interp1d(NODES, y)
    bent = interpolate.interp1d(
        NODES, np.stack([y, s * y]), kind="cubic", axis=1, fill_value="extrapolate"
    )
    last = interpolate.interp1d(NODES, y * s, kind="previous", bounds_error=False, fill_value=0.0)
    y = y * s
    total = f(s) * y
    for v in t:
        total = total + f(v) * last(v)
    return np.sum(total) * np.sum(bent(t * 5.0) ** 2) + np.sum(f(t) * last(9.0 * t))


@program(args=lambda: (values(85, 11, 3), positives(86, 4, 2) * 0.5, 0.37), wrt=(0, 1, 2))
def table_of_two_axes(table, places, s):
    f = interpolate.RegularGridInterpolator(
        (NODES, np.array([0.0, 0.7, 1.1])), table, bounds_error=False, fill_value=None
    )
    steps = interpolate.RegularGridInterpolator(
        (NODES, np.array([0.0, 0.7, 1.1])), table * s, method="nearest"
    )
    return np.sum(f(places) ** 2) + f(np.array([s, 2 * s]))[0] * np.sum(
        steps(places) * f((places[:, 1], places[:, 0]))
    )


trend = np.poly1d([0.5, -1.0, 2.0])
wave = np.polynomial.Chebyshev([0.1, 0.7, 0.3], domain=[0.0, 2.0])


@program(args=lambda: (values(1, 4), 0.7), wrt=(0, 1))
def polynomials_of_the_module(x, a):
    line = np.poly1d([2.0, 1.0])
    return np.sum(trend(x) * wave(a * x)) + line.integ()(a) * wave.deriv()(a)


@program(args=lambda: (values(96, 3, 3), values(97, 3)), wrt=(0, 1))
def solved_by_elimination(a, b):
    """The order of the rows stays, the factors move."""
    packed = sla.lu_factor(a + 2 * np.eye(3))
    both, _ = packed
    p, low, up = sla.lu(a)
    x = sla.lu_solve(packed, b) * sla.lu_solve(packed, p @ b, trans=1)
    return np.sum(x**2) + np.sum(np.log(np.abs(np.diag(both)))) + np.sum(low * up.T)


@program(args=lambda: (values(98, 4), values(99, 4), values(90, 4)), wrt=(0, 1, 2))
def solved_along_diagonals(c, r, b):
    first = np.concatenate((c[:1] + 3, c[1:]))
    x = sla.solve_toeplitz((first, r), b)
    return np.sum(x**2) + np.sum(sla.solve_circulant(first, x) * b)


@program(args=lambda: (values(1, 3, 4), values(2, 4)), wrt=(0, 1))
def running_integrals_and_norms(x, w):
    areas = cumulative_trapezoid(x * w, initial=0) + cumulative_trapezoid(
        x, [0.0, 0.5, 2.0, 2.5], initial=0.0
    )
    return np.sum(areas**2) * length(x, 1) + length(areas, np.inf) * svd(x, compute_uv=False)[0]


@program(args=lambda: (values(1, 3),))
def counts_in_lists(x):
    p = expit(x)
    seen = stats.binom.logpmf([1, 0, 2], 5, p) + stats.geom.logpmf([1, 1, 2], p)
    return seen * special.eval_hermite([0, 1, 2], p) + special.hyp2f1([1.0, 2.0, 3.0], 1, 2, p / 2)
