"""np.cross: its vectors have three elements, or two, and of two pairs it makes numbers.

How many there are is asked of the lengths at the call (`is_of_space`): what is not 2 must be 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, Tup, replace
from tangentish.kinds.lengths import Length, is_of_space
from tangentish.kinds.trials import Argument, Literal

CROSS_PRODUCTS = {np.cross, np.linalg.cross}


def are_vectors_of_space(args: Sequence[Argument], keywords: Mapping[str, Argument]) -> bool:
    """Whether all of these operands are known to have three elements along the axis of the product."""
    axis = _axis(keywords)
    return axis is not None and all(is_of_space(_length(a, axis)) for a in args)


def in_space(args: Sequence[Argument], keywords: Mapping[str, Argument]) -> Sequence[Argument]:
    """The operands with 3 for that length; of one with three elements and any other the product has three."""
    axis = _axis(keywords)
    if len(args) != 2 or axis is None or not any(is_of_space(_length(a, axis)) for a in args):
        return args
    return [_with_length(a, axis, 3) for a in args]


def named_as_given(kind: Kind, args: Sequence[Argument], keywords: Mapping[str, Argument]) -> Kind:
    """The kind of a product, its length named as that of an operand is."""
    axis = _axis(keywords) if len(args) == 2 else None
    lengths = [] if axis is None else [_length(a, axis) for a in args]
    named = next((n for n in lengths if is_of_space(n) and not isinstance(n, int)), None)
    if axis is None or named is None or not isinstance(kind, Num) or not kind.shape:
        return kind
    return _with_length(kind, axis, named)  # type: ignore[return-value]


def _axis(keywords: Mapping[str, Argument]) -> int | None:
    """The axis of the vectors in both operands and the product; None where they differ, or are not known."""
    axis = keywords.get("axis", Literal(-1))
    if not set(keywords) <= {"axis"} or not isinstance(axis, Literal):
        return None
    return axis.value if type(axis.value) is int else None


def _length(argument: Argument, axis: int) -> Length:
    match argument:
        case Num(array=True, shape=tuple(shape)) if -len(shape) <= axis < len(shape):
            return shape[axis]
        case Tup(items=items) if all(isinstance(i, Num) and i.shape == () for i in items):
            return len(items) if axis in (0, -1) else None
    return None


def _with_length(argument: Argument, axis: int, length: Length) -> Argument:
    match argument:
        case Num(array=True, shape=tuple(shape)) if -len(shape) <= axis < len(shape):
            lengths: list[Any] = list(shape)
            lengths[axis] = length
            return replace(argument, shape=tuple(lengths))
    return argument
