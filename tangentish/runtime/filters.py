"""Gradients of filters that go along an axis, and what they need beyond the edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish.runtime.padding import pad_adjoint
from tangentish.runtime.types import Array

Filter = Callable[[Array], Array]


def gaussian_edges(sigma: Any, truncate: float = 4) -> Array:
    """How many elements `scipy.ndimage.gaussian_filter` needs beyond each edge."""
    return np.expand_dims(truncate * np.asarray(sigma) + 0.5, -1).astype(int)


def edges_along(x: Array, axis: int, reach: float) -> list[tuple[int, int]]:
    """`reach` elements beyond the two edges along one axis."""
    width = int(reach)
    return [(width, width) if k == axis % x.ndim else (0, 0) for k in range(x.ndim)]


def lying(w: Array, axis: int, x: Array) -> Array:
    """A vector along an axis of `x`, with as many axes as `x` has."""
    return np.reshape(w, [-1 if k == axis % x.ndim else 1 for k in range(x.ndim)])


def lagged_products(g: Array, u: Array, w: Any, axis: int = -1) -> Array:
    """The gradient of the weights w in sums of `w[k] * u`, shifted by k places along an axis."""
    rows, shifted = np.moveaxis(g, axis, 0), np.moveaxis(u, axis, 0)
    found = [np.vdot(rows[k:], shifted[: max(len(rows) - k, 0)]) for k in range(np.size(w))]
    return np.reshape(found, np.shape(w))


def lfilter_from_adjoint(
    g: tuple[Array | None, Array | None], b: Any, a: Any, of: Array, x: Array, zi: Array, axis: int = -1
) -> Array:  # fmt: skip
    """The gradient of `of`, which is x, or zi where b is a[:1], in `scipy.signal.lfilter(b, a, x, axis, zi=zi)`.

    What the filter keeps at the end is what it would go on with, filtered by a: its outputs are those of x followed by
    zeros, to which zi adds what the filter a[:1] / a makes of it.
    """
    import scipy.signal  # noqa: PLC0415 - SciPy may not be there

    def transposed(weights: Any, poles: Any, rows: Array) -> Array:
        return np.flip(scipy.signal.lfilter(weights, poles, np.flip(rows, axis), axis), axis)

    outputs = np.zeros_like(x) if g[0] is None else g[0]
    later = np.zeros_like(zi) if g[1] is None else transposed(a, np.ravel(a)[:1], g[1])
    found = transposed(b, a, np.concatenate((outputs, later), axis))
    return np.take(found, range(of.shape[axis]), axis)


def savgol_adjoint(
    g: Array, window_length: int, polyorder: int, deriv: int = 0, delta: float = 1.0, axis: int = -1
) -> Array:
    """The gradient of `scipy.signal.savgol_filter`, whose edges are polynomials through the first and last window."""
    import scipy.signal  # noqa: PLC0415 - SciPy may not be there

    def filtered(rows: Array, mode: str) -> Array:
        return scipy.signal.savgol_filter(rows, window_length, polyorder, deriv, delta, 0, mode)

    rows, half = np.moveaxis(g, axis, 0), window_length // 2
    inner = rows.copy()
    inner[:half] = inner[len(inner) - half :] = 0
    dx = np.flip(filtered(np.flip(inner, 0), "constant"), 0)
    ends = filtered(np.eye(window_length, dtype=dx.dtype), "interp")
    dx[:window_length] += np.tensordot(ends[:half].T, rows[:half], 1)
    dx[len(dx) - window_length :] += np.tensordot(
        ends[window_length - half :].T, rows[len(rows) - half :], 1
    )
    return np.moveaxis(dx, 0, axis)


def filtfilt_adjoint(
    g: Array, b: Any, a: Any, axis: int = -1, padtype: str | None = "odd", padlen: int | None = None
) -> Array:
    """The gradient of `x` in `scipy.signal.filtfilt(b, a, x, axis, padtype, padlen)`."""
    import scipy.signal  # noqa: PLC0415 - SciPy may not be there

    edge = 3 * max(np.size(a), np.size(b)) if padlen is None else padlen
    start = scipy.signal.lfilter_zi(b, a)

    def at_rest(n: int) -> Array:
        return scipy.signal.lfilter(b, a, np.zeros(n), zi=start)[0]

    rows = np.moveaxis(g, axis, 0)
    dx = _there_and_back(
        rows, lambda v: scipy.signal.lfilter(b, a, v, 0), at_rest, _edge(padtype, edge), padtype
    )
    return np.moveaxis(dx, 0, axis)


def sosfiltfilt_adjoint(
    g: Array, sos: Array, axis: int = -1, padtype: str | None = "odd", padlen: int | None = None
) -> Array:
    """The gradient of `x` in `scipy.signal.sosfiltfilt(sos, x, axis, padtype, padlen)`."""
    import scipy.signal  # noqa: PLC0415 - SciPy may not be there

    last = np.asarray(sos)[:, [2, 5]]
    taps = 2 * len(sos) + 1 - np.min(np.sum(last == 0, axis=0))
    edge = 3 * int(taps) if padlen is None else padlen
    start = scipy.signal.sosfilt_zi(sos)

    def at_rest(n: int) -> Array:
        return scipy.signal.sosfilt(sos, np.zeros(n), zi=start)[0]

    rows = np.moveaxis(g, axis, 0)
    dx = _there_and_back(
        rows, lambda v: scipy.signal.sosfilt(sos, v, 0), at_rest, _edge(padtype, edge), padtype
    )
    return np.moveaxis(dx, 0, axis)


def _edge(padtype: str | None, edge: int) -> int:
    return 0 if padtype is None else edge


def _there_and_back(
    g: Array, filtered: Filter, at_rest: Callable[[int], Array], edge: int, padtype: str | None
) -> Array:
    """The gradient of a filter along the first axis that runs forwards and then backwards, as if at rest before."""
    if len(g) <= edge:
        raise ValueError(
            f"the length of a filtered signal must be greater than padlen, which is {edge}"
        )
    total = np.pad(g, [(edge, edge)] + [(0, 0)] * (g.ndim - 1))
    from_start = at_rest(len(total))
    for _ in range(2):
        total = np.flip(total, 0)
        back = np.flip(filtered(np.flip(total, 0)), 0)
        back[0] += np.tensordot(from_start, total, 1)
        total = back
    return _without_edges(total, g, edge, padtype)


def _without_edges(g: Array, x: Array, edge: int, padtype: str | None) -> Array:
    """The gradient of how a signal goes on beyond its ends: turned around its end, mirrored, or constant."""
    widths = [(edge, edge)] + [(0, 0)] * (g.ndim - 1)
    if padtype == "even":
        return pad_adjoint(g, x, widths, "reflect")
    if padtype == "constant":
        return pad_adjoint(g, x, widths, "edge")
    inner = g[edge : len(g) - edge]
    outer = g.copy()
    outer[edge : len(g) - edge] = 0
    held, mirrored = (pad_adjoint(outer, x, widths, mode) for mode in ("edge", "reflect"))
    return inner + 2 * held - mirrored if edge else inner
