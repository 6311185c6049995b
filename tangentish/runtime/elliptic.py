"""How incomplete elliptic integrals move with their parameter: integrals of the same kind."""

from __future__ import annotations

import functools

import numpy as np

from tangentish.runtime.types import Array

NODES = 100
"""So many that Gauss's rule gives all digits up to a parameter of 0.9999."""


def elliptic_slope(phi: Array, m: Array, p: int, q: int) -> Array:
    """The integral of `sin(t) ** p / (1 - m * sin(t) ** 2) ** (q / 2)` from 0 to `phi`; `p` is even.

    It is taken to the nearest multiple of pi and on from there, where the integrand, which is even, begins again.
    """
    turns = np.round(np.divide(phi, np.pi))
    total = _from_zero(phi - turns * np.pi, m, p, q)
    if np.any(turns):
        total = total + 2 * turns * _from_zero(np.pi / 2, m, p, q)
    return total.astype(np.result_type(np.result_type(phi, m), np.float32))[()]


def _from_zero(phi: Array, m: Array, p: int, q: int) -> Array:
    at, weights = _gauss()
    sines = np.sin(np.multiply.outer(phi, at))
    return sines**p * (1 - np.asarray(m)[..., None] * sines**2) ** (-q / 2) @ weights * phi


@functools.cache
def _gauss() -> tuple[Array, Array]:
    """Places between 0 and 1, and what each counts."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return (nodes + 1) / 2, weights / 2
