"""Derivatives of functions along an axis: products, extremes, sums that run on, differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangentish.runtime.shapes import cast, shape_of, spread
from tangentish.runtime.types import Array


def share(x: Array, y: Array, axis: Any = None) -> Array:
    """1 where `x` is its extreme `y` along `axis`, divided equally among ties, else 0."""
    same = x == y
    dtype = getattr(y, "dtype", np.dtype(float))  # SciPy's norms are numbers of Python
    if axis is None and (count := np.count_nonzero(same)):
        return same * np.divide(1, count, dtype=dtype)
    ties = np.add.reduce(same, axis, keepdims=True)
    if np.count_nonzero(ties) < ties.size:  # the extreme value is nan
        same = same | np.isnan(x)
        ties = np.maximum(np.add.reduce(same, axis, keepdims=True), 1)  # 0 for an initial value
    return same * np.divide(1, ties, dtype=dtype)


def others(x: Array, y: Array, axis: Any = None) -> Array:
    """For each element the product `y` along `axis` without it; y has the axes of x."""
    if np.all((y != 0) & np.isfinite(y)):
        return y / x
    rows, back = _as_rows(x, axis)
    return back(_without_one(rows))


def without_two(rows: Array) -> Array:
    """The products of each row without its elements i and j, 0 for i = j."""
    same = np.identity(rows.shape[-1], bool, like=rows)
    return np.where(same, 0, _without_one(np.where(same, 1, rows[..., None, :])))


def _without_one(rows: Array) -> Array:
    one = np.ones_like(rows[..., :1])
    before = np.cumprod(np.concatenate((one, rows[..., :-1]), -1), -1)
    after = np.cumprod(np.concatenate((one, rows[..., :0:-1]), -1), -1)[..., ::-1]
    return before * after if rows.shape[-1] else rows


def _as_rows(x: Array, axis: Any) -> tuple[Array, Callable[[Array], Array]]:
    """The axes that a reduction takes together as one, the last; and the way back."""
    rank = len(shape_of(x))
    axes = (
        tuple(range(rank))
        if axis is None or not rank
        else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    )
    last = range(-len(axes), 0)
    moved = np.moveaxis(x, axes, last)
    rows = moved.reshape(
        *moved.shape[: rank - len(axes)], int(np.prod(moved.shape[rank - len(axes) :]))
    )
    return rows, lambda found: np.moveaxis(found.reshape(moved.shape), last, axes)


def others_adjoint(g: Array, x: Array, axis: Any = None) -> Array:
    """The gradient of `others(x, y, axis)`; its matrix is symmetric, so that it is the tangent as well."""
    return _without_one_along([g], x, axis)


def others_curvature(g: Array, h: Array, x: Array, axis: Any = None) -> Array:
    """The derivative of `others_adjoint(g, x, axis)` along `h`, which is its gradient as well."""
    return _without_one_along([g, h], x, axis)


def _without_one_along(moves: Sequence[Array], x: Array, axis: Any) -> Array:
    """The derivative, once along each of the moves, of the products along `axis` without each element."""
    rows, back = _as_rows(x, axis)
    along = [_as_rows(move, axis)[0] for move in moves]
    before = _products_before(rows, along)
    after = _products_before(rows[..., ::-1], [move[..., ::-1] for move in along])
    every = len(before) - 1
    return back(sum(before[s] * after[every - s][..., ::-1] for s in range(len(before))))


def _products_before(x: Array, moves: Sequence[Array]) -> list[Array]:
    """The products of the elements before each along the last axis, and their derivatives.

    That along moves 0 and 2 stands at 0b101, as each set of moves has its place.
    """
    dtype = np.result_type(x, *moves)
    found = [np.ones_like(x), *(np.zeros_like(x, dtype) for _ in range(2 ** len(moves) - 1))]
    for i in range(1, x.shape[-1]):
        for places, y in enumerate(found):
            y[..., i] = y[..., i - 1] * x[..., i - 1]
            for k, move in enumerate(moves):
                if places >> k & 1:
                    y[..., i] += found[places - (1 << k)][..., i - 1] * move[..., i - 1]
    return found


def cumsum_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The sums from each element to the end; of a number, which becomes an array of one, that one."""
    if not shape_of(x):
        return np.sum(g)
    if axis is None:
        return np.cumsum(g[::-1])[::-1].reshape(x.shape)
    back = (slice(None),) * (axis % g.ndim) + (slice(None, None, -1),)
    return np.cumsum(g[back], axis)[back]


def diff_adjoint(g: Array, x: Array, n: int = 1, axis: int = -1) -> Array:
    """The adjoint of `np.diff(x, n, axis)`: what is added to the later of two elements, the earlier one loses."""
    return _diff_adjoint(g, x.shape[axis], n, axis)


def _diff_adjoint(g: Array, length: int, n: int, axis: int) -> Array:
    lengths = list(g.shape)
    if not lengths[axis]:  # where there are no differences, they do not tell of how many elements
        lengths[axis] = length
        return np.zeros_like(g, shape=lengths)
    for _ in range(n):
        lengths[axis] += 1
        d = np.empty_like(g, shape=lengths)
        rows, heads = d.swapaxes(axis, 0), g.swapaxes(axis, 0)
        rows[0], rows[-1] = -heads[0], heads[-1]
        np.subtract(heads[:-1], heads[1:], out=rows[1:-1])
        g = d
    return g if n else g.copy()  # in memory of its own


