"""Twins of runtime/factors.py, linear_algebra.py and covariances.py: for one matrix, not for stacks of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_none
from tangentish.compiled.twins.written import written


def _is_matrix(one: Any) -> bool:
    return is_array(one) and one.ndim == 2 and isinstance(one.dtype, types.Float)


def _parts(g: Any, likes: list[str]) -> list[str]:
    """A line for each gradient of a tuple of results: zeros where there is none."""
    return [
        f"g{k} = np.zeros_like({like})" if is_none(one) else f"g{k} = g[{k}]"
        for k, (one, like) in enumerate(zip(g, likes, strict=True))
    ]


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def lower_of(s):  # type: ignore[no-untyped-def]
    """The gradient of a symmetric matrix for the lower triangle, the only one that Numba reads."""
    out = np.zeros_like(s)
    for i in range(s.shape[0]):
        out[i, i] = s[i, i]
        for j in range(i):
            out[i, j] = s[i, j] + s[j, i]
    return out


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def rounding_of(w):  # type: ignore[no-untyped-def]
    """How far rounding may put values apart that are equal."""
    largest = 0.0
    for one in w:
        largest = max(largest, abs(one))
    return 8 * np.finfo(w.dtype).eps * len(w) * largest


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def over_gaps(p, w):  # type: ignore[no-untyped-def]
    """`p / (w[j] - w[i])`, and 0 where two are equal but for rounding."""
    out = np.zeros_like(p)
    rounding = rounding_of(w)
    for i in range(len(w)):
        for j in range(len(w)):
            if abs(w[j] - w[i]) > rounding:
                out[i, j] = p[i, j] / (w[j] - w[i])
    return out


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def over_sums(p, s):  # type: ignore[no-untyped-def]
    """`p / (s[j] + s[i])`, and 0 where both are 0 but for rounding."""
    out = np.zeros_like(p)
    rounding = rounding_of(s)
    for i in range(len(s)):
        for j in range(len(s)):
            if s[j] + s[i] > 2 * rounding:
                out[i, j] = p[i, j] / (s[j] + s[i])
    return out


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def over_values(p, s):  # type: ignore[no-untyped-def]
    """`p / s`, and 0 where a value is 0 but for rounding."""
    out = np.zeros_like(p)
    rounding = rounding_of(s)
    for j in range(len(s)):
        if s[j] > rounding:
            out[:, j] = p[:, j] / s[j]
    return out


@twin(runtime.eigh_adjoint)
def _eigh(g: Any, y: Any, triangle: Any = "L") -> Any:
    if not _is_matrix(y[1]):
        return None
    lines = [
        "w, v = y",
        *_parts(g, ["w", "v"]),
        "inner = over_gaps(v.T @ g1, w) + np.diag(g0)",
        "return lower_of(v @ inner @ v.T)",
    ]
    return written("g, y, triangle='L'", lines, over_gaps=over_gaps, lower_of=lower_of)


@twin(runtime.svd_adjoint)
def _svd(g: Any, y: Any) -> Any:
    if not (_is_matrix(y[0]) and _is_matrix(y[2])):
        return None
    lines = ["k = len(y[1])", "u, s, vt = y[0][:, :k].copy(), y[1], y[2][:k].copy()"]
    if is_none(g[0]) and is_none(g[2]):
        lines += ["weights = np.zeros_like(s)" if is_none(g[1]) else "weights = g[1]"]
        return written("g, y", [*lines, "return (u * weights) @ vt"])
    lines += [
        *_parts(g, ["y[0]", "s", "y[2]"]),
        "if np.any(g0[:, k:] != 0) or np.any(g2[k:] != 0):",
        "    raise ValueError('vectors without a singular value have no derivative: write full_matrices=False')",
        "a, b = g0[:, :k].copy(), g2[:k].T.copy()",
        "p, q = u.T @ a, vt @ b",
        "both, apart = p + q, p - q",
        "inner = (over_gaps(both - both.T, s) + over_sums(apart - apart.T, s)) / 2 + np.diag(g1)",
        "outer = over_values(a - u @ p, s) @ vt + u @ over_values(b - vt.T @ q, s).T",
        "return u @ inner @ vt + outer",
    ]
    return written("g, y", lines, over_gaps=over_gaps, over_sums=over_sums, over_values=over_values)


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def square_qr(g0, g1, q, r):  # type: ignore[no-untyped-def]
    m = r @ g1.T - g0.T @ q
    b = q @ (np.tril(m) + np.tril(m, -1).T) + g0
    return np.linalg.solve(r, b.T.copy()).T


@twin(runtime.qr_adjoint)
def _qr(g: Any, y: Any) -> Any:
    if not _is_matrix(y[0]):
        return None
    lines = [
        "q, r = y",
        *_parts(g, ["q", "r"]),
        "n = r.shape[0]",
        "head, tail = g1[:, :n].copy(), g1[:, n:].copy()",
        "first = square_qr(g0 + q @ r[:, n:].copy() @ tail.T, head, q, r[:, :n].copy())",
        "return np.concatenate((first, q @ tail), 1)",
    ]
    return written("g, y", lines, square_qr=square_qr)


@twin(runtime.cholesky_adjoint)
def _cholesky(g: Any, y: Any) -> Any:
    if not _is_matrix(y):
        return None

    def lower(g: Any, y: Any) -> Any:
        half = np.tril(y.T @ g)
        for k in range(len(y)):
            half[k, k] /= 2
        inner = np.linalg.solve(y.T, half)
        s = np.linalg.solve(y.T, inner.T.copy()).T
        return lower_of(s)

    return lower


@twin(runtime.corrcoef_adjoint)
def _corrcoef(g: Any, x: Any) -> Any:
    if not _is_matrix(x) or not _is_matrix(g):
        return None

    def correlated(g: Any, x: Any) -> Any:
        m, n = x.shape
        u, size = np.zeros((m, n), x.dtype), np.zeros(m, x.dtype)
        for i in range(m):
            centred = x[i] - np.sum(x[i]) / n
            size[i] = np.sqrt(np.sum(centred * centred))
            if size[i] != 0:
                u[i] = centred / size[i]
        h = (g + g.T) @ u
        out = np.zeros((m, n), x.dtype)
        for i in range(m):
            if size[i] != 0:
                out[i] = (h[i] - np.sum(h[i]) / n - u[i] * np.sum(u[i] * h[i])) / size[i]
        return out

    return correlated


@twin(runtime.cov_adjoint)
def _cov(
    g: Any, x: Any, bias: Any = False, ddof: Any = None, fweights: Any = None, aweights: Any = None
) -> Any:
    if not (_is_matrix(x) and _is_matrix(g) and is_none(fweights) and is_none(aweights)):
        return None
    less = "(0 if bias else 1)" if is_none(ddof) else "ddof"
    lines = [
        "m, n = x.shape",
        "weighed = np.empty_like(x)",
        "for i in range(m):",
        f"    weighed[i] = (x[i] - np.sum(x[i]) / n) / (n - {less})",
        "return (g + g.T) @ weighed",
    ]
    return written("g, x, bias=False, ddof=None, fweights=None, aweights=None", lines)
