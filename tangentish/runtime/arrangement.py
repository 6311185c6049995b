"""Positions: permuted axes, joined and split parts, repeated elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.shapes import shape_of, unbroadcast
from tangentish.runtime.types import Array, Shape


def inverse(axes: int | Sequence[int]) -> tuple[int, ...]:
    """The permutation of axes that undoes `axes`; of a vector that may be a number."""
    return tuple(np.argsort(np.ravel(np.mod(axes, np.size(axes)))).tolist())


def _place(rank: int, xs: Sequence[Array], k: int, axis: int | None) -> tuple[slice, ...]:
    """Where `xs[k]` is in a join along `axis`; one of lower rank has length 1."""
    if axis is None:
        lengths = [int(np.prod(shape_of(x))) for x in xs]
        axis = 0
    else:
        lengths = [shape_of(x)[axis] if len(shape_of(x)) == rank else 1 for x in xs]
    start = sum(lengths[:k])
    return (*(slice(None),) * (axis % rank), slice(start, start + lengths[k]))


def part(g: Array, xs: Sequence[Array], k: int, axis: int | None = 0) -> Array:
    """The part of `g` that is `xs[k]`'s after a join along `axis`."""
    found, shape = g[_place(g.ndim, xs, k, axis)], shape_of(xs[k])
    return found if found.shape == shape else found.reshape(shape)


def part_adjoint(g: Array, like: Array, xs: Sequence[Array], k: int, axis: int | None = 0) -> Array:
    """Zeros like the gradient of a join, `like`, with `g` in the part that is `xs[k]`'s."""
    d = np.zeros_like(like)
    place = _place(d.ndim, xs, k, axis)
    d[place] = np.reshape(g, d[place].shape)
    return d


def swapped(xs: Sequence[Array], k: int, x: Array) -> tuple[Array, ...]:
    """`xs` with `x` in place of its element k."""
    return (*xs[:k], x, *xs[k + 1 :])


def join(
    g: Sequence[Array | None],
    ys: Sequence[Array],
    axis: int = 0,
    places: Any = None,
    shape: Shape | None = None,
) -> Array:
    """The gradient of an array that was split into `ys`; a gradient of None is zero.

    Of one of that `shape` that was split at `places` which may go back, [3, 1]: what is in two parts has the sum.
    """
    parts = [np.zeros_like(y) if d is None else d for d, y in zip(g, ys, strict=True)]
    joined = np.concatenate(parts, axis)
    if shape is None or joined.shape == shape:
        return joined
    dx = np.zeros(shape, joined.dtype, like=joined)
    for d, part_of_it in zip(parts, np.array_split(dx, places, axis), strict=True):
        part_of_it += d
    return dx


def meshgrid_adjoint(
    g: Sequence[Array | None], xs: Sequence[Array], k: int, indexing: str = "xy"
) -> Array:
    """The gradient of the k-th axis of a grid."""
    head = g[k]
    if head is None:
        return np.zeros_like(xs[k])
    axis = 1 - k if indexing == "xy" and k < 2 and len(xs) > 1 else k
    others = tuple(i for i in range(len(xs)) if i != axis)
    return np.reshape(np.sum(head, axis=others), np.shape(xs[k]))


def repeat_adjoint(g: Array, x: Array, repeats: Any, axis: int | None = None) -> Array:
    """The gradient of `np.repeat(x, repeats, axis)`."""
    if axis is None:
        flat = np.reshape(x, -1)
        return repeat_adjoint(g, flat, repeats, 0).reshape(shape_of(x))
    axis %= x.ndim
    if np.ndim(repeats) == 0:
        shape = (*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :])
        return np.sum(g.reshape(shape), axis=axis + 1)
    source = np.repeat(np.arange(x.shape[axis], like=x), repeats)
    dx = np.zeros_like(x)
    np.add.at(dx, (slice(None),) * axis + (source,), g)  # type: ignore[arg-type]
    return dx


def tile_adjoint(g: Array, x: Array, reps: Any) -> Array:
    """The gradient of `np.tile(x, reps)`."""
    times = tuple(np.atleast_1d(reps).tolist())
    shape = shape_of(x)
    rank = max(len(times), len(shape))
    times = (1,) * (rank - len(times)) + times
    lengths = (1,) * (rank - len(shape)) + shape
    pairs = [n for pair in zip(times, lengths, strict=True) for n in pair]
    return np.sum(g.reshape(pairs), axis=tuple(range(0, 2 * rank, 2))).reshape(shape)


def stacked(g: Sequence[Array | None], ys: Sequence[Array], axis: int = 0) -> Array:
    """The gradient of an array that was taken apart into `ys`; a gradient of None is zero."""
    return np.stack(
        [np.zeros_like(y) if d is None else d for d, y in zip(g, ys, strict=True)], axis
    )


def rolled_to(axis: int, start: int, rank: int) -> int:
    """Where `np.rollaxis(x, axis, start)` puts the axis."""
    start = start + rank if start < 0 else start
    return start - 1 if axis % rank < start else start


def opposite(shift: Any) -> Any:
    """By how much `np.roll(x, shift)` is rolled back: unsigned integers and booleans have no negative of their own."""
    return np.negative(np.asarray(shift, int))


def _nesting(parts: Any) -> tuple[int, ...]:
    """The longest lists of each depth."""
    if not isinstance(parts, list):
        return ()
    inner = [_nesting(part) for part in parts]
    return (len(parts), *(max(lengths) for lengths in zip(*inner, strict=True)))


def block_adjoint(g: Array, xs: Any) -> Any:
    """The gradient of `np.block(xs)`: the parts in an array of objects, which is nested as xs is."""
    count = 0

    def numbered(part: Any) -> Any:
        nonlocal count
        if isinstance(part, (list, tuple)):
            return [numbered(inner) for inner in part]
        shape = shape_of(part)
        size = int(np.prod(shape))
        count += size
        return np.arange(count - size, count).reshape(shape)

    numbers = numbered(xs)
    flat = np.empty(g.size, g.dtype)
    flat[np.block(numbers).ravel()] = g.ravel()

    found = np.empty(_nesting(numbers), object)

    def put(part: Any, place: tuple[int, ...]) -> None:
        if isinstance(part, list):
            for k, inner in enumerate(part):
                put(inner, (*place, k))
        else:
            found[place] = flat[part]

    put(numbers, ())
    return found


def diagonal_block(g: Array, xs: Sequence[Array], k: int) -> Array:
    """The part of `g` that is `xs[k]`'s in `scipy.linalg.block_diag(*xs)`."""
    rows, columns, _ = _block_place(xs, k)
    return unbroadcast(g[..., rows, columns], xs[k])


def diagonal_block_adjoint(g: Array, xs: Sequence[Array], k: int) -> Array:
    """Zeros in the shape of `scipy.linalg.block_diag(*xs)`, and `g` in the place of `xs[k]`."""
    rows, columns, shape = _block_place(xs, k)
    found = np.zeros(shape, g.dtype)
    found[..., rows, columns] = g
    return found


def _block_place(xs: Sequence[Array], k: int) -> tuple[slice, slice, Shape]:
    """The rows and the columns of the k-th block, and the shape of the whole."""
    shapes = [np.shape(np.atleast_2d(x)) for x in xs]
    (row, column), (height, width) = (
        [sum(shape[i] for shape in shapes[:end]) for i in (-2, -1)] for end in (k, len(xs))
    )
    inner, stack = shapes[k], np.broadcast_shapes(*(shape[:-2] for shape in shapes))
    return slice(row, row + inner[-2]), slice(column, column + inner[-1]), (*stack, height, width)