def joined_diff_adjoint(g: Array, xs: Sequence[Array], k: int, n: int = 1, axis: int = -1) -> Array:
    """The gradient of `xs[k]` in the differences of arrays that are joined; a number stands for one slice."""
    if n == 0:
        raise ValueError(
            "np.diff of order 0 gives x without its ends: leave prepend and append out"
        )
    lengths = [x.shape[axis] if np.ndim(x) else 1 for x in xs]
    d = _diff_adjoint(g, sum(lengths), n, axis)
    found = np.split(d, np.cumsum(lengths)[:-1], axis)[k]
    return cast(found if np.ndim(xs[k]) else np.sum(found), xs[k])


def joined_diff(x: Array, xs: Sequence[Array], k: int, n: int = 1, axis: int = -1) -> Array:
    """The differences of arrays that are joined, of which all are zeros but `x` in the place of `xs[k]`."""
    rank = max(np.ndim(other) for other in xs)
    others = [np.zeros_like(other) for other in xs]
    parts = [*others[:k], x, *others[k + 1 :]]
    whole = [part for part in parts if np.ndim(part) == rank]
    slices = np.take(whole[0], [0], axis) * 0
    return np.diff(
        np.concatenate([p if np.ndim(p) == rank else slices + p for p in parts], axis), n, axis
    )


def along(w: Array, x: Array, axis: Any) -> Array:
    """The vector `w` along an axis of `x`; or an array whose axes are these of x, one after another."""
    if np.ndim(axis):
        places = [a % x.ndim for a in axis]
        w = np.transpose(w, np.argsort(places))
        return np.expand_dims(w, tuple(a for a in range(x.ndim) if a not in places))
    lengths = [1] * x.ndim
    lengths[axis] = -1
    return np.reshape(w, lengths)


def across(x: Array, axis: Any) -> Array:
    """The sum over all axes but one, or these."""
    if np.ndim(axis):
        places = [a % x.ndim for a in axis]
        rest = np.sum(x, axis=tuple(a for a in range(x.ndim) if a not in places))
        return np.transpose(rest, np.argsort(np.argsort(places)))
    return np.sum(x, axis=tuple(a for a in range(x.ndim) if a != axis % x.ndim))


def average_weights_adjoint(
    g: Any, y: Any, x: Array, axis: Any = None, keepdims: bool = False
) -> Array:
    """The gradient of weights in `y = np.average(x, axis, weights, returned=True)`, one for each element of x."""
    dweights = np.zeros_like(x)
    if g[0] is not None:
        head = spread(g[0], x, axis, keepdims) / spread(y[1], x, axis, keepdims)
        dweights = dweights + head * (x - spread(y[0], x, axis, keepdims))
    if g[1] is not None:
        dweights = dweights + spread(g[1], x, axis, keepdims)
    return dweights


def trapezoid_widths(x: Array) -> Array:
    """What each value of an integrand at the abscissae `x` counts in `np.trapezoid`."""
    widths = np.pad(np.diff(x), 1)
    return ((widths[1:] + widths[:-1]) / 2)[: len(x)]


def trapezoid_weights(v: Array, axis: int = -1) -> Array:
    """What each value along an axis counts in `np.trapezoid(v, dx=1)`: the two at the ends half."""
    weights = cast(trapezoid_widths(np.arange(v.shape[axis], like=v)), v)
    return along(weights, v, axis)


def first_of(x: Array, y: Array, axis: int = 0) -> Array:
    """For each extreme so far, `y`, the position of the first element that equals it."""
    place = along(np.arange(x.shape[axis]), x, axis)
    is_new = np.ones(x.shape, bool)
    later = (slice(None),) * (axis % x.ndim) + (slice(1, None),)
    earlier = (slice(None),) * (axis % x.ndim) + (slice(None, -1),)
    is_new[later] = y[later] != y[earlier]
    return np.maximum.accumulate(np.where(is_new, place, 0), axis)


def reduceat_adjoint(g: Array, x: Array, indices: Any, axis: int = 0) -> Array:
    """The gradient of `np.add.reduceat(x, indices, axis)`."""
    dx = np.zeros_like(x)
    rows, heads = np.moveaxis(dx, axis, 0), np.moveaxis(g, axis, 0)
    ends = [*indices[1:], len(rows)]
    for start, end, head in zip(indices, ends, heads, strict=True):
        rows[start : max(end, start + 1)] += head
    return dx


def first_in_pieces(x: Array, y: Array, indices: Any, axis: int = 0) -> Array:
    """For each extreme of a piece, `y`, the position of the first element that equals it: `np.maximum.reduceat`."""
    rows, extremes = np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0)
    found = np.zeros(extremes.shape, int)
    for k, (start, end) in enumerate(zip(indices, [*indices[1:], len(rows)], strict=True)):
        piece = rows[start : max(end, start + 1)]
        found[k] = start + np.argmax(piece == extremes[k], axis=0)
    return np.moveaxis(found, 0, axis)


def neighbours(x: Array, axis: int = -1) -> Array:
    """The sums `x[1:] + x[:-1]` along an axis."""
    first = (slice(None),) * (axis % x.ndim)
    return x[(*first, slice(1, None))] + x[(*first, slice(None, -1))]


def neighbours_adjoint(g: Array, axis: int = -1) -> Array:
    """The gradient of x in the sums `x[1:] + x[:-1]` along an axis."""
    widths = [[(0, 0)] * g.ndim for _ in range(2)]
    widths[0][axis], widths[1][axis] = (0, 1), (1, 0)
    return np.pad(g, widths[0]) + np.pad(g, widths[1])
