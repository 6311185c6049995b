"""Solutions, determinants and factors of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.along_axes import others, without_two
from tangentish.runtime.elements import ratio
from tangentish.runtime.factors import mirrored, svd_adjoint, to_lower
from tangentish.runtime.products import columns
from tangentish.runtime.shapes import unbroadcast
from tangentish.runtime.types import Array


def solve_left(g: Array, y: Array, a: Array, b: Array) -> Array:
    """The gradient of `a` in `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        g, y = g[..., None], y[..., None]
    return unbroadcast(-np.linalg.solve(columns(a), g) @ columns(y), a)


def solve_right(g: Array, a: Array, b: Array) -> Array:
    """The gradient of `b` in `np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return unbroadcast(np.linalg.solve(columns(a), g[..., None])[..., 0], b)
    return unbroadcast(np.linalg.solve(columns(a), g), b)


def solve_tangent(a_dot: Array, a: Array, y: Array, b: Array) -> Array:
    """What `a_dot` takes from the tangent of `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return np.linalg.solve(a, a_dot @ y[..., None])[..., 0]
    return np.linalg.solve(a, a_dot @ y)


def det_slope(x: Array) -> Array:
    """The cofactors of `x`, the derivative of its determinant, also where it is singular."""
    u, s, vt = np.linalg.svd(x)
    sign = np.linalg.det(u) * np.linalg.det(vt)
    cofactors = others(s, np.prod(s, -1, keepdims=True), -1)
    return sign[..., None, None] * ((u.conj() * cofactors[..., None, :]) @ vt.conj())


def det_curvature(h: Array, x: Array) -> Array:
    """The gradient of `x` in its cofactors, `det_slope(x)`, also where it is singular."""
    u, s, vt = np.linalg.svd(x)
    sign = (np.linalg.det(u) * np.linalg.det(vt))[..., None, None]
    turned = columns(u.conj()) @ h @ columns(vt.conj())
    rest = without_two(s)
    own = np.einsum("...ij,...ii->...j", rest, turned)
    inner = own[..., None] * np.identity(s.shape[-1], s.dtype, like=s) - rest * columns(turned)
    return sign * (u.conj() @ inner @ vt.conj())


def slogdet_adjoint(g: Any, y: Any, x: Array) -> Array:
    """The gradient of `np.linalg.slogdet(x)` of complex numbers, where the sign turns."""
    h = 0.0 if g[1] is None else g[1]
    if g[0] is not None:
        h = h + 1j * np.imag(g[0] * y[0])
    return np.expand_dims(h, (-2, -1)) * columns(np.linalg.inv(x))


def cholesky_adjoint(g: Array, y: Array) -> Array:
    """The gradient of the lower triangle, all that `np.linalg.cholesky` reads (Murray 2016)."""
    inner = np.linalg.solve(columns(y), _lower_half(columns(y) @ g))
    s = columns(np.linalg.solve(columns(y).conj(), columns(inner)))
    return _lower_half(s + columns(s).conj())


def cholesky_tangent(x_dot: Array, y: Array) -> Array:
    """The tangent of `y = np.linalg.cholesky(x)`, of which the lower triangle counts."""
    whole = mirrored(x_dot)
    return y @ _lower_half(np.linalg.solve(y, columns(np.linalg.solve(y, whole)).conj()))


def _lower_half(x: Array) -> Array:
    """The lower triangle, and half of the diagonal."""
    return (np.tril(x) + np.tril(x, -1)) / 2


def pinv_slope(h: Array, x: Array, cut: Any) -> Array:
    """How a pseudoinverse of `x` changes along `h`, transposed: a map of `h` that is its own adjoint.

    Singular values up to `cut` times the largest count as 0.
    """
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    rounding = np.nextafter(s.dtype.type(1), 2) - 1
    least = rounding * max(x.shape[-2:]) if cut is None else np.asarray(cut)[..., None]
    keeps = s > least * np.max(s, axis=-1, keepdims=True)
    f = np.where(keeps, ratio(np.ones_like(s), s), 0)
    row, column = f[..., None, :], f[..., :, None]
    v = columns(vt)
    p = columns(u) @ h @ v
    apart = (keeps[..., None, :] != keeps[..., :, None]).astype(s.dtype)
    gaps = ratio(apart, np.abs(s[..., None, :] ** 2 - s[..., :, None] ** 2))
    turned = gaps * (row * s[..., :, None] + column * s[..., None, :]) - row * column
    inner = u @ (gaps * p + turned * columns(p)) @ vt
    left = (h @ v - u @ p) * row**2 @ vt
    return inner + left + u * row**2 @ (columns(u) @ h - p @ vt)


def matrix_power_adjoint(g: Array, x: Array, n: int) -> Array:
    """The gradient of `np.linalg.matrix_power(x, n)`: the sum of x.T^i g x.T^(n - 1 - i), for n < 0 of its inverse."""
    a = columns(np.linalg.inv(x) if n < 0 else x)
    d, right = g if n else np.zeros_like(x), g
    for _ in range(abs(n) - 1):
        right = right @ a
        d = a @ d + right
    return -a @ d @ a if n < 0 else d


def _residual(y: Any, a: Array, b: Array) -> tuple[Array, Array]:
    """The solution and what it leaves over, as matrices."""
    several = b.shape[1] if b.ndim > 1 else 1
    x = np.reshape(y[0], (a.shape[1], several))
    return x, np.reshape(b, (a.shape[0], several)) - a @ x


def lstsq_left(g: Any, y: Any, a: Array, b: Array) -> Array:
    """The gradient of `a` in `y = np.linalg.lstsq(a, b)` (Golub and Pereyra 1973)."""
    x, r = _residual(y, a, b)
    p = np.linalg.pinv(a)
    da = np.zeros_like(a)
    if g[0] is not None:
        h = np.reshape(g[0], x.shape)
        da += -p.T @ h @ x.T + r @ (p @ p.T @ h).T + p.T @ x @ (h - p @ a @ h).T
    if g[1] is not None and np.size(g[1]):
        da -= 2 * (r * np.ravel(g[1])) @ x.T
    if g[3] is not None:
        da += svd_adjoint((None, g[3], None), np.linalg.svd(a, full_matrices=False))
    return da


def lstsq_right(g: Any, y: Any, a: Array, b: Array) -> Array:
    """The gradient of `b` in `y = np.linalg.lstsq(a, b)`."""
    x, r = _residual(y, a, b)
    db = np.zeros_like(r)
    if g[0] is not None:
        db += np.linalg.pinv(a).T @ np.reshape(g[0], x.shape)
    if g[1] is not None and np.size(g[1]):
        db += 2 * r * np.ravel(g[1])
    return np.reshape(db, b.shape)


def lstsq_tangent(a_dot: Array, b_dot: Array, y: Any, a: Array, b: Array) -> Array:
    """The tangent of the solution in `y = np.linalg.lstsq(a, b)`."""
    x, r = _residual(y, a, b)
    p = np.linalg.pinv(a)
    back = a_dot.T @ p.T @ x
    x_dot = p @ (np.reshape(b_dot, r.shape) - a_dot @ x) + p @ p.T @ a_dot.T @ r
    return np.reshape(x_dot + back - p @ a @ back, y[0].shape)


def lstsq_rest_tangent(a_dot: Array, b_dot: Array, y: Any, a: Array, b: Array) -> Array:
    """The tangent of the sums of squares that are left over in `y = np.linalg.lstsq(a, b)`, if there are any."""
    x, r = _residual(y, a, b)
    found = np.sum(2 * r * (np.reshape(b_dot, r.shape) - a_dot @ x), axis=0)
    return found[: y[1].size]


def cho_solve_left(g_b: Array, y: Array, c: Any) -> Array:
    """The gradient of the factor in `y = scipy.linalg.cho_solve(c, b)`, where `g_b` is that of b."""
    factor, lower = c
    d = np.reshape(g_b, (len(y), -1)) @ np.reshape(y, (len(y), -1)).T
    both = -(d + d.T)
    return np.tril(both @ np.tril(factor)) if lower else np.triu(np.triu(factor) @ both)


def cho_solve_tangent(factor_dot: Array, y: Array, c: Any, inverse: Array) -> Array:
    """The tangent of `y = scipy.linalg.cho_solve(c, b)` along that of the factor."""
    factor, lower = c
    half = (
        np.tril(factor_dot) @ np.tril(factor).T
        if lower
        else np.triu(factor_dot).T @ np.triu(factor)
    )
    return -inverse @ (half + half.T) @ y


def known_real(y: Array) -> Array:
    """`y`, which counts as real, as `scipy.linalg.sqrtm` gives it of a matrix without negative eigenvalues."""
    if np.iscomplexobj(y):
        raise ValueError("the root of this matrix is complex, of which there is no derivative here")
    return y


def of_full_rank(cov: Array) -> Array:
    """A covariance, which SciPy takes for one of full rank: of others its density jumps where they change."""
    values = np.abs(np.linalg.eigvalsh(mirrored(cov)))
    if np.min(values) <= 1e6 * np.finfo(float).eps * np.max(values):
        raise ValueError(
            "this covariance is singular: the density has no derivative with respect to it"
        )
    return cov


def gaussian_slope(r: Array, cov: Array) -> Array:
    """The derivative of the logarithm of a normal density at `r` in the lower triangle of its covariance."""
    cov = mirrored(cov)
    s = np.linalg.solve(cov, r)
    return to_lower((np.outer(s, s) - np.linalg.inv(cov)) / 2)


def gaussian_adjoint(g: Array, r: Array, cov: Array) -> Array:
    """The gradient of the covariance in logarithms of normal densities at the rows of `r`."""
    cov = mirrored(cov)
    s = np.linalg.solve(cov, r.T)
    return to_lower(((s * g) @ s.T - np.sum(g) * np.linalg.inv(cov)) / 2)


def gaussian_tangent(cov_dot: Array, r: Array, cov: Array) -> Array:
    """The tangent of logarithms of normal densities at the rows of `r` along that of the covariance."""
    cov, whole = mirrored(cov), mirrored(cov_dot)
    s = np.linalg.solve(cov, r.T)
    return (np.sum(s * (whole @ s), axis=0) - np.trace(np.linalg.solve(cov, whole))) / 2
