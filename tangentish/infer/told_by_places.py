"""What is known of a result although no trial tells: np.interp(x, TABLE["x"], TABLE["y"]), np.r_[0.0, x, 1.0]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, replace
from tangentish.kinds.lengths import Length, length_plus

__all__ = ["as_its_places", "row_of"]


def as_its_places(function: Any, arguments: Sequence[Kind], kind: Num) -> Num:
    """np.interp gives a number at a number, and an array at an array of places, whatever the tables are.

    Of tables of which nothing is known, beside what varies, it is asked whether they are real.
    """
    if function is not np.interp or kind.shape is not None or not arguments:
        return kind
    places = arguments[0]
    if not (isinstance(places, Num) and places.known):
        return kind
    real = places.active and not any(isinstance(table, Num) for table in arguments[1:])
    dtype = np.dtype(float) if real else kind.dtype
    return replace(kind, dtype=dtype, shape=places.shape, array=bool(places.shape))


def row_of(parts: Sequence[Kind]) -> Num | None:
    """The vector that np.r_ makes of numbers and vectors; None of all else."""
    numbers = [part for part in parts if isinstance(part, Num) and part.known]
    if len(numbers) < len(parts) or any((part.rank or 0) > 1 for part in numbers):
        return None
    types = [part.dtype for part in numbers if part.dtype is not None]
    dtype = np.result_type(*types) if len(types) == len(parts) else None
    return Num(dtype, (_together([(part.shape or (1,))[0] for part in numbers]),), True)


def _together(lengths: Sequence[Length]) -> Length:
    """The sum of lengths of which all but one are written down."""
    known = sum(length for length in lengths if isinstance(length, int))
    others = [length for length in lengths if not isinstance(length, int)]
    return length_plus(others[0], known) if len(others) == 1 else None if others else known
