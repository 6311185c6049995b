"""Factors of Gaussian elimination, `x = p @ l @ u`; the order of the rows, p, stays where x moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.types import Array


def lu_adjoint(g: Any, y: Any) -> Array:
    """The gradient of `y = scipy.linalg.lu(x)`, whose rows or columns may be the more."""
    p, low, up = y
    n = low.shape[1]
    if not n:
        return np.zeros_like(low, shape=(len(low), up.shape[1]))
    gl = np.zeros_like(low) if g[1] is None else g[1]
    gu = np.zeros_like(up) if g[2] is None else g[2]
    dividing = _dividing(low, up)
    rest = np.linalg.solve(dividing, gl[n:].T).T
    gu_left = np.triu(gu[:, :n] - low[n:].T @ rest)
    below = low[:n].T @ gl[:n] - gu_left @ up[:, :n].T - gu[:, n:] @ up[:, n:].T
    square = gu_left + np.linalg.solve(dividing, np.tril(below, -1).T).T
    top = np.linalg.solve(low[:n].T, np.hstack((square, gu[:, n:])))
    bottom = np.hstack((rest, np.zeros_like(low, shape=(len(low) - n, up.shape[1] - n))))
    return p @ np.vstack((top, bottom))


def lu_tangent(x_dot: Array, y: Any) -> tuple[Array, Array]:
    """The tangent of the factors l and u in `y = scipy.linalg.lu(x)`."""
    p, low, up = y
    n = low.shape[1]
    if not n:
        return np.zeros_like(low), np.zeros_like(up)
    moved = p.T @ x_dot
    inner, dividing = np.linalg.solve(low[:n], moved[:n, :n]), _dividing(low, up)
    below = np.tril(np.linalg.solve(dividing.T, inner.T).T, -1)
    l_top, u_left = low[:n] @ below, np.triu(inner - below @ up[:, :n])
    l_rest = np.linalg.solve(dividing.T, (moved[n:, :n] - low[n:] @ u_left).T).T
    u_rest = np.linalg.solve(low[:n], moved[:n, n:] - l_top @ up[:, n:])
    return np.vstack((l_top, l_rest)), np.hstack((u_left, u_rest))


def _dividing(low: Array, up: Array) -> Array:
    """The pivots, and what stands above them; where no row comes after the last pivot, it divides nothing, and is 1."""
    n = low.shape[1]
    left = up[:, :n].copy()
    if len(low) == n:
        left[-1, -1] = 1.0
    return left


def _parts(factors: Any) -> tuple[Array, Array, Array]:
    """The factors p, l, u that `scipy.linalg.lu_factor` packs into one matrix and places."""
    both, pivots = factors
    m, n = len(both), min(both.shape)
    p = np.eye(m, dtype=both.dtype)[:, _order(pivots, m)]
    return p, np.tril(both[:, :n], -1) + np.eye(m, n, dtype=both.dtype), np.triu(both[:n])


def lu_packed_adjoint(g: Array, y: Any) -> Array:
    """The gradient of x in `y = scipy.linalg.lu_factor(x)`."""
    n = min(g.shape)
    return lu_adjoint((None, np.tril(g[:, :n], -1), np.triu(g[:n])), _parts(y))


def lu_packed_tangent(x_dot: Array, y: Any) -> Array:
    """The tangent of the packed factors in `y = scipy.linalg.lu_factor(x)`."""
    l_dot, u_dot = lu_tangent(x_dot, _parts(y))
    (m, n), k = x_dot.shape, l_dot.shape[1]
    return np.pad(l_dot, ((0, 0), (0, n - k))) + np.pad(u_dot, ((0, m - k), (0, 0)))


def lu_solve_left(g: Array, y: Array, factors: Any) -> Array:
    """The gradient of the packed factors where that of the matrix that they make is `-outer(g, y)`."""
    p, low, up = _parts(factors)
    d = -p.T @ np.reshape(g, (len(low), -1)) @ np.reshape(y, (len(low), -1)).T
    return np.tril(d @ up.T, -1) + np.triu(low.T @ d)


def lu_product_tangent(both_dot: Array, factors: Any) -> Array:
    """The tangent of the matrix that packed factors make, along theirs."""
    p, low, up = _parts(factors)
    return p @ (np.tril(both_dot, -1) @ up + low @ np.triu(both_dot))


def _order(pivots: Array, m: int) -> Array:
    """Where the rows stood that LAPACK swaps one after another."""
    order = np.arange(m)
    for k in range(len(pivots)):
        order[[k, pivots[k]]] = order[[pivots[k], k]]
    return order
