"""What `np.r_[0.0, cuts, np.inf]` is, of parts that carry no derivative: a vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num

__all__ = ["row_of"]


def row_of(parts: Sequence[Kind]) -> Num | None:
    """The kind of numbers and vectors put side by side; None where there is anything else."""
    kinds = [kind for kind in parts if isinstance(kind, Num) and not kind.optional]
    if len(kinds) < len(parts) or not all(kind.is_scalar or kind.rank == 1 for kind in kinds):
        return None
    lengths = [1 if kind.is_scalar else (kind.shape or (None,))[0] for kind in kinds]
    whole = [n for n in lengths if isinstance(n, int)]
    length = sum(whole) if len(whole) == len(lengths) else None
    return Num(_dtype(kinds), (length,), True, contiguous=True)


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
