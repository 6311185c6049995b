"""Twin of runtime/names.py."""

from __future__ import annotations

from typing import Any

from numba.core import types

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.runtime import names

_ASSIGNED = "cannot access local variable '{}' where it is not associated with a value"


@twin(runtime.assigned, prefer_literal=True)
def _assigned(value: Any, name: Any, nothing: Any = None) -> Any:
    return _asked(value, UnboundLocalError, _ASSIGNED.format(_literal(name)))


@twin(runtime.captured, prefer_literal=True)
def _captured(value: Any, name: Any, nothing: Any = None) -> Any:
    return _asked(value, NameError, names.UNBOUND.format(_literal(name)))


def _literal(name: Any) -> str:
    return name.literal_value if isinstance(name, types.StringLiteral) else "?"


def _asked(value: Any, error: type[NameError], message: str) -> Any:
    if isinstance(value, types.NoneType):

        def never(value: Any, name: Any, nothing: Any = None) -> Any:
            raise error(message)

        return never
    if isinstance(value, types.Optional):

        def asked(value: Any, name: Any, nothing: Any = None) -> Any:
            if value is None:
                raise error(message)
            return value

        return asked
    return lambda value, name, nothing=None: value
