"""Names that may have no value yet."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")

UNBOUND = (
    "cannot access free variable '{}' where it is not associated with a value in enclosing scope"
)


def assigned(value: Value, name: str, nothing: object = None) -> Value:
    """The value of the variable `name`, which is `nothing` while it has none."""
    if value is nothing:
        raise UnboundLocalError(
            f"cannot access local variable '{name}' where it is not associated with a value"
        )
    return value


def captured(value: Value, name: str, nothing: object = None) -> Value:
    """The value of a variable of the function around, which is `nothing` while it has none."""
    if value is nothing:
        raise NameError(UNBOUND.format(name))
    return value
