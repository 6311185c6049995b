"""Eigenvalues and singular values that are equal, or equal but for rounding: nothing tells their vectors apart."""

from __future__ import annotations

import warnings

import numpy as np

from tangentish.runtime.products import columns
from tangentish.runtime.types import Array


def rounding_of(w: Array) -> Array:
    """How far rounding may put values apart that are equal."""
    sizes = np.abs(w)
    some = w.shape[-1] > 0  # of no values it is 0
    largest = np.max(sizes, -1, keepdims=True) if some else np.sum(sizes, -1, keepdims=True)
    return 8 * w.shape[-1] * (np.nextafter(largest, np.inf) - largest)


def are_equal(w: Array) -> Array:
    """Which two of the values are equal but for rounding."""
    return np.abs(w[..., None, :] - w[..., :, None]) <= rounding_of(w)[..., None]


def gaps_between(w: Array) -> Array:
    """1 / (w[j] - w[i]), and 0 where two are equal."""
    gaps = w[..., None, :] - w[..., :, None]
    equal = np.abs(gaps) <= rounding_of(w)[..., None]
    return ~equal / np.where(equal, 1, gaps)


def sums_between(s: Array) -> Array:
    """1 / (s[j] + s[i]), and 0 where both singular values are 0."""
    sums = s[..., None, :] + s[..., :, None]
    zero = sums <= 2 * rounding_of(s)[..., None]
    return ~zero / np.where(zero, 1, sums)


def inverses(s: Array) -> Array:
    """1 / s, and 0 where a singular value is 0."""
    zero = s <= rounding_of(s)
    return ~zero / np.where(zero, 1, s)


def watched(p: Array, gaps: Array, by_values: Array | None = None) -> Array:
    """`p`, of which each two vectors get a share by `gaps`; a warning where something may be lost by a gap of 0.

    What two vectors of equal values get is `(p[i, j] - p[j, i]) / (w[j] - w[i])`, whatever that is where both are 0.
    Where a function does not read the values, `by_values` is None, and this is 0: it reads the space of the two, or
    it would have no derivative. A function that reads both may be one of the matrix: `(v * np.exp(w)) @ v.T`.
    """
    n = gaps.shape[-1]
    if np.count_nonzero(gaps) < gaps.size - gaps.size // max(n, 1) and _is_lost(p, gaps, by_values):
        warnings.warn(
            "eigenvalues or singular values are equal: what their vectors get from each other "
            "is left out of a derivative, and may not be 0",
            RuntimeWarning,
            stacklevel=3,
        )
    return p


def _is_lost(p: Array, gaps: Array, by_values: Array | None) -> bool:
    """Whether vectors of equal values would get something from each other, or it can't be known."""
    equal = (gaps == 0) & ~np.identity(gaps.shape[-1], bool, like=gaps)
    other = columns(p).conj()
    rounding = np.sqrt(np.finfo(p.dtype).eps)
    if by_values is None:
        return bool(np.any(np.abs(p - other)[equal] > rounding * np.max(np.abs(p))))
    apart = np.abs(by_values[..., None, :] - by_values[..., :, None])[equal]
    return bool(
        np.any((np.abs(p) + np.abs(other))[equal] > rounding * np.max(np.abs(p)))
        or np.any(apart > rounding * np.max(np.abs(by_values)))
    )


def values_along(u: Array, z: Array) -> Array:
    """The lengths of the columns of z along those of u, as numbers."""
    return np.sum(u * z, axis=-2)


def values_of(inner: Array, w: Array) -> Array:  # noqa: ARG001
    """How eigenvalues `w` change where their matrix changes by `inner`, written in their vectors."""
    return np.diagonal(inner, axis1=-2, axis2=-1).real.copy()


def values_adjoint(h: Array, inner: Array, w: Array) -> Array:
    """The gradient of `inner` in `values_of(inner, w)`; a warning where it lacks what is between equal values."""
    watched(inner * h[..., None, :], gaps_between(w), w)
    return h[..., None] * np.identity(h.shape[-1], inner.dtype, like=h)
