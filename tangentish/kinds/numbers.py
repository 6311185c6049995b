"""What is asked of a kind most often: whether it is one number, one integer, an array for sure."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from tangentish.kinds.kind import Num


def is_number(kind: object) -> TypeGuard[Num]:
    """Whether this is one number, of Python's or NumPy's, and no array without axes."""
    return isinstance(kind, Num) and kind.array is False


def is_integer(kind: object) -> TypeGuard[Num]:
    """Whether this is one integer, as those of Python are."""
    return isinstance(kind, Num) and kind.array is False and kind.dtype == np.dtype(int)


def is_array(kind: object) -> TypeGuard[Num]:
    """Whether this is an array for sure: where it is written to, no list, dict or object becomes another."""
    return isinstance(kind, Num) and kind.array is True
