"""How eigenvectors and singular vectors move with the matrix: derivatives that hold beside values that are equal.

The vector of an eigenvalue w moves along `pinv(w - x) @ x_dot @ v`. Written so, as a function of x, it has derivatives
that divide by the gaps to other values only: through all the vectors, as they move each other, those of equal values
would have to be known, though they do not count.
"""

from __future__ import annotations

import numpy as np

from tangentish.runtime.equal_values import are_equal, gaps_between, inverses, sums_between
from tangentish.runtime.products import columns
from tangentish.runtime.types import Array


def resolved(z: Array, w: Array, v: Array, x: Array) -> Array:  # noqa: ARG001
    """`pinv(w[j] * np.eye(n) - x) @ z[:, j]` for each eigenvalue of x: vectors of equal ones have no part in it.

    It is a function of z and x, of which w and v are the eigenvalues and vectors. Where z is not `d @ v` for a
    symmetric d, as in the tangent of the vectors along d, its derivative in x is another.
    """
    return v @ (gaps_between(w) * (columns(v) @ z))


def resolved_adjoint(h: Array, z: Array, w: Array, v: Array) -> Array:
    """The gradient of x in `resolved(z, w, v, x)`."""
    gaps, equal = gaps_between(w), are_equal(w)
    d, m = columns(v) @ h, columns(v) @ z
    inner = (gaps * d) @ columns(gaps * m) - equal * (columns(m) @ (gaps**2 * d))
    inner = inner - (gaps**2 * d) @ columns(equal * m) - (equal * d) @ columns(gaps**2 * m)
    return v @ inner @ columns(v)


def resolved_tangent(x_dot: Array, z: Array, w: Array, v: Array) -> Array:
    """The tangent of `resolved(z, w, v, x)` along that of x."""
    gaps, equal = gaps_between(w), are_equal(w)
    e, m = columns(v) @ x_dot @ v, columns(v) @ z
    inner = gaps * (e @ (gaps * m)) - gaps**2 * (e @ (equal * m) + m @ (equal * e))
    return v @ (inner - equal * (e @ (gaps**2 * m)))


def resolved_pairs(z: Array, u: Array, s: Array, vt: Array, x: Array, n: int = 1) -> Array:  # noqa: ARG001
    """`resolved` for a matrix with x above and x.T below its diagonal, and the singular vectors of x, u above v.

    Its eigenvalues are s with u above v, -s with u above -v, and zeros; `n` is the power of the inverse.
    """
    at, v = u.shape[-2], columns(vt)
    above, below = z[..., :at, :], z[..., at:, :]
    p, q = columns(u) @ above, vt @ below
    together, apart = gaps_between(s) ** n * (p + q) / 2, sums_between(s) ** n * (p - q) / 2
    over = inverses(s)[..., None, :] ** n
    of_u = u @ (together + apart) + (above - u @ p) * over
    of_v = v @ (together - apart) + (below - v @ q) * over
    return np.concatenate((of_u, of_v), -2)


def resolved_pairs_adjoint(h: Array, z: Array, u: Array, s: Array, vt: Array, x: Array) -> Array:
    """The gradient of x in `resolved_pairs(z, u, s, vt, x)`."""
    at, twice = u.shape[-2], resolved_pairs(h, u, s, vt, x, 2)
    inner = are_equal(s) * (columns(z) @ twice)
    found = _crossed(resolved_pairs(h, u, s, vt, x), resolved_pairs(z, u, s, vt, x), at)
    found = found - u @ (inner + columns(inner)) @ vt / 2
    found = found - _crossed(twice, _within(z, u, s, vt), at)
    return found - _crossed(_within(h, u, s, vt), resolved_pairs(z, u, s, vt, x, 2), at)


def resolved_pairs_tangent(
    x_dot: Array, z: Array, u: Array, s: Array, vt: Array, x: Array
) -> Array:
    """The tangent of `resolved_pairs(z, u, s, vt, x)` along that of x."""
    at, e = u.shape[-2], columns(u) @ x_dot @ columns(vt)
    inner = z @ (are_equal(s) * (e + columns(e)) / 2) + _times(x_dot, _within(z, u, s, vt), at)
    found = resolved_pairs(_times(x_dot, resolved_pairs(z, u, s, vt, x), at), u, s, vt, x)
    rest = _within(_times(x_dot, resolved_pairs(z, u, s, vt, x, 2), at), u, s, vt)
    return found - resolved_pairs(inner, u, s, vt, x, 2) - rest


def _within(z: Array, u: Array, s: Array, vt: Array) -> Array:
    """The part of each column of z that lies in the vectors of a singular value, and of those that equal it."""
    at = u.shape[-2]
    inner = are_equal(s) * (columns(u) @ z[..., :at, :] + vt @ z[..., at:, :]) / 2
    return np.concatenate((u @ inner, columns(vt) @ inner), -2)


def _crossed(a: Array, b: Array, at: int) -> Array:
    """The gradient of x in the sum of `a * _times(x, b, at)`."""
    return a[..., :at, :] @ columns(b[..., at:, :]) + b[..., :at, :] @ columns(a[..., at:, :])


def _times(x: Array, b: Array, at: int) -> Array:
    """The matrix with x above and x.T below its diagonal times `b`."""
    return np.concatenate((x @ b[..., at:, :], columns(x) @ b[..., :at, :]), -2)
