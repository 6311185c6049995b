"""Derivatives by where samples stand: of their slopes (`np.gradient`), and of their integrals by parabolas (Simpson).

Both are made of the slopes between neighbours, and of how these change from one step to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.runtime.along_axes import across, diff_adjoint, neighbours, neighbours_adjoint
from tangentish.runtime.places import take_adjoint
from tangentish.runtime.shapes import cast, unbroadcast
from tangentish.runtime.types import Array


def gradient_adjoint(
    h: Array, f: Array, x: Any = 1.0, axis: Any = None, edge_order: int = 1
) -> Array:
    """The gradient of `np.gradient(f, x, axis=axis)`, x one step or the places: back through means of slopes."""
    place = 0 if axis is None else int(np.ravel(axis)[0])
    steps, share = _steps(x, f.shape[place], f)
    heads = _to_slopes(np.moveaxis(h, place, -1), share, edge_order)
    df = diff_adjoint(heads / steps, np.moveaxis(f, place, -1))
    return cast(np.moveaxis(df, -1, place), h)


def gradient_adjoint_tangent(
    h_dot: Any, g: Array, f: Array, h: Any, axis: Any = None, edge_order: int = 1
) -> Array:
    """What a change of `h`, one step or the places, adds to `gradient_adjoint(g, f, h, axis)`."""
    if np.ndim(h) == 0:
        return -h_dot / h * gradient_adjoint(g, f, h, axis, edge_order)
    place = 0 if axis is None else int(np.ravel(axis)[0])
    steps, share = _steps(h, len(h), h)
    moved = np.diff(h_dot)
    share_dot = (moved[:-1] * steps[1:] - steps[:-1] * moved[1:]) / neighbours(steps) ** 2
    heads = np.moveaxis(g, place, -1)
    # What goes to the slopes is a part that stays, and one that the shares are factors of.
    turned = _to_slopes(heads, share_dot, edge_order) - _to_slopes(heads, 0 * share, edge_order)
    turned = turned - _to_slopes(heads, share, edge_order) * moved / steps
    return np.moveaxis(diff_adjoint(turned / steps, np.moveaxis(f, place, -1)), -1, place)


def _steps(h: Any, n: int, f: Array) -> tuple[Any, Array]:
    """The steps between n samples of f, one or all, and what the one before each inner sample counts for its slope."""
    if np.ndim(h) == 0:
        return h, np.full_like(f, 0.5, float, shape=max(n - 2, 0))
    steps = np.diff(h)
    return steps, steps[:-1] / neighbours(steps)


def _to_slopes(heads: Array, share: Array, edge_order: int) -> Array:
    """What goes from the derivatives at the samples, along the last axis, to the slopes between them.

    Between two steps the derivative is a mean of their slopes, that of the shorter step counts more; at an edge it is
    that of the step there, or goes on as a parabola does (Fornberg 1988).
    """
    inner = heads[..., 1:-1]
    by_slopes = np.zeros_like(heads[..., 1:])
    by_slopes[..., 1:] += share * inner
    by_slopes[..., :-1] += (1 - share) * inner
    by_slopes[..., 0] += heads[..., 0]
    by_slopes[..., -1] += heads[..., -1]
    if edge_order == 2:
        first, last = share[0] * heads[..., 0], (1 - share[-1]) * heads[..., -1]
        by_slopes[..., 0] += first
        by_slopes[..., 1] -= first
        by_slopes[..., -1] += last
        by_slopes[..., -2] -= last
    return by_slopes


def gradients_adjoint(
    g: Sequence[Array | None], f: Array, spacing: Sequence[Any], edge_order: int = 1,
    axes: Sequence[int] | None = None,
) -> Array:  # fmt: skip
    """The gradient of `np.gradient(f, *spacing, axis=axes)` of several axes, which gives an array for each."""
    steps = spacing if len(spacing) > 1 else [*spacing, 1.0][:1] * len(g)
    df = np.zeros_like(f)
    for k, (axis, head) in enumerate(zip(axes or range(f.ndim), g, strict=True)):
        if head is not None:
            df += gradient_adjoint(head, f, steps[k], axis, edge_order)
    return df


def gradient_step_adjoint(g: Sequence[Array | None], y: Sequence[Array], h: Any) -> Any:
    """The gradient of the one step `h` in the slopes `y` along several axes."""
    total = 0.0
    for head, slopes in zip(g, y, strict=True):
        if head is not None:
            total = total - np.sum(head * slopes)
    return total / h


def gradient_spacing_adjoint(
    g: Array, f: Array, h: Any, axis: Any = None, edge_order: int = 1
) -> Any:
    """The gradient of `h`, one step or the places, in `np.gradient(f, h, axis=axis)`."""
    if np.ndim(h) == 0:
        by_one: Any = np.gradient(f, h, axis=axis, edge_order=edge_order)  # type: ignore[call-overload]
        return -np.sum(g * by_one) / h
    place = 0 if axis is None else int(np.ravel(axis)[0])
    values, heads = np.moveaxis(f, place, -1), np.moveaxis(g, place, -1)
    steps, share = _steps(h, len(h), h)
    slopes = np.diff(values) / steps
    by_slopes = _to_slopes(heads, share, edge_order)
    by_share = across(heads[..., 1:-1] * np.diff(slopes), -1)
    if edge_order == 2:
        by_share[0] -= np.sum(heads[..., 0] * (slopes[..., 1] - slopes[..., 0]))
        by_share[-1] -= np.sum(heads[..., -1] * (slopes[..., -1] - slopes[..., -2]))
    turn = by_share / neighbours(steps) ** 2
    by_steps = -across(by_slopes * slopes, -1) / steps
    by_steps[:-1] += turn * steps[1:]
    by_steps[1:] -= turn * steps[:-1]
    return cast(diff_adjoint(by_steps, h), h)


def gradient_spacing_tangent(
    h_dot: Any, f: Array, h: Any, axis: Any = None, edge_order: int = 1
) -> Array:
    """What a change of `h`, one step or the places, adds to `np.gradient(f, h, axis=axis)`."""
    if np.ndim(h) == 0:
        by_one: Any = np.gradient(f, h, axis=axis, edge_order=edge_order)  # type: ignore[call-overload]
        return -h_dot / h * by_one
    place = 0 if axis is None else int(np.ravel(axis)[0])
    steps, moved = np.diff(h), np.diff(h_dot)
    slopes = np.diff(np.moveaxis(f, place, -1)) / steps
    slopes_dot = -slopes * moved / steps
    share = steps[:-1] / neighbours(steps)
    share_dot = (moved[:-1] * steps[1:] - steps[:-1] * moved[1:]) / neighbours(steps) ** 2
    between = slopes_dot[..., :-1] + share * np.diff(slopes_dot) + share_dot * np.diff(slopes)
    first, last = slopes_dot[..., :1], slopes_dot[..., -1:]
    if edge_order == 2:
        bends, bends_dot = np.diff(slopes), np.diff(slopes_dot)
        first = first - share[0] * bends_dot[..., :1] - share_dot[0] * bends[..., :1]
        last = last + (1 - share[-1]) * bends_dot[..., -1:] - share_dot[-1] * bends[..., -1:]
    return np.moveaxis(np.concatenate((first, between, last), -1), -1, place)


def parabola_of(n: int) -> Array:
    """For each step between n places the first of the three that its parabola goes through (Cartwright 2017)."""
    steps = np.arange(n - 1)
    return np.minimum(steps - steps % 2, n - 3)


def parabolas_adjoint(h: Array, v: Array, x: Array, axis: int = -1) -> Array:
    """The gradient of the values `v` at `x` in the integrals over each step, of which that is `h`."""
    steps, between = np.diff(_last(x, axis)), neighbours(np.moveaxis(v, axis, -1))
    heads = np.moveaxis(h, axis, -1)
    by_values = neighbours_adjoint(unbroadcast(heads * steps / 2, between))
    if v.shape[axis] > 2:
        by_bends = _over_parabolas(-heads * steps**3 / 6 + 0 * between) / neighbours(steps)
        by_values = by_values + _of_steps(unbroadcast(_of_steps(by_bends) / steps, between))
    return cast(np.moveaxis(by_values, -1, axis), v)


def parabola_places_adjoint(h: Array, v: Array, x: Array, axis: int = -1) -> Array:
    """The gradient of the places `x` of the values `v` in the integrals over each step, of which that is `h`."""
    steps, values = np.diff(_last(x, axis)), np.moveaxis(v, axis, -1)
    heads = np.moveaxis(h, axis, -1)
    by_steps = heads * neighbours(values) / 2
    if v.shape[axis] > 2:
        slopes = np.diff(values) / steps
        bends = np.diff(slopes) / neighbours(steps)
        at = parabola_of(v.shape[axis])
        by_steps = by_steps - heads * steps**2 / 2 * np.take(bends, at, -1)
        by_bends = _over_parabolas(-heads * steps**3 / 6 + 0 * by_steps)
        over = by_bends / neighbours(steps)
        by_steps = by_steps - neighbours_adjoint(over * bends) - _of_steps(over) * slopes / steps
    by_places = np.moveaxis(_of_steps(by_steps), -1, axis)
    return cast(across(by_places, axis) if x.ndim == 1 else unbroadcast(by_places, x), x)


def parabola_places_tangent(x_dot: Array, v: Array, x: Array, axis: int = -1) -> Array:
    """What a change of the places adds to the integrals over each step."""
    steps, moved = np.diff(_last(x, axis)), np.diff(_last(x_dot, axis))
    values = np.moveaxis(v, axis, -1)
    parts = moved * neighbours(values) / 2
    if v.shape[axis] > 2:
        slopes = np.diff(values) / steps
        bends = np.diff(slopes) / neighbours(steps)
        turned = -np.diff(slopes * moved / steps) - bends * neighbours(moved)
        at = parabola_of(v.shape[axis])
        parts = parts - np.take(bends, at, -1) * steps**2 * moved / 2
        parts = parts - np.take(turned / neighbours(steps), at, -1) * steps**3 / 6
    return np.moveaxis(parts, -1, axis)


def _last(x: Array, axis: int) -> Array:
    """The places along the last axis; those of one axis stand for all."""
    return x if x.ndim == 1 else np.moveaxis(x, axis, -1)


def _over_parabolas(h: Array) -> Array:
    """What the steps give to the parabola that they share."""
    n = h.shape[-1] + 1
    return take_adjoint(h, h[..., 1:], parabola_of(n), -1)


def _of_steps(h: Array) -> Array:
    """The gradient of what differs by `np.diff`."""
    return diff_adjoint(h, np.empty((*h.shape[:-1], h.shape[-1] + 1), h.dtype))
