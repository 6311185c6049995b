"""Elements of an IntEnum, where they count as the integers that they are."""

from __future__ import annotations

import enum

import numpy as np

from tangentish.kinds.kind import Kind, Num, Opaque

__all__ = ["as_integer", "is_integer_enum"]

_ARITHMETIC = {
    f"__{side}{name}__"
    for name in ("add", "floordiv", "mod", "mul", "pow", "sub", "truediv")
    for side in ("", "r")
} | {"__index__", "__int__", "__float__", "__neg__", "__pos__"}


def is_integer_enum(kind: Kind) -> bool:
    cls = kind.type if isinstance(kind, Opaque) else None
    if not (isinstance(cls, type) and issubclass(cls, enum.IntEnum)):
        return False
    own = (c for c in cls.__mro__ if issubclass(c, enum.IntEnum) and c is not enum.IntEnum)
    return not any(_ARITHMETIC & vars(c).keys() for c in own)


def as_integer(kind: Kind) -> Kind:
    """The kind of such an element in arithmetic and among indices: NumPy takes it for one of its own integers."""
    return Num(np.dtype(int), (), False) if is_integer_enum(kind) else kind
