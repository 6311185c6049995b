"""NumPy functions that are rarer: gathered, joined, polynomials, factors of matrices, ufunc methods."""

import cmath
import math
import typing

import numpy as np

from . import positives, program, values


@program(args=lambda: (values(1, 6),), variants=[lambda: (values(2, 4),)])
def halves(x):
    a, b = np.split(x * x, 2)
    return np.sum(a) + np.sum(b**3)


@program(args=lambda: (values(1, 6),))
def first_half_only(x):
    a, b = np.array_split(np.sin(x), 2)
    return np.sum(a**2)


@program(args=lambda: (values(1, 2, 3), values(2, 2, 2), values(3, 1, 5)), wrt=(0, 1, 2))
def block_matrix(a, b, c):
    return np.sum(np.block([[a, b], [c]]) ** 3)


@program(args=lambda: (values(1, 3),), variants=[lambda: (values(2, 5),)])
def blocks_of_a_list(x):
    """Side by side, which a stack of them is not."""
    blocks = []
    for v in x:
        blocks.append(np.outer(x, x) * v)
    wide = np.block(blocks)
    return np.sum(wide[:2, 1:] ** 2) + np.sum(np.block([v * v for v in x])[1:] ** 3)


@program(args=lambda: (values(1, 4), values(2, 3)), wrt=(0, 1))
def outer_differences(x, y):
    return np.sum(np.subtract.outer(x, y) ** 2 * np.add.outer(x, y)) + np.sum(
        np.multiply.outer(x, y)
    )


@program(args=lambda: (values(1, 3, 4),), variants=[lambda: (values(1, 2, 2),)])
def reduced_by_ufuncs(x):
    return np.multiply.reduce(np.add.reduce(x)) + np.sum(np.maximum.reduce(x, axis=1) ** 2)


@program(args=lambda: (values(1, 5),))
def running_extremes(x):
    return np.sum(np.maximum.accumulate(x) ** 2) + np.sum(np.minimum.accumulate(x) * x)


@program(args=lambda: (values(1, 5),))
def sample_of_positions(x):
    y = np.delete(x, 1) * np.insert(x, 2, 0.5)[:4]
    return np.sum(np.resize(y, (2, 5)) ** 2)


@program(args=lambda: (values(1, 4), values(2, 3)), wrt=(0, 1))
def polynomials(p, x):
    return np.sum(np.polyval(p, x) * np.polyval(np.polyder(p), x))


@program(args=lambda: (values(1, 6), values(2, 3)), wrt=(0, 1))
def smoothed(x, w):
    return np.sum(np.convolve(x, w, mode="same") ** 2) + np.sum(np.correlate(x, w))


@program(args=lambda: (values(1, 6),), variants=[lambda: (values(1, 4),)])
def slopes_of_samples(x):
    return np.sum(np.gradient(x, 0.1) ** 2)


@program(args=lambda: (values(1, 3, 3),))
def spectral_radius(a):
    w, v = np.linalg.eigh(a @ a.T)
    return np.max(w) * np.sum((v[:, 0] * w[0]) ** 2)


@program(args=lambda: (values(1, 4, 3),))
def low_rank(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return np.sum(((u[:, :2] * s[:2]) @ vt[:2]) ** 3)


@program(args=lambda: (values(1, 4, 3),))
def orthonormal(a):
    q, r = np.linalg.qr(a)
    return np.sum(q**3) + np.sum(np.abs(np.diag(r)))


@program(args=lambda: (values(1, 3, 3),))
def log_determinant(a):
    sign, logdet = np.linalg.slogdet(a @ a.T + np.eye(3))
    return logdet * sign


@program(args=lambda: (values(1, 5, 3), values(2, 5)))
def least_squares(a, b):
    x = np.linalg.lstsq(a, b, rcond=None)[0]
    return np.sum(x**2)


@program(args=lambda: (values(1, 3, 3), values(2, 3, 4), values(3, 4)), wrt=(0, 1, 2))
def chain_of_matrices(a, b, c):
    return np.sum(np.linalg.multi_dot([a, b, c]) ** 2) + np.sum(np.linalg.matrix_power(a, 3))


@program(args=lambda: (values(1, 3, 5),))
def covariances(x):
    return np.sum(np.cov(x) ** 2) + np.sum(np.corrcoef(x) ** 3)


@program(args=lambda: (values(1, 5), values(2, 5), values(3, 5, 2)), wrt=(0, 1, 2))
def covariances_of_two(x, z, w):
    c = np.cov(x, z)
    several = np.cov(w, x, rowvar=False, aweights=np.arange(1.0, 6.0))
    return (
        c[0, 1] / np.sqrt(c[0, 0] * c[1, 1]) + np.corrcoef(x, y=z)[1, 0] ** 2 + np.sum(several**3)
    )


@program(args=lambda: (values(1, 4, 3),), variants=[lambda: (values(1, 2, 3),)])
def order_statistics(x):
    return (
        np.sum(np.median(x, axis=0) ** 2)
        + np.quantile(x, 0.3)
        + np.sum(np.quantile(x, [0.2, 0.7], axis=1) ** 2)
    )


@program(args=lambda: (values(1, 4),))
def chosen_by_conditions(x):
    y = np.select([x > 0.5, x > 0], [x**2, 2 * x], 0.5)
    z = np.choose(np.array([0, 1, 1, 0]), [x, y])
    return np.sum(y * z)


@program(
    args=lambda: (values(1, 5), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(1, 2, 3), 0.7), lambda: (values(1, 5).astype(np.float32), 0.7)],
)
def chosen_or_the_default(x, s):
    y = np.select([x < -0.5, x < 0], [x**2, s * x], default=np.sqrt(np.abs(x)) * s)
    return np.sum(np.select([y > 0.3], [x * y], s) ** 2)


