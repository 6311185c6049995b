"""Arrays that functions write to which are told so by place, or by names of SciPy's: `np.cumsum(x, 0, None, y)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.ndimage
import scipy.signal
from every_mode import Function, check_along, kept_in, named

from tangentish import NotDifferentiable, grad

# NumPy 2.5 wants np.trunc; np.fix is there still.
pytestmark = pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)

A = np.array([[3.0, 4.0], [5.0, 1.0]])
K = np.array([1, 0])

# Each writes to w, which carries no derivative.
WRITING: list[Any] = [
    lambda w: np.cumsum(w, 0, None, w),
    lambda w: np.max(A, 0, w),
    lambda w: A.max(0, w),
    lambda w: A.sum(0, None, w),
    lambda w: A[:1].cumsum(0, None, w[None]),
    lambda w: A[0].clip(0, 3, w),
    lambda w: A[0].round(0, w),
    lambda w: np.take(A[0], K, 0, w),
    lambda w: A[0].take(K, 0, w),
    lambda w: A.dot(A[0], w),
    lambda w: np.dot(A, A[0], w),
    lambda w: np.choose(K, A, w),
    lambda w: K.choose(A, w),
    lambda w: np.concatenate([A[0, :1], A[1, :1]], 0, w),
    lambda w: np.stack([A[0, 0], A[1, 0]], 0, w),
    lambda w: np.compress([True, True], A[0], 0, w),
    lambda w: np.nancumsum(A[0], 0, None, w),
    lambda w: np.fix(A[0] + 0.6, w),
    lambda w: np.nanmax(A, 0, w),
    lambda w: np.median(A, 0, w),
    lambda w: np.percentile(A, 30, 0, w),
    lambda w: np.std(A, 0, None, w),
    lambda w: np.ptp(A, 0, w),
    lambda w: np.mean(A, 0, None, w),
    lambda w: np.add.accumulate(A[0], 0, None, w),
    lambda w: np.add.reduce(A, 0, None, w),
    lambda w: np.maximum.accumulate(w[::-1], out=w),
    lambda w: np.frexp(A[0], out=(w, None)),
    lambda w: np.modf(A[0] + 0.5, w),
    lambda w: np.median(w, overwrite_input=True),
    lambda w: scipy.linalg.solve(np.eye(2) * 2, w, overwrite_b=True),
    lambda w: scipy.linalg.lu_factor(A.T * 1.0, True) and scipy.fft.dct(w, 2, None, -1, None, True),
    lambda w: scipy.linalg.qr(w[:, None], overwrite_a=True),
    lambda w: scipy.signal.detrend(w, overwrite_data=True),
    lambda w: scipy.ndimage.gaussian_filter(A[0], 1, output=w),
    lambda w: scipy.ndimage.gaussian_filter1d(A[0], 1.0, -1, 0, w),
    lambda w: scipy.ndimage.uniform_filter(A[0], 2, w),
    lambda w: scipy.ndimage.correlate(A[0], A[1], output=w),
]


@pytest.mark.parametrize("k", range(len(WRITING)))
def test_what_is_written_to_an_array_of_the_caller_is_not_read_in_the_gradient(k):
    write = WRITING[k]

    def f(x, w):
        s = np.sum(x * w)
        write(w)
        return s

    w = np.array([1.0, 3.0])
    np.testing.assert_allclose(grad(f)(np.array([0.7, 0.4]), w), [1.0, 3.0])


def rounded_into(x):
    y = x * 2
    s = np.sum(y**2)
    np.round(x * 1.4, 0, y)
    return np.sum(y * x) * s


def rounded_into_by_a_method(x):
    y = x * 2
    s = np.sum(y**2)
    (x * 1.4).round(0, y)
    return np.sum(y * x) * s


def cut_off_into(x):
    y = x * 2
    s = np.sum(y**2)
    np.fix(x * 4, y)
    return np.sum(y * x) * s


def data_into_what_varies(x):
    y = x * 2
    s = np.sum(y**2)
    np.around(np.arange(4.0) + 0.6, 0, y)
    return np.sum(y * x) * s


def sums_into(x):
    y = x * 2
    z = np.zeros(4)
    np.cumsum(y, 0, None, z)
    return np.sum(z * y) ** 2


def greatest_into(x):
    y = x * 2
    s = np.sum(y**2)
    np.max(np.array([x, y]), 0, y)
    return np.sum(y * x) * s


def clipped_into(x):
    y = x * 2
    s = np.sum(y**2)
    x.clip(0.5, 0.8, y)
    return np.sum(y * x) * s


def data_in_scratch(x):
    w = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * w) ** 2
    b = scipy.linalg.solve(np.eye(4) * 2, w, overwrite_b=True)
    return s * np.sum(x * b)


def filtered_in_scratch(x):
    w = np.zeros(4)
    s = np.sum(x * w)
    for k in range(3):
        scipy.ndimage.gaussian_filter1d(np.arange(4.0) * k, 1.0, -1, 0, w)
        s = s + np.sum(x * w) ** 2
    return s


for each in (
    rounded_into, rounded_into_by_a_method, cut_off_into, data_into_what_varies, sums_into, greatest_into,
    clipped_into, data_in_scratch, filtered_in_scratch,
):  # fmt: skip
    program(each)

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)


def test_what_varies_is_not_overwritten():
    def f(x):
        y = x * 2
        scipy.signal.detrend(y, overwrite_data=True)
        return np.sum(y**2)

    with pytest.raises(NotDifferentiable):
        grad(f)(X)


def add(*a):
    np.add(*a)


def copy(a):
    np.copyto(*a)


@pytest.mark.parametrize("change", [lambda w: add(w, 1, w), lambda w: copy((w, 1))])
def test_what_stars_give_to_write_to_is_seen(change):
    def f(x, w):
        s = np.sum(x * w)
        change(w)
        return s

    w = np.arange(4.0)
    np.testing.assert_allclose(grad(f)(X, w), np.arange(4.0))
    np.testing.assert_allclose(w, np.arange(4.0))


def test_stars_on_the_line_of_the_call_give_what_is_written_to():
    def f(x, w):
        s = np.sum(x * w)
        parts = (w, 1, w)
        np.add(*parts)
        return s * np.sum(w)

    np.testing.assert_allclose(grad(f)(X, np.arange(4.0)), np.arange(4.0) * 10)
