"""Twins of runtime/lists.py: a list holds one type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload_method

from tangentish import runtime
from tangentish.compiled import functions
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_none
from tangentish.compiled.twins.written import written


@twin(runtime.zeros)
def _zeros(x: Any) -> Any:
    if isinstance(x, types.List):
        if _is_real(x.dtype):
            return lambda x: [0.0] * len(x)
        return lambda x: [runtime.zeros(item) for item in x]
    if is_array(x):
        whole = isinstance(x.dtype, types.Integer)
        return (lambda x: np.zeros(x.shape)) if whole else (lambda x: np.zeros_like(x))
    if isinstance(x, types.BaseTuple) and _is_of_numbers(x):
        return lambda x: [0.0] * len(x)
    if isinstance(x, types.BaseTuple):
        parts = ", ".join(f"zeros(x[{k}])" for k in range(len(x)))
        alike = len({_zero_type(item) for item in x.types}) == 1
        return written(
            "x", [f"return [{parts}]" if alike else f"return ({parts},)"], zeros=runtime.zeros
        )
    return (lambda x: 0.0) if _is_real(x) else (lambda x: None)


def _is_real(x: Any) -> bool:
    """Whether this is a number that may have a gradient: integers may stand among floats."""
    return isinstance(x, (types.Float, types.Integer))


def _is_of_numbers(x: Any) -> bool:
    """Whether a tuple holds numbers, and besides them only what has no gradient, whose zero nobody reads."""
    nothing = (types.UnicodeType, types.StringLiteral, types.Boolean, types.NoneType)
    held = [item for item in x.types if not isinstance(item, nothing)]
    return bool(held) and all(map(_is_real, held))


def _zero_type(x: Any) -> Any:
    """What tells the types of the zeros of two types apart: what is no number and no array has none."""
    if isinstance(x, types.BaseTuple):
        return "numbers" if _is_of_numbers(x) else tuple(map(_zero_type, x.types))
    if _is_real(x):
        return types.float64
    return x if isinstance(x, types.List) or is_array(x) else None


@twin(functions.set_zero)
def _set_zero(xs: Any, k: Any) -> Any:
    if isinstance(xs, types.List) and is_array(xs.dtype):

        def replaced(xs: Any, k: Any) -> Any:
            xs[k] = np.zeros_like(xs[k])

        return replaced

    def stored(xs: Any, k: Any) -> Any:
        xs[k] = 0

    return stored


@twin(runtime.added)
def _added(a: Any, b: Any) -> Any:
    if isinstance(a, types.List):
        return lambda a, b: [runtime.added(a[k], b[k]) for k in range(len(a))]
    if isinstance(a, types.BaseTuple):
        parts = "".join(f"added(a[{k}], b[{k}]), " for k in range(len(a)))
        return written("a, b", [f"return ({parts})"], added=runtime.added)
    if is_none(a) or is_none(b):
        return (lambda a, b: b) if is_none(a) else (lambda a, b: a)
    return lambda a, b: a + b


@overload_method(types.Array, "tolist")
def _tolist(x):  # type: ignore[no-untyped-def]
    if x.ndim == 1:
        return lambda x: list(x)
    return lambda x: [row.tolist() for row in x]


@twin(runtime.kept)
def _kept(x: Any) -> Any:
    if isinstance(x, types.BaseTuple):
        parts = "".join(f"kept(x[{k}]), " for k in range(len(x)))
        return written("x", [f"return ({parts})"], kept=runtime.kept)
    if isinstance(x, types.List):
        return lambda x: [runtime.kept(item) for item in x]
    if isinstance(x, types.Array):
        return lambda x: x.copy()
    return lambda x: x


@twin(runtime.copied)
def _copied(g: Any) -> Any:
    if isinstance(g, types.List) and isinstance(g.dtype, types.List):
        return lambda g: [runtime.copied(item) for item in g]
    if isinstance(g, types.List) or (is_array(g) and g.ndim == 1):
        return lambda g: [item.copy() for item in g]
    return None


@twin(runtime.take_last)
def _take_last(xs: Any, n: Any) -> Any:
    def taken(xs: Any, n: Any) -> Any:
        last = xs[len(xs) - n :]
        for _ in range(n):
            xs.pop()  # del would leave what the next store there frees
        return last

    return taken


@twin(functions.pop_at)
def _pop_at(xs: Any, k: Any) -> Any:
    """Without Numba's pop of a place: it leaves the last element twice, and the next store there frees it."""

    def popped(xs: Any, k: Any) -> Any:
        last = len(xs) - 1
        place = k + len(xs) if k < 0 else k
        if place < 0 or place > last:
            raise IndexError("pop index out of range")
        item = xs[place]
        for later in range(place, last):
            xs[later] = xs[later + 1]
        xs.pop()
        return item

    return popped


@twin(runtime.take_out)
def _take_out(xs: Any, k: Any) -> Any:
    def taken(xs: Any, k: Any) -> Any:
        before = len(xs) - 1
        return functions.pop_at(xs, max(k + before, 0) if k < 0 else min(k, before))

    return taken


@twin(runtime.put_back)
def _put_back(xs: Any, k: Any, v: Any) -> Any:
    def put(xs: Any, k: Any, v: Any) -> Any:
        xs.insert(k + len(xs) + 1 if k < 0 else k, v)

    return put


@twin(runtime.set_item)
def _set_item(xs: Any, k: Any, old: Any) -> Any:
    if is_array(xs.dtype):

        def stored(xs: Any, k: Any, old: Any) -> Any:
            xs[k][:] = old

        return stored

    def replaced(xs: Any, k: Any, old: Any) -> Any:
        xs[k] = old

    return replaced


@twin(runtime.set_items)
def _set_items(xs: Any, items: Any) -> Any:
    def replaced(xs: Any, items: Any) -> Any:
        xs[:] = items

    return replaced
