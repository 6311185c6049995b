"""Twins of runtime/places.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_none


@twin(runtime.last_stored)
def _last_stored(dx: Any, index: Any) -> Any:
    if isinstance(index, types.BaseTuple):
        return _last_at_positions
    if not is_array(index) or not isinstance(index.dtype, types.Integer) or index.ndim != 1:
        return None

    def last(dx: Any, index: Any) -> Any:
        g = dx[index]
        owner = np.empty(dx.shape[0], np.intp)
        for k in range(len(index)):
            owner[index[k]] = k
        for k in range(len(index)):
            if owner[index[k]] != k:
                g[k] = 0
        return g

    return last


def _last_at_positions(dx, index):  # type: ignore[no-untyped-def]
    """Places that slices choose as well: they are where their positions are."""
    g = dx[index].copy()
    at = np.arange(dx.size).reshape(dx.shape)[index]
    owner = np.empty(dx.size, np.intp)
    for k in range(at.size):
        owner[at.flat[k]] = k
    for k in range(at.size):
        if owner[at.flat[k]] != k:
            g.flat[k] = 0
    return g


@twin(runtime.sort_adjoint)
def _sort_adjoint(g: Any, x: Any, axis: Any = -1) -> Any:
    if x.ndim != 1:
        return None

    def sorted_back(g: Any, x: Any, axis: Any = -1) -> Any:
        out = np.empty(x.shape, x.dtype)
        order = np.argsort(x, kind="mergesort")
        for k in range(len(order)):
            out[order[k]] = g[k]
        return out

    return sorted_back


@twin(runtime.unique_adjoint)
def _unique_adjoint(g: Any, x: Any) -> Any:
    if not is_array(g):
        return lambda g, x: np.zeros_like(x)

    def firsts(g: Any, x: Any) -> Any:
        values = x.ravel()
        out = np.zeros(values.shape, x.dtype)
        order = np.argsort(values, kind="mergesort")
        k = -1
        for j in range(len(order)):
            if j == 0 or values[order[j]] != values[order[j - 1]]:
                k += 1
                out[order[j]] = g[k]
        return out.reshape(x.shape)

    return firsts


@twin(runtime.diagonal_adjoint)
def _diagonal_adjoint(g: Any, x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    if x.ndim != 2:
        return None

    def diagonal(g: Any, x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
        out = np.zeros(x.shape, x.dtype)
        turned = axis1 % 2 == 1
        shift = -offset if turned else offset
        for k in range(len(g)):
            out[k - min(shift, 0), k + max(shift, 0)] = g[k]
        return out

    return diagonal


@twin(runtime.positions)
def _positions(x: Any) -> Any:
    if not is_array(x):
        return None
    return lambda x: np.arange(x.size).reshape(x.shape)


@twin(runtime.laid_out)
def _laid_out(v: Any, n: Any) -> Any:
    if not is_array(v):
        return None
    return lambda v, n: np.take(v, np.arange(n) % max(v.size, 1))


@twin(runtime.histogram_adjoint)
def _histogram_adjoint(
    g: Any, y: Any, x: Any, bins: Any = 10, range: Any = None, density: Any = False
) -> Any:
    if not is_array(x):
        return None
    if is_none(g[1]) or not is_none(range):  # the counts are constant
        return lambda g, y, x, bins=10, range=None, density=False: np.zeros_like(x)

    def of_edges(
        g: Any, y: Any, x: Any, bins: Any = 10, range: Any = None, density: Any = False
    ) -> Any:
        along = np.linspace(0.0, 1.0, len(g[1]))
        least, largest = np.sum(g[1] * (1 - along)), np.sum(g[1] * along)
        return least * runtime.share(x, np.min(x)) + largest * runtime.share(x, np.max(x))

    return of_edges


@twin(runtime.scattered)
def _scattered(g: Any, at: Any, x: Any) -> Any:
    if not (is_array(g) and is_array(at) and is_array(x)):
        return None

    def scatter(g: Any, at: Any, x: Any) -> Any:
        places, values = at.ravel(), g.ravel()
        out = np.zeros(x.size, g.dtype)
        for k in range(len(places)):
            if places[k] >= 0:
                out[places[k]] += values[k]
        return out.reshape(x.shape)

    return scatter


@twin(runtime.taken_at)
def _taken_at(x: Any, at: Any) -> Any:
    if not (is_array(x) and is_array(at)):
        return None

    def take(x: Any, at: Any) -> Any:
        values, places = x.ravel(), at.ravel()
        out = np.zeros(len(places), x.dtype)
        for k in range(len(places)):
            if places[k] >= 0:
                out[k] = values[places[k]]
        return out.reshape(at.shape)

    return take


_REAL = (types.Integer, types.Float, types.Boolean)


@twin(runtime.integer)
def _integer(index: Any) -> Any:
    return (lambda index: index) if isinstance(index, types.Integer) else None


@twin(runtime.plain)
def _plain(value: Any) -> Any:
    held = value.dtype if is_array(value) else value
    return (lambda value: value) if isinstance(held, _REAL) else None
