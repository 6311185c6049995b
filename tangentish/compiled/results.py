"""What comes back from compiled code has the types that the interpreted derivative gives.

Numba gives Python's float for every scalar, and float64 where a float32 meets a Python number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish.kinds import Num, Tup

__all__ = ["converter"]

Convert = Callable[[Any], Any]


def converter(kinds: Any, found: Any) -> Convert | None:
    """What makes of a result of Numba's type `found` one of these kinds; None where it is one already."""
    if isinstance(kinds, (list, tuple)) and not isinstance(kinds, Num):
        return _of_each(list(kinds), found)
    if isinstance(kinds, Tup) and kinds.keys is None and not kinds.is_list:
        return _of_each(list(kinds.items), found)
    return _of_number(kinds, found) if isinstance(kinds, Num) else None


def _of_each(kinds: list[Any], found: Any) -> Convert | None:
    inner = list(getattr(found, "types", ()))
    if len(inner) != len(kinds):
        return None
    each = [converter(kind, part) for kind, part in zip(kinds, inner, strict=True)]
    if not any(each):
        return None
    steps = [convert or _same for convert in each]
    return lambda result: tuple(f(part) for f, part in zip(steps, result, strict=True))


def _same(value: Any) -> Any:
    return value


def _of_number(kind: Num, found: Any) -> Convert | None:
    rank = getattr(found, "ndim", None)
    if rank == 0 and kind.array is False:
        inner = _of_number(kind, found.dtype) or _same
        return lambda value: inner(value[()])
    if kind.dtype is None or kind.array is None or (rank is not None and not kind.array):
        return None
    if not kind.array:
        return None if kind.weak and str(found) == "float64" else _as_scalar(kind)
    dtype = kind.dtype
    if rank is None:
        return lambda value: np.asarray(value, dtype)
    return None if str(found.dtype) == str(dtype) else lambda value: value.astype(dtype)


def _as_scalar(kind: Num) -> Convert:
    assert kind.dtype is not None
    if kind.weak:
        return {"f": float, "i": int, "b": bool}.get(kind.dtype.kind, _same)
    return kind.dtype.type