@program(args=lambda: (values(1, 5),))
def whole_and_fraction(x):
    fraction, whole = np.modf(3 * x)
    quotient, rest = np.divmod(x, 0.3)
    return np.sum(fraction**2 * whole) + np.sum(rest * quotient)


@program(args=lambda: (values(1, 6),))
def windows(x):
    return np.sum(np.lib.stride_tricks.sliding_window_view(x, 3) ** 2 @ np.array([1.0, 2.0, 3.0]))


@program(args=lambda: (values(1, 4), values(2, 4)), wrt=(0, 1))
def weights_per_bin(w, x):
    counts = np.bincount(np.array([0, 2, 2, 1]), w * x, minlength=4)
    return np.sum(counts**2)


@program(args=lambda: (values(1, 5), values(2, 5), 0.3), wrt=(0, 1))
def integral(x, f, h):
    return np.trapezoid(f**2, np.sort(x)) + np.trapezoid(f, dx=h)


@program(args=lambda: (values(1, 3, 4),))
def with_missing_values(x):
    y = np.where(np.arange(4) == 1, np.nan, x)
    return np.nansum(y**2) + np.sum(np.nanmean(y, axis=1) ** 2) + np.sum(np.nanmax(y, axis=1))


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def lists_as_arrays(x, y):
    w = [x, y, x * y]
    spread = np.std((x, y, 1.0)) + np.max([x, y])
    return np.linalg.norm(w) * np.dot(w, [1.0, 2.0, 3.0]) + spread


@program(args=lambda: (positives(9, 3),))
def weighed_by_lists(x, weights=(0.5, 0.3, 0.2)):
    powers = np.power(x, [1, 2, 3])
    return (
        np.sum(np.multiply(weights, powers)) + np.linalg.solve([[2.0, 1.0], [0.0, 3.0]], x[:2])[0]
    )


@program(args=lambda: (positives(9, 4), positives(10, 3, 4)), wrt=(0, 1))
def one_of_the_broadcast(x, z):
    a, _ = np.broadcast_arrays(x, z)
    _, c = np.meshgrid(x, z[0], sparse=True)
    return np.sum(a * np.arange(4)) + np.sum(c**2)


@program(
    args=lambda: (positives(9, 4), positives(10, 4)),
    variants=[lambda: (values(3, 1), values(4, 1))],
    wrt=(0, 1),
)
def joined_in_brackets(x, z):
    row = np.r_[0.0, x, z[1:], [1.0, 2.0]]
    columns = np.c_[x, z, x * z]
    return np.sum(row**2) + np.sum(columns @ np.array([1.0, 2.0, 3.0]))


@program(
    args=lambda: (positives(9, 5), positives(10, 3)),
    variants=[
        lambda: (positives(9, 3), positives(10, 5)),
        lambda: (positives(9, 4), positives(10, 4)),
    ],
    wrt=(0, 1),
)
def as_long_as_the_longer(x, z):
    return np.sum(np.polyadd(x, z)) + np.sum(np.convolve(x, z, "same"))


@program(
    args=lambda: (positives(9, 4, 3),),
    variants=[lambda: (positives(9, 3, 4),), lambda: (positives(9, 3, 3),)],
)
def as_long_as_the_shorter(x):
    return (
        np.sum(np.diagonal(x))
        + np.sum(np.linalg.svd(x, compute_uv=False))
        + np.sum(np.linalg.qr(x, mode="r"))
    )


@program(args=lambda: (np.array([0.1, 2.9, 5.8, 9.1, 12.3]),))
def unwrapped(x):
    return np.sum(np.unwrap(x % 6.5) * np.arange(5)) + np.sum(np.choose([1, 0, 1, 0, 0], [x, x**2]))


