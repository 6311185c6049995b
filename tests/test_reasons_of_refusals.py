"""What a refusal says is the reason, and the way out that it names is one."""

from __future__ import annotations

import cmath
import collections
import functools
import random
from typing import Any

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse.linalg
import scipy.special
import scipy.stats
from every_mode import check_along, check_refused
from scipy.spatial import ConvexHull, cKDTree
from scipy.spatial.transform import Rotation

from tangentish import stop_gradient

P, P_DOT = np.array([0.1, 0.5, 0.9]), np.array([1.0, -2.0, 0.5])


class Kernel:
    def __init__(self, scale, variance):
        self.scale, self.variance = scale, variance

    def __call__(self, a, b):
        return self.variance * np.exp(-0.5 * (a[:, None] / self.scale - b / self.scale) ** 2)


def root(z):
    scale, variance = np.exp(np.zeros(2))
    kernel = Kernel(scale, variance)
    return np.linalg.cholesky(kernel(z, z) + np.eye(len(z)))


def of_unknown_axes(z):
    L = root(z)
    return np.sum(np.log(np.diag(L)))


def of_axes_that_are_said(z):
    L = np.reshape(root(z), (len(z), len(z)))
    return np.sum(np.log(np.diag(L)))


def test_axes_that_nobody_knows() -> None:
    check_refused(of_unknown_axes, "it is not known how many axes what np.diag gets here has", P)
    check_along(of_axes_that_are_said, P, P_DOT)


def larger(so_far, v):
    return so_far if so_far > v else v


def reduced(x):
    rows = [functools.reduce(larger, row) for row in np.outer(x, x)]
    return sum(rows)


def reduced_in_a_loop(x):
    y = np.sin(x[0])
    for v in x:
        y = larger(y, np.sin(v))
    return y


def test_reductions_are_loops() -> None:
    check_refused(reduced, "functools.reduce is not followed here: write the loop", P)
    check_along(reduced_in_a_loop, P, P_DOT)


def put(values, v):
    values.append(v)


def in_a_tuple(x):
    kept = [1.0, 2.0]
    both = (kept, 3.0)
    put(both[0], 4.0)
    put(both[0], x[0])
    return sum(kept)


def test_list_that_may_have_been_changed() -> None:
    check_refused(in_a_tuple, "it is not known that 'values' is a list", P)


class Delay:
    def __init__(self, n):
        self.n, self.kept = n, collections.deque([0.0] * n, maxlen=n)

    def after(self, v):
        self.kept.appendleft(v)
        return sum(self.kept)


class ListedDelay(Delay):
    def __init__(self, n):
        self.n, self.kept = n, [0.0] * n

    def after(self, v):
        self.kept.insert(0, v)
        self.kept.pop()
        return sum(self.kept)


def delayed(x):
    delay = Delay(2)
    return sum(delay.after(v) ** 2 for v in x)


def delayed_by_a_list(x):
    delay = ListedDelay(2)
    return sum(delay.after(v) ** 2 for v in x)


def test_deque_that_an_object_keeps() -> None:
    check_refused(delayed, "write a list, xs.insert(0, v)", P)
    check_along(delayed_by_a_list, P, P_DOT)


def phase(x):
    return cmath.phase(x[0])


def test_rule_for_other_numbers_alone() -> None:
    check_refused(phase, "cmath.phase is not supported with these arguments", P)


def as_it_lies(x):
    return np.sum(np.outer(x, x).T.ravel("K") * np.arange(9.0))


def as_it_lies_in_shape(x):
    return np.sum(np.reshape(np.outer(x, x), (9,), order="A") * np.arange(9.0))


def filtered_into(x):
    blurred = np.zeros(3)
    scipy.ndimage.gaussian_filter1d(x, 1.0, output=blurred)
    return np.sum(blurred**2)


def test_options_that_no_rule_has() -> None:
    check_refused(as_it_lies, "np.ravel can't be differentiated: order='K' follows how", P)
    check_refused(as_it_lies_in_shape, "np.reshape can't be differentiated: order='A' follows", P)
    check_refused(filtered_into, "gaussian_filter1d can't be differentiated: with output= it", P)


def correlated(x):
    return scipy.stats.pearsonr(x, np.arange(len(x)))[0]


def line_through(x):
    return scipy.stats.linregress(np.arange(len(x)), x).slope


def power_spectrum(x):
    return np.sum(scipy.signal.periodogram(x)[1] ** 2)


def between_places(x):
    return scipy.interpolate.PchipInterpolator(np.arange(len(x)), x)(0.5)


def resampled(x):
    return np.sum(scipy.signal.resample(x, 7) ** 2)


def without_outliers(x):
    return np.sum(scipy.signal.medfilt(x, 3) ** 2)


def by_order(x):
    return np.sum(scipy.special.jv(x, 1.3))


