"""Eigenvalues and eigenvectors that may be complex: of matrices that are not symmetric, and of Hermitian ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.elements import ratio
from tangentish.runtime.equal_values import gaps_between, watched
from tangentish.runtime.factors import eigh_adjoint, eigh_left_tangent
from tangentish.runtime.products import columns
from tangentish.runtime.shapes import cast
from tangentish.runtime.types import Array


def eig_adjoint(g: Any, y: Any, x: Array) -> Array:
    """The gradient of `y = np.linalg.eig(x)`; eigenvalues that are equal share no gradient of their vectors."""
    w, v = y
    inner = np.zeros_like(v)
    if g[1] is not None:
        gaps = gaps_between(w)
        inner = gaps * watched(columns(v) @ _across(g[1], v), gaps, w)
    if g[0] is not None:
        inner = inner + g[0][..., None] * np.identity(v.shape[-1], v.dtype, like=v)
    return _like(np.linalg.solve(columns(v), inner @ columns(v)), x)


def eig_tangent(x_dot: Array, y: Any) -> tuple[Array, Array]:
    """The tangent of `y = np.linalg.eig(x)`."""
    w, v = y
    moved = np.linalg.solve(v, x_dot @ v)
    gaps = gaps_between(w)
    watched(moved, gaps, w)
    free = v @ (gaps * moved)
    along = -np.sum(v.conj() * free, axis=-2, keepdims=True).real
    if np.iscomplexobj(v):
        along = along - 1j * _largest(free, v).imag / _largest(v, v).real
    return np.diagonal(moved, axis1=-2, axis2=-1).copy(), free + along * v


def eigvals_adjoint(g: Array, y: Array, x: Array) -> Array:
    """The gradient of `y = np.linalg.eigvals(x)`."""
    return eig_adjoint((g, None), _in_order(y, x), x)


def eigvals_tangent(x_dot: Array, y: Array, x: Array) -> Array:
    """The tangent of `y = np.linalg.eigvals(x)`."""
    v = _in_order(y, x)[1]
    return np.diagonal(np.linalg.solve(v, x_dot @ v), axis1=-2, axis2=-1).copy()


def roots_adjoint(g: Array, y: Array, p: Array) -> Array:
    """The gradient of the coefficients in `y = np.roots(p)`."""
    return _like(-(g / np.polyval(np.polyder(p), y)) @ np.vander(y, len(p)), p)


def hermitian_adjoint(g: Any, y: Any, triangle: str = "L") -> Array:
    """The gradient of `y = np.linalg.eigh(x)` for a complex x."""
    turned = None if g[1] is None else _across_phases(g[1], y[1])
    return eigh_adjoint((g[0], turned), y, triangle)


def hermitian_tangent(x_dot: Array, y: Any, triangle: str = "L") -> tuple[Array, Array]:
    """The tangent of `y = np.linalg.eigh(x)` for a complex x."""
    w_dot, v_dot = eigh_left_tangent(x_dot, y, triangle)
    return w_dot, _in_phase(v_dot, y[1])


def _across(h: Array, v: Array) -> Array:
    """The gradient of eigenvectors that keep the length 1, and real what LAPACK made real: the largest element."""
    along = np.sum(h * v, axis=-2, keepdims=True)
    if not np.iscomplexobj(v):
        return h - along.real * v
    sizes = np.abs(v)
    is_largest = np.arange(v.shape[-2], like=v)[:, None] == np.argmax(sizes, -2)[..., None, :]
    turned = 1j * along.imag / _largest(v, v).real
    return h - along.real * v.conj() - np.where(is_largest, turned, 0)


def _largest(x: Array, v: Array) -> Array:
    """The elements of `x` where the eigenvectors `v` are largest."""
    return np.take_along_axis(x, np.argmax(np.abs(v), -2)[..., None, :], -2)


def _in_order(y: Array, x: Array) -> tuple[Array, Array]:
    """The eigenvalues `y` with their vectors, which `np.linalg.eig(x)` may give in another order."""
    w, v = np.linalg.eig(x)
    nearest = np.argmin(np.abs(y[..., :, None] - w[..., None, :]), -1)
    if np.any(np.sort(nearest, -1) != np.arange(w.shape[-1], like=w)):  # equal ones
        return w, v
    return y, np.take_along_axis(v, nearest[..., None, :], -1)


def _like(d: Array, x: Array) -> Array:
    """The gradient of a real matrix is real."""
    return cast(d if np.iscomplexobj(x) else d.real, x)


def _across_phases(h: Array, v: Array) -> Array:
    """The gradient of eigenvectors whose phases LAPACK fixes: all are real in the first row, or in the last."""
    turned = ratio(np.sum(h * v, axis=-2, keepdims=True).imag, _anchor(v, v).real)
    return h - 1j * turned * _is_anchor(v)


def _in_phase(v_dot: Array, v: Array) -> Array:
    """The tangent of eigenvectors whose phases are fixed."""
    return v_dot - 1j * ratio(_anchor(v_dot, v).imag, _anchor(v, v).real) * v


def _anchor(x: Array, v: Array) -> Array:
    """The row of `x` that is real in `v`."""
    return np.sum(x * _is_anchor(v), axis=-2, keepdims=True)


def _is_anchor(v: Array) -> Array:
    """1 for the row in which all the vectors are real, else 0; none where no row is so."""
    rows = np.zeros((v.shape[-2], 1), like=v)
    for k in (-1, 0):
        if not np.any(v[..., k, :].imag):
            rows[:], rows[k] = 0, 1
    return rows
