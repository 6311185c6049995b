"""Kinds that calls on stand-ins tell, held against calls on others: what these give must fit.

Half of 10 and half of 11 are 5, and an array of ones as a shape gives the length 1: neither is what `np.fft.rfft` or
`np.zeros` gives of other lengths, and other values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.kinds import UNKNOWN, Kind, Num, Tup, replace
from tangentish.kinds.lengths import Dim, Length, is_longer_than_one
from tangentish.kinds.trials import PLACES, Argument, Lengths, need_small


def other_lengths(arguments: list[Argument]) -> tuple[tuple[Lengths, ...], ...]:
    """The lengths of further calls; of several that are together the first for which the function gives anything."""
    small = need_small(arguments)
    found: tuple[tuple[Lengths, ...], ...] = ((Lengths(3, small=small),),)
    if small:
        found += ((Lengths(2, small=True),),)
    if any(map(_are_counts, arguments)):
        found += ((Lengths(0, 0, small), Lengths(0, 2, small)),)
    return found


def _are_counts(argument: Argument) -> bool:
    """Whether an argument is, or holds, an array of which the values may say how long a result is."""
    match argument:
        case Num(dtype=dtype, shape=shape):
            short = shape is not None and len(shape) < 2 and bool(shape or argument.array)
            return short and dtype is not None and dtype.kind in PLACES
        case Tup(items=items):
            return any(map(_are_counts, items))
    return False


def fitting(kind: Kind, result: Any, lengths: Lengths) -> Kind:
    """What is left of a kind where a call on stand-ins of these lengths gives this."""
    match kind:
        case Tup(items=items):
            if not isinstance(result, (tuple, list)) or len(result) != len(items):
                return UNKNOWN
            parts = zip(items, result, strict=True)
            return replace(kind, items=tuple(fitting(k, r, lengths) for k, r in parts))
        case Num(shape=shape) if shape is not None:
            array = isinstance(result, np.ndarray)
            if not (array or isinstance(result, (np.generic, int, float, complex))):
                return UNKNOWN
            if array != bool(kind.array) or np.ndim(result) != len(shape):
                same = array and kind.array
                return replace(kind, shape=None, array=True if same else None, contiguous=False)
            pairs = zip(shape, np.shape(result), strict=True)
            return replace(kind, shape=tuple(_confirmed(n, m, lengths) for n, m in pairs))
    return kind


def _confirmed(length: Length, found: int, lengths: Lengths) -> Length:
    if length is None or lengths.stand_in(length) == found:
        return length
    return _half(length, found, lengths) if isinstance(length, int) else None


def _half(length: int, found: int, lengths: Lengths) -> Length:
    """The length that a real Fourier transform gives: n // 2 + 1, of an n that stays what it is."""
    for symbol in lengths.symbols:
        halves = [run.of(symbol) // 2 + 1 for run in (_first_run(lengths), lengths)]
        if is_longer_than_one(Dim(symbol)) and halves == [length, found]:
            return Dim(("half", symbol))
    return None


def _first_run(lengths: Lengths) -> Lengths:
    return replace(lengths, run=0, symbols=dict(lengths.symbols))
