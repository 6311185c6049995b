"""Lengths of axes as far as they are known, and the shapes that they make.

A length is a constant, a `Dim` (a symbol plus an offset, cut off at zero) or None for unknown; two unknown lengths are
never equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Dim(NamedTuple):
    """The length max(symbol + offset, 0)."""

    symbol: Hashable
    offset: int = 0


TWO = Dim(("long", "two"))
"""The length 2 of an argument: as any other, but for those who ask whether it is 2."""

Length = int | Dim | None
Shape = tuple[Length, ...]


def length_plus(length: Length, offset: int) -> Length:
    """The length max(length + offset, 0) for offset <= 0; for others only where it is exact."""
    if length is None or offset == 0:
        return length
    if isinstance(length, int):
        return max(length + offset, 0)
    if offset > 0 and length.offset < 0:
        return None
    return Dim(length.symbol, length.offset + offset)


def is_longer_than_one(length: Length) -> bool:
    """Whether a length is known not to be 1: that of an argument, of a callee's, or a number."""
    if not isinstance(length, Dim):
        return length is not None and length != 1
    symbol = length.symbol
    return length.offset >= 0 and (
        isinstance(symbol, int) or (isinstance(symbol, tuple) and symbol[0] in ("long", "space"))
    )


def is_of_space(length: Length) -> bool:
    """Whether vectors of this length, of which there are two or three elements, are known to have three.

    That of an argument is 3 at least where it is no TWO: so are the first three elements of these three.
    """
    if not isinstance(length, Dim):
        return length == 3
    match length.symbol:
        case int() | ("space", _):
            return length.offset == 0
        case ("slice", int() | Dim() as inner, None | 0, 3, None | 1):
            return length.offset == 0 and is_of_space(inner)
    return False


def is_never_zero(length: Length) -> bool:
    """Whether a length is known not to be 0: a number, or that of an argument, which is two at least, or one less."""
    if not isinstance(length, Dim):
        return length is not None and length > 0
    return length.offset > -2 and is_longer_than_one(Dim(length.symbol))


def quotient(length: Dim, parts: int) -> Dim:
    """The length // parts."""
    return Dim(("quotient", length, parts))


def difference(length: Dim, other: int | Dim) -> Dim:
    """The number length - other, which may be negative."""
    return Dim(("less", length, other))


def place(start: Hashable, stop: Hashable, site: Hashable) -> Dim:
    """A place of range(start, stop, step), whose step is positive."""
    return Dim(("place", start, stop, site))


def is_quotient(length: Dim) -> bool:
    return (
        isinstance(length.symbol, tuple) and length.symbol[0] == "quotient" and length.offset == 0
    )


def same_length(a: Length, b: Length) -> bool:
    return a is not None and a == b


def same_shape(a: Shape | None, b: Shape | None) -> bool:
    """Whether two shapes are known to be equal."""
    return a is not None and b is not None and len(a) == len(b) and all(map(same_length, a, b))


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The shape that arrays of known ranks broadcast to; a length that can't be told is None."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(_broadcast_axis(axis) for axis in zip(*padded, strict=True)) if rank else ()


def _broadcast_axis(lengths: tuple[Length, ...]) -> Length:
    """What is not 1 is the length of the result, for what broadcasts at all."""
    others = dict.fromkeys(length for length in lengths if length != 1)
    if not others:
        return 1
    long = [length for length in others if is_longer_than_one(length)]
    if long:
        return min(long, key=_how_far)
    return next(iter(others)) if len(others) == 1 else None


def _how_far(length: Length) -> int:
    """Of lengths that are equal where they broadcast, those of arguments come first, those outside next."""
    match length:
        case Dim(("long", _, _)):
            return 1
        case Dim():
            return 0
    return 2


def broadcast_for_sure(shapes: Sequence[Shape]) -> bool:
    """Whether arrays of known ranks are known to broadcast."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    axes = [{length for length in axis if length != 1} for axis in zip(*padded, strict=True)]
    return all(len(lengths) < 2 and None not in lengths for lengths in axes)


def broadcasts_to(small: Shape, large: Shape) -> bool:
    """Whether an array of shape `small` is known to broadcast to exactly `large`."""
    return len(small) <= len(large) and all(
        a == 1 or same_length(a, b) for a, b in zip(reversed(small), reversed(large), strict=False)
    )
