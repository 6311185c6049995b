"""What `np.r_[0.0, cuts, np.inf]` and `np.c_[ones, x]` are, of parts that carry no derivative: a vector, a matrix."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, is_number
from tangentish.kinds.joins import join
from tangentish.kinds.lengths import Length, length_plus


def row_of(parts: Sequence[Kind]) -> Num | None:
    """The kind of numbers and vectors put side by side; None where there is anything else."""
    kinds = _arrays(parts)
    if kinds is None or not all(kind.is_scalar or kind.rank == 1 for kind in kinds):
        return None
    lengths: list[Length] = [1 if kind.is_scalar else (kind.shape or (None,))[0] for kind in kinds]
    return Num(_dtype(kinds), (_together(lengths),), True, contiguous=True)


def columns_of(parts: Sequence[Kind]) -> Num | None:
    """The kind of vectors and matrices put side by side as columns; None where there is anything else."""
    kinds = _arrays(parts)
    shapes = [kind.shape or () for kind in kinds or ()]
    if kinds is None or not all(kind.array and kind.rank in (1, 2) for kind in kinds):
        return None
    height = next((shape[0] for shape in shapes if shape[0] is not None), None)
    width = _together([shape[1] if len(shape) == 2 else 1 for shape in shapes])
    return Num(_dtype(kinds), (height, width), True)


def _arrays(parts: Sequence[Kind]) -> list[Num] | None:
    """The numbers and arrays that the parts are; None where one is something else."""
    rows = map(_as_row, parts)
    kinds = [kind for kind in rows if isinstance(kind, Num) and not kind.optional]
    return kinds if len(kinds) == len(parts) else None


def _as_row(kind: Kind) -> Kind:
    """A list or a tuple of numbers as the vector that NumPy makes of it."""
    length: Length = None
    match kind:
        case Opaque(type=builtins.list | builtins.tuple, item=Num() as held):
            item: Kind = held
        case Seq(item=Num() as held, length=length, optional=False, keyed=False):
            item = held
        case Tup(items=[_, *_] as items, optional=False) if kind.is_counted:
            item, length = functools.reduce(join, items), len(items)
        case _:
            return kind
    plain = is_number(item) and not (item.optional or item.or_list)
    return Num(item.dtype, (length,), True) if plain and isinstance(item, Num) else kind


def _together(lengths: Sequence[Length]) -> Length:
    """The sum of lengths of which all but one are written down."""
    known = sum(length for length in lengths if isinstance(length, int))
    others = [length for length in lengths if not isinstance(length, int)]
    return length_plus(others[0], known) if len(others) == 1 else None if others else known


def _dtype(kinds: Sequence[Num]) -> np.dtype[Any] | None:
    """The dtype of what they make: numbers of Python take that of what they meet."""
    dtypes = [kind.dtype for kind in kinds if kind.dtype is not None]
    if len(dtypes) < len(kinds):
        return None
    weakly = (
        dtype.type(0).item() if kind.weak else dtype
        for kind, dtype in zip(kinds, dtypes, strict=True)
    )
    return np.result_type(*weakly)
