"""Arrays made of numbers that are integers on one way and floats on another: which of both they hold is not known.

    np.full(4, n if n > 2 else 1.5)        np.array([max(n, 2.0)] * 4)

Such an array keeps what varies only where it is one of floats.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from tangentish.kinds import Kind, Num, Seq, Tup, replace
from tangentish.kinds.joins import may_be_int

__all__ = ["made_of_perhaps_integers"]

_MAKING: dict[object, int] = {
    np.full: 2, np.full_like: 2, np.array: 1, np.asarray: 1, np.arange: 3, np.where: 3, np.repeat: 3, np.tile: 2,
}  # fmt: skip
"""Functions that make arrays, and at which place a dtype may be given, if at any."""


def made_of_perhaps_integers(
    found: Kind, function: object, args: Sequence[Kind], keywords: Mapping[str, Kind]
) -> Kind:
    """The kind of what a function gives that is no function of what varies."""
    if not isinstance(found, Num) or found.active or found.dtype is None:
        return found
    values = args[1:] if function in (np.full, np.full_like, np.where) else args
    numbers = [number for kind in (*values, *keywords.values()) for number in _numbers_in(kind)]
    if function in (max, min):
        mixed = any(may_be_int(a, b) for a, b in itertools.permutations(numbers, 2))
        return replace(found, or_int=mixed or any(number.or_int for number in numbers))
    making = function in _MAKING and not ("dtype" in keywords or len(args) > _MAKING[function])
    return replace(found, dtype=None) if making and any(n.or_int for n in numbers) else found


def _numbers_in(kind: Kind | None) -> list[Num]:
    match kind:
        case Num():
            return [kind]
        case Tup(items=items):
            return [number for item in items for number in _numbers_in(item)]
        case Seq(item=item):
            return _numbers_in(item)
    return []