def by_upper_parameter(x):
    return np.sum(scipy.special.hyp2f1(x, 1.3, 2.0, 0.2))


def mean_of_both(x):
    return np.sum(scipy.special.agm(x, 1.3))


def turned(x):
    return np.sum(Rotation.from_rotvec(x).apply(np.arange(3.0)) ** 3)


def turned_by_a_matrix(x):
    return np.sum((scipy.linalg.expm(np.cross(np.eye(3), x)) @ np.arange(3.0)) ** 3)


FACTORS = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(2 * np.eye(3)))
SOLVED = scipy.sparse.linalg.factorized(scipy.sparse.csc_matrix(2 * np.eye(3)))
TURN = Rotation.from_rotvec(np.ones(3))


def factors_outside(x):
    return np.sum(FACTORS.solve(x))


def factors_inside(x):
    return np.sum(scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(2 * np.eye(3))).solve(x))


def factors_by_a_function(x):
    return np.sum(SOLVED(x))


def turned_outside(x):
    return np.sum(TURN.apply(x))


def products_of_slices(x):
    return np.sum(np.multiply.reduceat(x, [0, 2]))


def by_coefficients(x):
    return scipy.interpolate.splev(0.3, (np.array([0.0, 0.0, 0.5, 1.0, 1.0]), x, 1))


def by_coefficients_of_an_object(x):
    return scipy.interpolate.BSpline(np.array([0.0, 0.0, 0.5, 1.0, 1.0]), x, 1)(0.3)


def between_zeros(x):
    return np.sum(scipy.signal.upfirdn([1.0, 0.5], x, 3, 2) ** 2)


def at_another_rate(x):
    return np.sum(scipy.signal.resample_poly(x, 3, 2) ** 2)


def response(x):
    return np.sum(np.abs(scipy.signal.freqz(x, 1.0, 8)[1]))


def on_a_spiral(x):
    return np.sum(np.abs(scipy.signal.czt(x)))


def of_neighbours(x):
    return np.sum(scipy.ndimage.maximum_filter(np.outer(x, x), 3))


def peaks(x):
    return np.sum(x[scipy.signal.find_peaks(x)[0]])


def corners(x):
    return np.sum(x[ConvexHull(np.outer(x, x)[:, :2]).vertices])


def nearest(x):
    return np.sum(cKDTree(x[:, None]).query(x[:1])[0])


def at_their_places(x):
    y = np.sin(np.append(x, x[::-1]) * 9)
    corner = np.asarray(ConvexHull(stop_gradient(y).reshape(3, 2)).vertices)
    near = np.argsort(scipy.spatial.distance.cdist(y[:2, None], y[2:, None]), axis=1)[:, :2]
    top = np.asarray(scipy.signal.find_peaks(stop_gradient(y))[0])
    return np.sum(y[top] ** 2) + np.sum(y[corner] * np.arange(3)) + np.sum(y[2:][near] ** 3)


def test_places_are_read_from_what_is_at_rest() -> None:
    check_along(at_their_places, P, P_DOT)


def test_rotations_are_matrices() -> None:
    assert np.isclose(turned(P), turned_by_a_matrix(P), 1e-13)
    check_along(turned_by_a_matrix, P, P_DOT)


@pytest.mark.parametrize(
    ("f", "instead"),
    [
        (turned, "write the matrix scipy.linalg.expm(np.cross(np.eye(3), v)) of a rotation vector"),
        (turned_outside, "write x @ R.as_matrix().T"),
        (
            factors_outside,
            ".solve can't be differentiated: write scipy.sparse.linalg.spsolve(A, b)",
        ),
        (factors_inside, "write scipy.sparse.linalg.spsolve(A, b)"),
        (factors_by_a_function, "write scipy.sparse.linalg.spsolve(A, b)"),
        (products_of_slices, "np.multiply.reduceat can't be differentiated: write the reduction"),
        (by_coefficients, "'tck' here: write scipy.interpolate.BSpline(t, c, k)(x)"),
        (between_zeros, "write scipy.signal.convolve(z, h)[::down]"),
        (at_another_rate, "write scipy.signal.convolve(z, h)[len(h) // 2 :: down]"),
        (response, "write np.polyval(b[::-1], z) / np.polyval(a[::-1], z)"),
        (on_a_spiral, "write x @ z ** -np.arange(len(x))[:, None]"),
        (of_neighbours, "write np.max(np.lib.stride_tricks.sliding_window_view(np.pad(x, k // 2"),
        (peaks, "write np.asarray(find_peaks(stop_gradient(x))[0]), the places"),
        (corners, "write np.asarray(ConvexHull(stop_gradient(x)).vertices), the places"),
        (nearest, "write np.argsort(scipy.spatial.distance.cdist(x, z), axis=1)[:, :k]"),
        (by_order, "with respect to 'v' here: no closed form of it is known, but for those of"),
        (by_upper_parameter, "with respect to 'a' here: no closed form of it is known"),
        (mean_of_both, "write np.pi / 4 * (a + b) / scipy.special.ellipk("),
        (resampled, "write np.fft.irfft(np.fft.rfft(x)[: min(len(x), m) // 2 + 1], m) * m"),
        (without_outliers, "write np.median(np.lib.stride_tricks.sliding_window_view("),
        (correlated, "write np.corrcoef(x, z)"),
        (line_through, "write slope, intercept = np.polyfit(x, z, 1)"),
        (power_spectrum, "write np.abs(np.fft.rfft(x * w))"),
        (between_places, "follow the data by cases: write scipy.interpolate.CubicSpline"),
    ],
)
def test_what_to_write_instead(f: Any, instead: str) -> None:
    check_refused(f, instead, P)


