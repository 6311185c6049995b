"""Elements of an Enum that is one of integers or floats, where they count as the numbers that they are."""

from __future__ import annotations

import enum

import numpy as np

from tangentish.kinds.kind import Kind, Num, Opaque

_ARITHMETIC = {
    f"__{side}{name}__"
    for name in ("add", "floordiv", "mod", "mul", "pow", "sub", "truediv")
    for side in ("", "r")
} | {"__array__", "__array_ufunc__", "__index__", "__int__", "__float__", "__neg__", "__pos__"}


def is_number_enum(kind: Kind, of: type | tuple[type, ...] = (int, float)) -> bool:
    """Whether the arithmetic of such an element is that of numbers: no class says otherwise."""
    cls = kind.type if isinstance(kind, Opaque) else None
    if not (isinstance(cls, type) and issubclass(cls, enum.Enum) and issubclass(cls, of)):
        return False
    own = (c for c in cls.__mro__ if c.__module__ != "enum" and c not in (int, float, object))
    return not any(_ARITHMETIC & vars(c).keys() for c in own)


def is_integer_enum(kind: Kind) -> bool:
    return is_number_enum(kind, int)


def as_integer(kind: Kind) -> Kind:
    """The kind of an element of integers among indices."""
    return Num(np.dtype(int), (), False) if is_integer_enum(kind) else kind


def as_number(kind: Kind) -> Kind:
    """The kind of such an element in arithmetic: NumPy takes it for one of its own numbers."""
    return Num(np.dtype(float), (), False) if is_number_enum(kind, float) else as_integer(kind)
