"""The dispersion that belongs to Voigt's profile: both are parts of one function, so each is the other's slope."""

from __future__ import annotations

import math

import numpy as np

from tangentish.runtime.types import Array


def voigt_dispersion(x: Array, sigma: Array, gamma: Array) -> Array:
    """The imaginary part of what `scipy.special.voigt_profile` is the real part of."""
    from scipy.special import wofz  # noqa: PLC0415 - SciPy may not be there

    width = math.sqrt(2) * np.asarray(sigma, float)
    found = np.imag(wofz((x + 1j * np.asarray(gamma)) / width)) / (width * math.sqrt(math.pi))
    return found.astype(np.result_type(np.result_type(x, sigma, gamma), np.float32))[()]
