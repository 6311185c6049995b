"""What comes back from compiled code has the types that the interpreted derivative gives.

Numba gives Python's float for every scalar, and float64 where a float32 meets a Python number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, Tup, replace

Convert = Callable[[Any], Any]


def as_given(result: Any, arguments: Sequence[Kind]) -> Any:
    """The kinds of results, where a number is Python's on one way and not on another: of the arguments' one type.

    total = 0.0
    for v in x: total += v          x.dtype, but for an x without elements
    """
    if isinstance(result, Tup):
        return replace(result, items=tuple(as_given(item, arguments) for item in result.items))
    if not (isinstance(result, Num) and result.dtype is None and result.array is False):
        return result
    given = {k.dtype for k in arguments if isinstance(k, Num) and k.is_float and not k.weak}
    return replace(result, dtype=given.pop()) if len(given) == 1 else result


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
