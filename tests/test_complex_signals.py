"""Convolutions, correlations and integrals of complex numbers: in every mode, beside real ones, along paths in the plane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft
import scipy.integrate
import scipy.signal
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)
X, DIRECTION = np.array([1.0, 0.53, 2.21, -0.71]), np.array([0.3, -1.0, 0.4, 2.0])
WAVE = np.exp(1j * np.arange(3.0))


def power(z):
    return np.sum(np.abs(z) ** 2 + np.real(z) ** 3)


@form
def real_signal_and_wavelet(x):
    wavelet = np.exp(2j * x[0] * np.arange(-1, 2))
    return power(np.convolve(x, wavelet, mode="same"))


@form
def every_part_of_it(x):
    z, w = x * np.exp(1j * x), WAVE * x[1]
    same = np.convolve(z, w, "same") * np.convolve(w, z, "same")
    return power(same) + power(np.convolve(w, z, "valid")) + power(np.convolve(z, w, mode="full"))


@form
def correlations(x):
    z, w = x * np.exp(1j * x), x[:3] * WAVE
    same = np.correlate(z, w, "same") * np.correlate(w, z, "same")
    return power(same) + power(np.correlate(z, w)) + power(np.correlate(w, z, "full"))


@form
def real_beside_complex(x):
    return power(np.correlate(x, WAVE, "full")) + power(np.correlate(WAVE, x, "valid"))


@form
def convolved_by_scipy(x):
    z, w = x * np.exp(1j * x), WAVE * x[1]
    same = scipy.signal.fftconvolve(z, w, "same") * scipy.signal.correlate(x, z, mode="same")
    return power(same) + power(scipy.signal.convolve(x, w)) + power(scipy.signal.correlate(w, z))


@form
def shifted_spectrum(x):
    n = scipy.fft.next_fast_len(2 * len(x) - 1)
    z = scipy.fft.fftshift(scipy.fft.fft(x, n)) * scipy.fft.fftshift(scipy.fft.fftfreq(n))
    return power(scipy.fft.ifft(scipy.fft.ifftshift(z)))


@form
def in_blocks(x):
    a = np.outer(x, WAVE[:2]) * x[1]
    whole = np.block([[a, 1j * a], [-1j * np.conj(a), np.outer(x, x[:2])]])
    return power(whole @ np.exp(1j * x))


@form
def fourier_integral(x):
    t = np.linspace(0.0, 1.0, 9)
    return power(np.trapezoid(np.exp(1j * x[0] * t) * x[1], t * x[2]))


@form
def along_a_path(x):
    path = x * np.exp(1j * x)
    return power(np.trapezoid(1 / (path + 3), path)) + power(np.trapezoid(x, path))


@form
def integrals_of_rows(x):
    rows = np.outer(np.exp(1j * x), x)
    some = np.trapezoid(rows, x, axis=0) + np.trapezoid(rows, dx=x[0]) * np.trapezoid(rows.T, x)
    return power(some) + power(np.trapezoid(rows, np.abs(rows), axis=0))


@form
def determinants(x):
    m = np.outer(x[:3], np.exp(2j * x[1:4])) + np.diag(x[:3] + 1j)
    sign, size = np.linalg.slogdet(np.array([m, m.T @ m]))
    return np.real(np.linalg.det(m) * sign[0]) * size[1] + np.angle(sign[1])


@form
def integral_of_scipy(x):
    return power(scipy.integrate.trapezoid(np.exp(1j * x), x) + np.trapezoid(1j * x, axis=-1))


test_in_every_mode = each_right(FUNCTIONS, X, DIRECTION)
