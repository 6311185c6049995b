"""Symmetric eigenvalues and factors of matrices: eigh, svd, qr."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentish.runtime.equal_values import (
    gaps_between,
    inverses,
    sums_between,
    values_along,
    values_of,
    watched,
)
from tangentish.runtime.products import columns
from tangentish.runtime.resolvents import resolved, resolved_pairs
from tangentish.runtime.types import Array


def mirrored(x: Array, triangle: str = "L") -> Array:
    """The symmetric matrix of which a triangle is given."""
    half = np.tril(x, -1) if triangle == "L" else np.triu(x, 1)
    diagonal = x.real * np.identity(x.shape[-1], x.real.dtype, like=x)
    return half + columns(half).conj() + diagonal


def to_lower(s: Array, triangle: str = "L") -> Array:
    """The gradient of a symmetric or Hermitian matrix for the triangle that is read."""
    both = s + columns(s).conj()
    half = np.tril(both) if triangle == "L" else np.triu(both)
    return half - half * np.identity(s.shape[-1], s.dtype, like=s) / 2


def eigh_adjoint(g: Any, y: Any, triangle: str = "L") -> Array:
    """The gradient of `y = np.linalg.eigh(x)`; eigenvalues that are equal share no gradient of their vectors."""
    w, v = y
    inner = np.zeros_like(v)
    if g[1] is not None:
        gaps = gaps_between(w)
        inner = gaps * watched(columns(v) @ g[1], gaps, g[0])
    if g[0] is not None:
        inner = inner + g[0][..., None] * np.identity(v.shape[-1], v.dtype, like=v)
    return to_lower(v.conj() @ inner @ columns(v), triangle)


def eigh_tangent(x_dot: Array, v: Array, x: Array, triangle: str = "L") -> tuple[Array, Array]:
    """The tangent of `w, v = np.linalg.eigh(x)`: of w only x is asked, so that a gradient sees who reads w besides."""
    whole, moved = mirrored(x, triangle), mirrored(x_dot, triangle) @ v
    w, inner = values_along(v, whole @ v), columns(v) @ moved
    watched(inner, gaps_between(w), w)
    return values_of(inner, w), resolved(moved, w, v, whole)


def eigvalsh_tangent(x_dot: Array, y: Any, triangle: str = "L") -> Array:
    """The tangent of the eigenvalues in `y = np.linalg.eigh(x)`."""
    w, v = y
    return values_of(columns(v).conj() @ mirrored(x_dot, triangle) @ v, w)


def eigh_left_tangent(a_dot: Array, y: Any, triangle: str = "L") -> tuple[Array, Array]:
    """The tangent of `y = scipy.linalg.eigh(a, b)` along that of a; or of `np.linalg.eigh(a)`, which may be complex."""
    w, v = y
    inner = columns(v).conj() @ mirrored(a_dot, triangle) @ v
    gaps = gaps_between(w)
    watched(inner, gaps, w)
    return values_of(inner, w), v @ (gaps * inner)


def eigh_right(g: Any, y: Any, triangle: str = "L") -> Array:
    """The gradient of `b` in `y = scipy.linalg.eigh(a, b)`, whose vectors have the length 1 by b."""
    w, v = y
    inner = np.zeros_like(v)
    if g[1] is not None:
        gaps = gaps_between(w)
        turned = watched(columns(v) @ g[1], gaps, g[0])
        inner = gaps * turned * w + turned * np.identity(len(w), w.dtype, like=w) / 2
    if g[0] is not None:
        inner = inner + g[0] * w * np.identity(len(w), w.dtype, like=w)
    return -to_lower(v @ inner @ columns(v), triangle)


def eigh_right_tangent(b_dot: Array, y: Any, triangle: str = "L") -> tuple[Array, Array]:
    """The tangent of `y = scipy.linalg.eigh(a, b)` along that of b."""
    w, v = y
    gaps = gaps_between(w)
    inner = columns(v) @ mirrored(b_dot, triangle) @ v
    watched(inner, gaps, w)
    turned = gaps * inner * w + inner * np.identity(len(w), w.dtype, like=w) / 2
    return -w * np.diagonal(inner), -v @ turned


def some_eigh_adjoint(g: Any, y: Any, x: Array, span: Any, triangle: Any = "L") -> Array:
    """The gradient of `y`, the eigenvalues and vectors of `x` from the first to the last of `span`."""
    w, v = y
    if g[1] is None or not x.size:
        by_values = np.zeros_like(w) if g[0] is None else g[0]
        return to_lower((v * by_values) @ columns(v), triangle)
    around = (span[0], len(x) - span[0] - len(w))
    whole = (None if g[0] is None else np.pad(g[0], around), np.pad(g[1], ((0, 0), around)))
    return eigh_adjoint(whole, _with_rest(y, x, span, triangle), triangle)


def some_eigh_tangent(
    x_dot: Array, y: Any, x: Array, span: Any, triangle: Any = "L"
) -> tuple[Array, Array]:
    """The tangent of `y`, the eigenvalues and vectors of `x` from the first to the last of `span`."""
    w_dot, v_dot = eigh_tangent(x_dot, _with_rest(y, x, span, triangle)[1], x, triangle)
    return w_dot[span[0] : span[1] + 1], v_dot[:, span[0] : span[1] + 1]


def _with_rest(y: Any, x: Array, span: Any, triangle: Any) -> tuple[Array, Array]:
    """All eigenvalues and vectors, those of `span` as they stand in `y`."""
    w, v = np.linalg.eigh(x, triangle)
    after = span[0] + len(y[0])
    return (
        np.concatenate((w[: span[0]], y[0], w[after:])),
        np.concatenate((v[:, : span[0]], y[1], v[:, after:]), 1),
    )


def _thin(y: Any) -> tuple[Array, Array, Array]:
    """Left vectors, singular values, right vectors, as many as there are values."""
    u, s, vt = y
    k = s.shape[-1]
    return u[..., :k], s, vt[..., :k, :]


def _of_values(h: Array, k: int) -> Array:
    """The gradients of the vectors that have a singular value; of others there is no derivative to take back."""
    if np.any(h[..., k:]):
        raise ValueError(
            "vectors without a singular value have no derivative: write full_matrices=False"
        )
    return h[..., :k]


def _with_others(d: Array, like: Array) -> Array:
    """The tangents of all vectors: of those without a singular value there is none, which is nan."""
    if d.shape[-1] == like.shape[-1]:
        return d
    return np.concatenate((d, np.full_like(like[..., d.shape[-1] :], math.nan)), -1)


def svd_adjoint(g: Any, y: Any) -> Array:
    """The gradient of `y = np.linalg.svd(x)` (Townsend 2016)."""
    if g[0] is None and g[2] is None:
        k, weights = y[1].shape[-1], np.zeros_like(y[1]) if g[1] is None else g[1]
        return ((y[0][..., :k] * weights[..., None, :]) @ y[2][..., :k, :]).conj()
    u, s, vt = _thin(y)
    inner: Any = 0
    outer: Any = 0
    if g[1] is not None:
        inner = g[1][..., None] * np.identity(s.shape[-1], s.dtype, like=s)
    p = q = np.zeros_like(u[..., : s.shape[-1], :]) + 0 * s[..., None, :]
    over = inverses(s)[..., None, :]
    if g[0] is not None:
        h = _of_values(g[0], s.shape[-1])
        p = columns(u) @ h
        outer = outer + (h - u @ p) * over @ vt
    if g[2] is not None:
        h = _of_values(columns(g[2]), s.shape[-1])
        q = vt @ h
        outer = outer + u @ columns((h - columns(vt) @ q) * over)
    gaps = gaps_between(s)
    together, apart = watched(p + q, gaps, g[1]), p - q
    inner = inner + gaps * (together - columns(together)) / 2
    inner = inner + sums_between(s) * (apart - columns(apart)) / 2
    return u @ inner @ vt + outer


def singular_values_tangent(x_dot: Array, y: Any) -> Array:
    """The tangent of the singular values in `y = np.linalg.svd(x)`."""
    u, s, vt = _thin(y)
    return values_of(columns(u).conj() @ x_dot @ columns(vt).conj(), s)


def svd_tangent(x_dot: Array, y_u: Array, y_vt: Array, x: Array) -> tuple[Array, Array, Array]:
    """The tangent of `u, s, vt = np.linalg.svd(x)`, of which x tells s: see `eigh_tangent`."""
    k = min(x.shape[-2:])
    u, vt = y_u[..., :k], y_vt[..., :k, :]
    s = values_along(u, x @ columns(vt))
    right, left = x_dot @ columns(vt), columns(x_dot) @ u
    p = columns(u) @ right
    watched(p + columns(p), gaps_between(s), s)
    d = resolved_pairs(np.concatenate((right, left), -2), u, s, vt, x)
    du, dv = d[..., : x.shape[-2], :].copy(), d[..., x.shape[-2] :, :].copy()
    return _with_others(du, y_u), values_of(p, s), columns(_with_others(dv, columns(y_vt)))


def qr_adjoint(g: Any, y: Any) -> Array:
    """The gradient of `y = np.linalg.qr(x)` (Walter and Lehmann 2018; Liao and others 2019 where x is wide)."""
    q, r = y
    n = r.shape[-2]
    if r.shape[-1] > n:  # x = [a, b], and r = [that of a, q.T @ b]
        tail = np.zeros_like(r[..., n:]) if g[1] is None else g[1][..., n:]
        head = None if g[1] is None else g[1][..., :n]
        turned = q @ r[..., n:] @ columns(tail)
        left = _tall_qr_adjoint((turned if g[0] is None else g[0] + turned, head), (q, r[..., :n]))
        return np.concatenate((left, q @ tail), -1)
    return _tall_qr_adjoint(g, y)


def _tall_qr_adjoint(g: Any, y: Any) -> Array:
    q, r = y
    m = np.zeros_like(r)
    if g[1] is not None:
        m = m + r @ columns(g[1])
    if g[0] is not None:
        m = m - columns(g[0]) @ q
    b = q @ (np.tril(m) + columns(np.tril(m, -1)))
    if g[0] is not None:
        b = b + g[0]
    return columns(np.linalg.solve(r, columns(b)))


def qr_tangent(x_dot: Array, y: Any) -> tuple[Array, Array]:
    """The tangent of `y = np.linalg.qr(x)`."""
    q, r = y
    n = r.shape[-2]
    if r.shape[-1] > n:
        q_dot, head_dot = _tall_qr_tangent(x_dot[..., :n], (q, r[..., :n]))
        tail_dot = columns(q_dot) @ (q @ r[..., n:]) + columns(q) @ x_dot[..., n:]
        return q_dot, np.concatenate((head_dot, tail_dot), -1)
    return _tall_qr_tangent(x_dot, y)


def _tall_qr_tangent(x_dot: Array, y: Any) -> tuple[Array, Array]:
    q, r = y
    z = columns(np.linalg.solve(columns(r), columns(x_dot)))
    c = columns(q) @ z
    turn = np.tril(c, -1) - columns(np.tril(c, -1))
    return z - q @ (c - turn), (c - turn) @ r


def full_qr_adjoint(g: Any, y: Any) -> Array:
    """The gradient of `y = np.linalg.qr(x, mode="complete")`."""
    q, r = y
    k = min(r.shape[-2:])
    of_q = None if g[0] is None else _of_columns(g[0], k)
    return qr_adjoint(
        (of_q, None if g[1] is None else g[1][..., :k, :]), (q[..., :k], r[..., :k, :])
    )


def full_qr_tangent(x_dot: Array, y: Any) -> tuple[Array, Array]:
    """The tangent of `y = np.linalg.qr(x, mode="complete")`: nan for the columns that only fill up the basis."""
    q, r = y
    k = min(r.shape[-2:])
    q_dot, r_dot = qr_tangent(x_dot, (q[..., :k], r[..., :k, :]))
    return _with_others(q_dot, q), np.concatenate((r_dot, np.zeros_like(r[..., k:, :])), -2)


def _of_columns(h: Array, k: int) -> Array:
    """The gradients of the columns that x fixes."""
    if np.any(h[..., k:]):
        raise ValueError(
            "columns that only fill up a basis have no derivative: write mode='reduced' ('economic' in SciPy)"
        )
    return h[..., :k]
