"""Products of arrays: matrix products, dot, kron, tensordot, einsum."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.shapes import shape_of, unbroadcast
from tangentish.runtime.types import Array, Shape


def columns(x: Array) -> Array:
    """The transpose of the last two axes."""
    return np.swapaxes(x, -1, -2)


def _matmul_operands(g: Array, x: Array, w: Array) -> tuple[Array, Array, Array]:
    """The three as stacks of matrices."""
    if w.ndim == 1:
        g, w = np.asarray(g)[..., None], w[:, None]
    if x.ndim == 1:
        g, x = g[..., None, :], x[None, :]
    return g, x, w


def matmul_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `x @ w`, for any ranks."""
    g, left, right = _matmul_operands(g, x, w)
    return unbroadcast(g @ columns(right), left).reshape(x.shape)


def matmul_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `x @ w`, for any ranks."""
    g, left, right = _matmul_operands(g, x, w)
    return unbroadcast(columns(left) @ g, right).reshape(w.shape)


def dot_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `np.dot(x, w)`, for any ranks."""
    if not shape_of(x) or not shape_of(w):
        return unbroadcast(g * w, x)
    if np.ndim(w) == 1:
        return np.multiply.outer(g, w)
    axes = [i for i in range(np.ndim(w)) if i != np.ndim(w) - 2]
    return np.tensordot(g, w, (range(np.ndim(x) - 1, g.ndim), axes))


def dot_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `np.dot(x, w)`, for any ranks."""
    if not shape_of(x) or not shape_of(w):
        return unbroadcast(g * x, w)
    axes = range(np.ndim(x) - 1)
    dw = np.tensordot(x, g, (axes, axes))
    return np.moveaxis(dw, 0, -2) if np.ndim(w) > 1 else dw


def cross_left(g: Array, x: Array, w: Array, axis: int = -1, alike: bool = True) -> Array:
    """The gradient of `x` in `np.cross(x, w, axis=axis)`; vectors with two elements lie in the plane.

    alike: whether the axis is as far from the last one in x as in w.
    """
    n, m = np.shape(x)[axis], np.shape(w)[axis]
    if n == m == 3 and alike:
        return unbroadcast(np.cross(w, g, axis=axis), x)
    in_plane = n == m == 2
    upright = g[..., None] * np.array([0, 0, 1], g.dtype) if in_plane else np.moveaxis(g, axis, -1)
    found = np.cross(_in_space(np.moveaxis(w, axis, -1)), upright)[..., :n]
    return np.moveaxis(unbroadcast(found, np.moveaxis(x, axis, -1)), -1, axis)


def _in_space(x: Array) -> Array:
    """Vectors with three elements; a third one that is lacking is 0."""
    return x if x.shape[-1] == 3 else np.concatenate((x, np.zeros_like(x[..., :1])), axis=-1)


def kron_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `np.kron(x, w)`."""
    blocks, _, right = _kron_operands(g, x, w)
    return np.sum(blocks * right, axis=tuple(range(1, blocks.ndim, 2))).reshape(shape_of(x))


