"""What `np.pad` puts around an array: constants, elements of it, and what it finds along its edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tangentish.runtime.along_axes import share
from tangentish.runtime.order import quantile_weights
from tangentish.runtime.places import add_at
from tangentish.runtime.shapes import shape_of
from tangentish.runtime.types import Array


def pad_adjoint(
    g: Array, x: Array, pad_width: Any, mode: str = "constant", reflect_type: str = "even"
) -> Array:
    """The gradient of `np.pad(x, pad_width, mode)`, for the modes that are linear in x."""
    shape_before = shape_of(x)
    widths = _widths(pad_width, len(shape_before))
    if mode == "constant":
        return g[tuple(slice(a, a + n) for (a, _), n in zip(widths, shape_before, strict=True))]
    for axis, (width, n) in enumerate(zip(widths, shape_before, strict=True)):
        if mode in ("linear_ramp", "mean"):
            g = _blended_adjoint(g, axis, width, mode)
            continue
        if reflect_type == "odd":
            g = _turned_adjoint(g, n, axis, width, mode)
            continue
        shape = (*g.shape[:axis], n, *g.shape[axis + 1 :])
        source = np.pad(np.arange(n, like=g), width, mode=mode)  # type: ignore[call-overload]
        dx = np.zeros(shape, g.dtype, like=g)
        add_at(dx, (slice(None),) * axis + (source,), g)
        g = dx
    return g


def _widths(pad_width: Any, rank: int) -> list[list[int]]:
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - rank, (0, 0))) for i in range(rank)]
        pad_width = [(w, w) if isinstance(w, int) else w for w in pad_width]
    widths: list[list[int]] = np.broadcast_to(np.asarray(pad_width), (rank, 2)).tolist()
    return widths


def _blended_adjoint(g: Array, axis: int, width: Sequence[int], mode: str) -> Array:
    """The same along one axis, where the edges go to 0 in equal steps or are the mean of all."""
    before, after = width
    rows = np.moveaxis(g, axis, 0)
    end = len(rows) - after
    inner, outer = rows[before:end].copy(), (rows[:before], rows[end:])
    if mode == "mean":
        inner += sum(np.sum(part, axis=0) for part in outer) / len(inner)
    else:
        weights = np.pad(np.ones_like(g, shape=1), (before, after), mode="linear_ramp")
        inner[0] += np.tensordot(weights[:before], outer[0], 1)
        inner[-1] += np.tensordot(weights[before + 1 :], outer[1], 1)
    return np.moveaxis(inner, 0, axis)


def _turned_adjoint(g: Array, n: int, axis: int, width: Sequence[int], mode: str) -> Array:
    """The same along one axis of n rows, which are turned about the edges: each row beyond them is a sum of rows."""
    before, after = width
    rows = np.moveaxis(g, axis, 0)
    sums = np.pad(
        np.identity(n, g.dtype, like=g), ((before, after), (0, 0)), mode, reflect_type="odd"
    )  # type: ignore[call-overload]
    outer = [
        np.tensordot(sums[part].T, rows[part], 1)
        for part in (slice(before), slice(before + n, None))
    ]
    return np.moveaxis(rows[before : before + n] + outer[0] + outer[1], 0, axis)


def _weights(x: Array, mode: str) -> Array:
    """What each element counts in a statistic along the first axis."""
    if mode == "mean":
        return np.full_like(x, 1 / max(len(x), 1))
    if mode == "median":
        return quantile_weights(x, 0.5, 0)
    extreme = np.max if mode == "maximum" else np.min
    return share(x, extreme(x, axis=0, keepdims=True), 0)


def pad_statistic_adjoint(
    g: Array, x: Array, pad_width: Any, mode: str, stat_length: Any = None
) -> Array:
    """The gradient of `np.pad(x, pad_width, mode, stat_length=stat_length)`."""
    for axis, (before, after), edges in reversed(list(_edges(x, pad_width, mode, stat_length))):
        rows = np.moveaxis(g, axis, 0)
        end = len(rows) - after
        inner = rows[before:end].copy()
        for (place, weights), part in zip(edges, (rows[:before], rows[end:]), strict=True):
            inner[place] += weights * np.sum(part, axis=0)
        g = np.moveaxis(inner, 0, axis)
    return g


def pad_statistic_tangent(
    x_dot: Array, x: Array, pad_width: Any, mode: str, stat_length: Any = None
) -> Array:
    """The tangent of `np.pad(x, pad_width, mode, stat_length=stat_length)`."""
    for axis, width, edges in _edges(x, pad_width, mode, stat_length):
        rows = np.moveaxis(x_dot, axis, 0)
        first, last = (
            np.repeat(np.sum(weights * rows[place], axis=0, keepdims=True), n, axis=0)
            for (place, weights), n in zip(edges, width, strict=True)
        )
        x_dot = np.moveaxis(np.concatenate((first, rows, last)), 0, axis)
    return x_dot


def _edges(
    x: Array, pad_width: Any, mode: str, stat_length: Any
) -> Iterator[tuple[int, list[int], list[tuple[slice, Array]]]]:
    """Each axis, its widths, and for both ends which rows decide there, and what each of their elements counts."""
    rank = len(shape_of(x))
    lengths = np.broadcast_to(np.array(stat_length, object), (rank, 2)).tolist()
    for axis, (width, (first, last)) in enumerate(
        zip(_widths(pad_width, rank), lengths, strict=True)
    ):
        rows = np.moveaxis(x, axis, 0)
        n = len(rows)
        places = (
            slice(0, n if first is None else first),
            slice(0 if last is None else max(n - last, 0), n),
        )
        if any(width):
            yield axis, width, [(place, _weights(rows[place], mode)) for place in places]
            around = [width if k == axis else (0, 0) for k in range(rank)]
            x = np.pad(x, around, mode, stat_length=stat_length)  # type: ignore[call-overload]
