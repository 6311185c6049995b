"""A function among the arguments that is given a dict by two stars, which is filled where it asks for it."""

from __future__ import annotations

import inspect

import numpy as np
from numeric import assert_close, numeric_gradient
from numpy.fft import fftfreq
from scipy import fft

from tangentish import grad


def frequencies(n, shift=True):
    u = fftfreq(n, 1.0)
    if shift:
        return fft.fftshift(u)
    return u


def applied(x, functions, fx=None, fy=None, shift=True):
    if any(callable(one) for one in functions):
        uy, ux = [frequencies(n, shift=shift) for n in x.shape]
        if fx is None:
            fx = ux
            fy = uy
    if shift:
        f = fft.fft2(fft.ifftshift(x))
    for one in functions:
        if callable(one):
            asked = inspect.signature(one).parameters
            given = {}
            if "fx" in asked:
                given["fx"] = fx
                given["fy"] = fy
            one = one(**given)
    return fft.fftshift(fft.ifft2(fft.ifftshift(f))).real


def bell(fx, fy):
    return np.exp(-(fx**2) - fy**2)


def test_right() -> None:
    x = np.random.default_rng(3).normal(size=(4, 4))
    expected = numeric_gradient(applied, [x, [bell]], 0, np.ones((4, 4)))
    assert_close(grad(applied)(x, [bell]), expected, "gradient")
