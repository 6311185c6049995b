"""Whether a function gives an array in C order: NumPy lays out what it makes as what it is made of.

np.stack([a, b])      in Fortran order where a and b are, as A.T is
np.array([a, b])      in C order, whatever a and b are
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, Seq, Tup

_IN_C_ORDER = {np.array, np.asarray, np.asanyarray, np.ascontiguousarray}
"""What makes an array in C order of a list."""


def gives_c_order(function: Any, kinds: Iterable[Kind]) -> bool:
    """Whether what a function makes of such arguments is C-contiguous, where it is so of contiguous ones."""
    kinds = list(kinds)
    arrays = [k for k in kinds if isinstance(k, Num) and k.array is not False]
    if not all(k.contiguous for k in arrays):
        return False
    if any(function is made for made in _IN_C_ORDER):
        return True
    return all(_is_laid_out(k) for kind in kinds for k in _listed(kind))


def _listed(kind: Kind) -> Iterator[Num]:
    """The arrays in a list, or a tuple, and in those in it."""
    inner = kind.items if isinstance(kind, Tup) else (kind.item,) if isinstance(kind, Seq) else ()
    for item in inner:
        if isinstance(item, Num):
            yield item
        elif item is not None:
            yield from _listed(item)


def _is_laid_out(kind: Num) -> bool:
    """Whether an array has one order only, as with one axis, or is in C order."""
    return kind.contiguous or kind.rank in (0, 1) or kind.is_scalar