def test_what_is_to_be_written_gives_the_same() -> None:
    x = np.sin(np.arange(9.0) ** 2)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, 1), 3)
    assert np.allclose(np.median(windows, axis=-1), scipy.signal.medfilt(x, 3))
    image = np.outer(x, np.cos(np.arange(4.0)))
    padded = np.pad(image, 1, "symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    for taken in ("max", "min", "median"):
        known = {"max": "maximum", "min": "minimum"}.get(taken, taken)
        found = getattr(np, taken)(windows, axis=(-2, -1))
        assert np.allclose(found, getattr(scipy.ndimage, f"{known}_filter")(image, 3))
    for m in (7, 14):
        written = np.fft.irfft(np.fft.rfft(x)[: min(len(x), m) // 2 + 1], m) * m / len(x)
        assert np.allclose(written, scipy.signal.resample(x, m))
    h, up, down = scipy.signal.firwin(61, 1 / 3, window=("kaiser", 5.0)) * 3, 3, 2
    z = np.zeros(up * len(x))
    z[::up] = x
    written = scipy.signal.convolve(z, h)[len(h) // 2 :: down][: -(-len(x) * up // down)]
    assert np.allclose(written, scipy.signal.resample_poly(x, up, down))
    written = scipy.signal.convolve(z[: up * (len(x) - 1) + 1], h)[::down]
    assert np.allclose(written, scipy.signal.upfirdn(h, x, up, down))
    a, w = np.array([1.0, 0.3]), np.exp(-0.3j)
    omega, found = scipy.signal.freqz(x, a, 8)
    z = np.exp(-1j * omega)
    assert np.allclose(np.polyval(x[::-1], z) / np.polyval(a[::-1], z), found)
    z = 1.1 * w ** -np.arange(5)
    assert np.allclose(x @ z ** -np.arange(len(x))[:, None], scipy.signal.czt(x, 5, w, 1.1))
    assert np.isclose(by_coefficients(P), by_coefficients_of_an_object(P))
    check_along(by_coefficients_of_an_object, P, P_DOT)


class Powers:
    """Remembers them in a dict of its class."""

    known = {}  # noqa: RUF012

    def __init__(self, x: Any) -> None:
        self.x = x

    def of(self, k: int) -> Any:
        if k not in self.known:
            self.known[k] = self.x**k
        return self.known[k]


def remembered(x):
    p = Powers(x[0])
    return p.of(2) + p.of(3) * p.of(2)


def test_dict_of_a_class() -> None:
    check_refused(remembered, "stores of differentiated values into lists, dicts and objects", P)


def of_a_distribution_without_rows(x):
    return np.sum(scipy.stats.nct.logpdf(x, 4.0, 0.5))


def quartiles(x):
    return scipy.stats.iqr(x) * x[0]


def quartiles_as_told(x):
    return np.subtract(*np.percentile(x, [75, 25])) * x[0]


def test_methods_of_distributions_are_called_by_their_public_names() -> None:
    check_refused(
        of_a_distribution_without_rows,
        "scipy.stats.nct.logpdf can't be differentiated: there is no rule for this distribution",
        P,
    )


def test_statistics_name_their_formulas() -> None:
    check_refused(quartiles, "np.percentile", P)
    check_along(quartiles_as_told, P, P_DOT)
    assert np.isclose(quartiles(P), quartiles_as_told(P))


def drawn(x):
    return np.sum(np.random.normal(x, 1.0))


def picked(x):
    return random.choice([x[0], x[1]])


def masked(x):
    return np.ma.masked_where(x > 0, x).sum()


def solved_step_by_step(x):
    return np.sum(scipy.sparse.linalg.cg(np.eye(len(x)), x)[0])


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (drawn, "write loc + scale * np.random.normal"),
        (picked, "write xs[random.randrange(len(xs))]"),
        (masked, "keep the mask, and write np.sum(x[~mask])"),
        (solved_step_by_step, "write scipy.sparse.linalg.spsolve"),
    ],
)
def test_draws_masks_and_solvers(function: Any, reason: str) -> None:
    check_refused(function, reason, P)
