"""What SciPy makes of numbers at rest, and what is read from texts: arrays of which the type and the axes are known."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import scipy.special
from every_mode import check_refused, each_right
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad

X = np.array([0.3, 0.8, 2.1, -1.2, 0.5, 1.7, -0.3, 0.9])
ALONG = np.array([0.4, -0.9, 0.2, 0.7, -0.3, 0.1, 0.8, -0.6])
TABLE = "1 2 3 4 5 6 7 8"


def power(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


def windowed(x):
    return power(x * scipy.signal.get_window("hann", len(x)))


def windowed_by_a_number(x):
    return power(x * scipy.signal.get_window(("kaiser", 3.0), len(x)))


def tapered(x):
    w = scipy.signal.windows.tukey(len(x), 0.3)
    return power(w * x) / np.sum(w**2)


def frames(x):
    w = scipy.signal.windows.hamming(4, sym=False)
    s = np.empty((3, 3), complex)
    for k in range(3):
        s[k] = np.fft.rfft(w * x[2 * k : 2 * k + 4])
    return np.sum(np.log(np.abs(s) ** 2 + 1.0))


def low_pass(x):
    return power(scipy.signal.lfilter(*scipy.signal.butter(2, 0.3), x))


def band_of_any_order(x):
    b, a = scipy.signal.cheby1(len(x) // 4, 1.0, (0.2, 0.6), btype="bandpass")
    return power(scipy.signal.lfilter(b, a, x)) * len(b)


def sections(x):
    s = scipy.signal.butter(3, 0.3, output="sos")
    return np.sum(scipy.signal.sosfilt(s, x) ** 2) * s.shape[0]


def without_a_line(x):
    b, a = scipy.signal.iirnotch(0.3, 5.0)
    return power(scipy.signal.lfilter(b, a, x))


def taps(x):
    return power(np.convolve(x, scipy.signal.firwin(3, 0.3), "same"))


def smoothed(x):
    return power(np.convolve(x, scipy.signal.savgol_coeffs(5, 2), "same"))


def swept(x):
    t = np.linspace(0.0, 1.0, len(x))
    return power(x * scipy.signal.chirp(t, 1.0, 1.0, 3.0))


def ill_conditioned(x):
    return power(scipy.linalg.hilbert(len(x)) @ x)


def transformed(x):
    return np.sum(np.abs(scipy.linalg.dft(len(x)) @ x)[1:] ** 2)


def scattered(x):
    return power(scipy.linalg.hadamard(8) @ x)


def by_quadrature(x):
    t, w = scipy.special.roots_legendre(len(x))
    return power(w * x * t)


def read_from_a_text(x):
    return power(x * np.loadtxt(io.StringIO(TABLE)))


def read_with_gaps(x):
    w = np.genfromtxt(io.StringIO(TABLE), delimiter=" ")
    return power(x * w)


FUNCTIONS: list[Callable[..., Any]] = [
    windowed, windowed_by_a_number, tapered, frames, low_pass, band_of_any_order, sections, without_a_line, taps,
    smoothed, swept, ill_conditioned, transformed, scattered, by_quadrature, read_from_a_text, read_with_gaps,
]  # fmt: skip


test_every_mode = each_right(FUNCTIONS, X, ALONG)


def test_windows_stand_in_the_gradient_as_they_are() -> None:
    def loss(x):
        return np.sum(x * scipy.signal.get_window("hann", len(x)))

    assert "return dy * t\n" in grad(loss).source(X)


def test_where_a_number_varies_there_is_no_rule() -> None:
    def kaiser(x):
        return np.sum(scipy.signal.windows.kaiser(8, x[0]) * x)

    def cut_off(x):
        b, a = scipy.signal.butter(2, x[0])
        return np.sum(b) + np.sum(a)

    for f in (kaiser, cut_off):
        check_refused(f, "known for numbers that carry no derivative only", X)


@pytest.mark.parametrize("window", [np.hanning, np.hamming, np.bartlett, np.blackman])
def test_windows_of_a_length_that_varies(window) -> None:
    def of_all(x, n):
        return np.sum(window(n) * x) * n

    with pytest.raises(NotDifferentiable, match="pass int"):
        grad(of_all, wrt=1)(X, 8.0)
    np.testing.assert_allclose(grad(of_all)(X, 8.0), 8 * window(8))


def test_zeros_and_poles_are_asked() -> None:
    """How many there are, and whether they are complex, follows the numbers."""

    def placed(x):
        z, p, k = scipy.signal.butter(2, 0.3, output="zpk")
        return np.sum(x) ** 2 * k * len(z)

    assert_close(grad(placed)(X), numeric_gradient(placed, [X], 0, 1.0), "gradient")


def test_what_may_be_complex_is_to_be_said() -> None:
    load = {"w": np.arange(8.0)}.__getitem__

    def unknown(x):
        return power(x * load("w"))

    def known(x):
        return power(x * np.asarray(load("w"), float))

    with pytest.raises(
        NotDifferentiable, match="it is not known whether what np.fft.rfft gets is real"
    ):
        grad(unknown)(X)
    assert_close(grad(known)(X), numeric_gradient(known, [X], 0, 1.0), "gradient")