@program(args=lambda: (positives(9, 4, 5),))
def slopes_of_an_image(x):
    down, across = np.gradient(x)
    return np.sum(np.sqrt(down**2 + across**2)) + np.sum(np.gradient(x, 0.5, 0.2)[1] ** 3)


@program(args=lambda: (positives(9, 2, 5), positives(10, 5)), wrt=(0, 1))
def covariance_by_weights(x, w):
    return np.sum(np.cov(x, aweights=w) ** 2) + np.average(x[0], weights=w)


@program(args=lambda: (values(1, 4), values(2, 2, 3)), wrt=(0, 1))
def as_plain_lists(x, m):
    first = x.tolist()[0]
    total = first * x.item(2) + m.item(1, 2) * m.item(4)
    for row in m.tolist():
        total += row[0] * row[1] ** 2
    return total


@program(args=lambda: (values(1, 3),))
def types_and_assertions(x):
    np.testing.assert_allclose(x, x + 0.0)
    y = np.zeros(3, dtype=np.result_type(x.dtype, np.common_type(x)))
    y[:] = typing.cast("np.ndarray", x) ** 2
    return sum(np.outer(y, y), 0) + sum([v * v for v in x], 0.0)


@program(args=lambda: (values(1, 3),))
def complex_between(x):
    root = cmath.sqrt(x[0] - 5 * x[1] + 0j)
    return (root * 1j).real + abs(cmath.exp(1j * x[2]) + x[0])


@program(args=lambda: (values(1, 4, 3), values(2, 4)), wrt=(0, 1))
def joined_parts(x, z):
    grids = np.concatenate(np.meshgrid(z, x[:, 0]), axis=1)
    upper = np.vstack(np.split(x * x, 2)) + np.stack(x.T, axis=1)
    return np.hstack(x) @ np.concatenate(np.hsplit(upper, 3)).ravel() + np.sum(grids @ grids.T)


@program(args=lambda: (values(1, 5, 3), positives(2, 2) / 5), wrt=(0, 1))
def quantiles_that_move(x, q):
    spread = np.quantile(x, q, axis=0)
    return np.sum(spread[1] - spread[0]) * np.percentile(x, 100 * q[0] ** 2)


@program(args=lambda: (positives(1, 5), 0.3), wrt=(0, 1))
def slopes_by_a_step(x, h):
    slopes = np.gradient(x**2, h, edge_order=2)
    low = np.nanquantile(x, 0.3 + h / 10, method="hazen")
    return np.sum(slopes * x) * low + math.lgamma(1 + h) * math.gamma(h + 2)


def bent(v, edge):
    return math.sin(v) if v < edge else v**2 * edge


each_bent = np.vectorize(bent)


@program(args=lambda: (values(1, 2, 3), 0.4), wrt=(0, 1))
def of_each_element(x, edge):
    lifted = np.vectorize(lambda v: v**3 if v > 0 else v * edge, otypes=[float])(x)
    return np.sum(each_bent(x, edge) * lifted) + np.sum(np.vectorize(bent)(x, x[:, :1] - 0.013))


@program(args=lambda: (values(1, 4), 0.3), wrt=(0, 1))
def joined_with_ranges(x, h):
    knots = np.r_[h:2.5:4j, x, 0:3]
    table = np.c_[0:4, x**2]
    y = np.empty_like(x)
    np.multiply(x, h, out=y, dtype=np.float64)
    return np.sum(knots**3) + np.sum(table @ table.T) * np.sum(y)


def bordered(x, width, mode):
    return np.pad(x, width, mode=mode)


@program(
    args=lambda: (values(2, 4), "wrap"),
    variants=[lambda: (values(3, 5), "edge"), lambda: (values(1, 3), "reflect")],
)
def borders_as_asked_for(x, mode):
    """The rule of np.pad depends on a text that is an argument."""
    y = bordered(x, 2, mode)
    return np.sum(y[:-1] * y[1:])


@program(args=lambda: (values(1, 5), values(2, 3), 0.7), wrt=(0, 1, 2))
def polynomials_divided(p, q, a):
    quotient, rest = np.polydiv(p, q)
    back = np.polyadd(np.polymul(np.polysub(quotient, a), a), 1.5)
    return np.sum(back**2) + np.polyval(rest, a)


@program(args=lambda: (values(1, 4), 0.7), wrt=(0, 1))
def mean_resultant(angles, kappa):
    """The likelihood of von Mises."""
    return np.sum(kappa * np.cos(angles) - np.log(2 * np.pi * np.i0(kappa)))


@program(args=lambda: (values(1, 4), 0.7), wrt=(0, 1))
def at_least_one_axis(x, a):
    row, column = np.atleast_2d(x, a)
    return np.sum(row * column) + np.atleast_1d(a, x)[0][0]