def kron_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `np.kron(x, w)`."""
    blocks, left, _ = _kron_operands(g, x, w)
    return np.sum(blocks * left, axis=tuple(range(0, blocks.ndim, 2))).reshape(shape_of(w))


def _kron_operands(g: Array, x: Array, w: Array) -> tuple[Array, Array, Array]:
    """g, x and w with an axis of x and one of w in turn."""
    rank = max(len(shape_of(x)), len(shape_of(w)))
    m = (1,) * (rank - len(shape_of(x))) + shape_of(x)
    n = (1,) * (rank - len(shape_of(w))) + shape_of(w)
    left = [length for a in m for length in (a, 1)]
    right = [length for b in n for length in (1, b)]
    both = [length for pair in zip(m, n, strict=True) for length in pair]
    return np.reshape(g, both), np.reshape(x, left), np.reshape(w, right)


def einsum_adjoint(
    g: Array, subscripts: str, at: int, *xs: Array, optimize: object = False
) -> Array:
    """The gradient of operand `at` of `np.einsum(subscripts, *xs)`; an order of its products is none of this."""
    terms, out = einsum_labels(subscripts, [len(shape_of(x)) for x in xs])
    x, own = xs[at], "".join(dict.fromkeys(terms[at]))
    rest = [(term, other) for i, (term, other) in enumerate(zip(terms, xs, strict=True)) if i != at]
    known = set(out).union(*(term for term, _ in rest))
    target = "".join(label for label in own if label in known)
    formula = ",".join([out, *(term for term, _ in rest)]) + "->" + target
    ordered: Any = bool(optimize) if isinstance(optimize, (list, tuple)) else optimize
    d = np.einsum(formula, g, *(other for _, other in rest), optimize=ordered)
    lengths = dict(zip(terms[at], shape_of(x), strict=True))
    want = tuple(lengths[label] for label in own)
    d = d.reshape([n for label, n in _expanded(own, target, d.shape)])
    d = unbroadcast(d, np.empty(want, bool)) if any(n == 1 for n in want) else d
    if len(own) == len(terms[at]):
        return d if d.shape == want else np.broadcast_to(d, want)
    dx = np.zeros_like(x)
    np.einsum(f"{terms[at]}->{own}", dx)[...] = d
    return dx


def _expanded(own: str, target: str, shape: Shape) -> list[tuple[str, int]]:
    """The labels of an operand with the lengths that its gradient has so far, 1 for those summed away."""
    have = dict(zip(target, shape, strict=True))
    return [(label, have.get(label, 1)) for label in own]


def einsum_labels(subscripts: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The labels of each operand and of the result; an ellipsis becomes labels not otherwise used."""
    inputs, arrow, out = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = inputs.replace(",", "").replace(".", "")
        out = "..." * ("..." in inputs) + "".join(
            sorted(s for s in set(letters) if letters.count(s) == 1)
        )
    free = [s for s in string.ascii_letters if s not in subscripts]
    hidden = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    fill = "".join(free[: max(hidden, default=0)])
    spelt = [t.replace("...", fill[len(fill) - n :]) for t, n in zip(terms, hidden, strict=True)]
    return spelt, out.replace("...", fill)


def _tensordot_subscripts(x: Array, w: Array, axes: Any) -> str:
    """`np.tensordot(x, w, axes)` as it is written for einsum."""
    rank = np.ndim(x)
    if np.ndim(axes) == 0 and not isinstance(axes, (tuple, list)):
        axes = range(rank - axes, rank), range(axes)
    first, second = (np.atleast_1d(list(a) if isinstance(a, range) else a).tolist() for a in axes)
    left = list(string.ascii_letters[:rank])
    right = list(string.ascii_letters[rank : rank + np.ndim(w)])
    for i, j in zip(first, second, strict=True):
        right[j] = left[i]
    out = [s for s in left if s not in right] + [s for s in right if s not in left]
    return f"{''.join(left)},{''.join(right)}->{''.join(out)}"


def tensordot_left(g: Array, x: Array, w: Array, axes: Any = 2) -> Array:
    """The gradient of `x` in `np.tensordot(x, w, axes)`."""
    return einsum_adjoint(g, _tensordot_subscripts(x, w, axes), 0, x, w)


def tensordot_right(g: Array, x: Array, w: Array, axes: Any = 2) -> Array:
    """The gradient of `w` in `np.tensordot(x, w, axes)`."""
    return einsum_adjoint(g, _tensordot_subscripts(x, w, axes), 1, x, w)


def multi_dot_adjoint(g: Array, xs: Sequence[Array], k: int) -> Array:
    """The gradient of factor k of `np.linalg.multi_dot(xs)`; of two factors it is `np.dot`, of any ranks."""
    if len(xs) == 2:
        return dot_right(g, *xs) if k else dot_left(g, *xs)
    first, last = xs[0], xs[-1]
    factors = [
        first if first.ndim == 2 else first[None],
        *xs[1:-1],
        last if last.ndim == 2 else last[:, None],
    ]
    d = np.reshape(g, (factors[0].shape[0], factors[-1].shape[1]))
    for factor in factors[:k]:
        d = factor.T @ d
    for factor in reversed(factors[k + 1 :]):
        d = d @ factor.T
    return d.reshape(xs[k].shape)
