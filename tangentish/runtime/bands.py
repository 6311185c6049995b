"""Matrices of few diagonals, as `scipy.linalg.solve_banded` takes them: row `upper + i - j` has element (i, j) at j.

`widths` are the numbers of diagonals below the main one and above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def banded_times(ab: Array, x: Array, widths: Sequence[int]) -> Array:
    """The matrix `ab`, times `x`."""
    found = np.zeros(np.shape(x), np.result_type(ab, x))
    for row, rows, columns in _diagonals(widths, np.shape(ab)[1]):
        found[rows] += (ab[row, columns] * x[columns].T).T
    return found


def transposed_bands(ab: Array, widths: Sequence[int]) -> Array:
    """The transpose of `ab`, whose widths are exchanged, and zeros where it has no element."""
    found = np.zeros_like(ab)
    last = sum(widths)
    for row, rows, columns in _diagonals(widths, np.shape(ab)[1]):
        found[last - row, rows] = ab[row, columns]
    return found


def outer_bands(h: Array, x: Array, widths: Sequence[int]) -> Array:
    """Of `h @ x.T`, summed over the columns, the diagonals that a banded matrix has."""
    found = np.zeros((sum(widths) + 1, len(x)), np.result_type(h, x))
    for row, rows, columns in _diagonals(widths, len(x)):
        product = h[rows] * x[columns]
        found[row, columns] = np.sum(product, axis=tuple(range(1, product.ndim)))
    return found


def _diagonals(widths: Sequence[int], n: int) -> Iterator[tuple[int, slice, slice]]:
    """Of each diagonal its row in the bands, and the rows and columns of the matrix that it is in."""
    lower, upper = widths
    for shift in range(-lower, upper + 1):
        rows = slice(max(-shift, 0), max(n - max(shift, 0), 0))
        yield upper - shift, rows, slice(max(shift, 0), max(n - max(-shift, 0), 0))


def toeplitz_adjoint(h: Array, c_and_r: Any) -> tuple[Array, Array]:
    """The gradients of `c` and `r` in `scipy.linalg.toeplitz(c, r)`, which does not read `r[0]`."""
    c, r = c_and_r
    dc = np.array([np.trace(h, -k) for k in range(len(c))], h.dtype)
    dr = np.array([np.trace(h, k) if k else 0 for k in range(len(r))], h.dtype)
    return dc, dr


def turned_toeplitz(c_and_r: Any) -> tuple[Array, Array]:
    """The first column and row of the transpose of `scipy.linalg.toeplitz(c, r)`."""
    c, r = c_and_r
    return np.append(c[:1], r[1:]), c
