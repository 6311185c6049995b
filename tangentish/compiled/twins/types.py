"""What a twin asks of the types of its arguments."""

from __future__ import annotations

from typing import Any

from numba.core import types


def is_array(one: Any) -> bool:
    return isinstance(one, types.Array)


def is_number(one: Any) -> bool:
    return isinstance(one, (types.Number, types.Boolean))


def is_none(one: Any) -> bool:
    return one is None or isinstance(one, types.NoneType) or _given(one) is None


def has_literal(one: Any) -> bool:
    return isinstance(one, (types.Literal, types.Omitted, int, bool, str)) or one is None


def value_of(one: Any) -> Any:
    """The constant that a type stands for."""
    if isinstance(one, types.Literal):
        return one.literal_value
    return _given(one)


def _given(one: Any) -> Any:
    return one.value if isinstance(one, types.Omitted) else one
