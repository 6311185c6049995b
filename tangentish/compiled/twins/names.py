"""Twin of runtime/names.py."""

from __future__ import annotations

from typing import Any

from numba.core import types

from tangentish import runtime
from tangentish.compiled.twins.registry import twin

__all__: list[str] = []


@twin(runtime.assigned, prefer_literal=True)
def _assigned(value: Any, name: Any, nothing: Any = None) -> Any:
    message = "cannot access local variable where it is not associated with a value"
    if isinstance(name, types.StringLiteral):
        message = f"cannot access local variable '{name.literal_value}' where it is not associated with a value"
    if isinstance(value, types.NoneType):

        def never(value: Any, name: Any, nothing: Any = None) -> Any:
            raise UnboundLocalError(message)

        return never
    if isinstance(value, types.Optional):

        def asked(value: Any, name: Any, nothing: Any = None) -> Any:
            if value is None:
                raise UnboundLocalError(message)
            return value

        return asked
    return lambda value, name, nothing=None: value
