"""The parameters of a function of the user's, and which argument of a call each takes."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

__all__ = ["bind_arguments", "defaults_of", "parameter_names"]


def parameter_names(function: types.FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def defaults_of(function: types.FunctionType) -> dict[str, Any]:
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    return {
        **dict(zip(positional[len(positional) - len(values) :], values, strict=True)),
        **(function.__kwdefaults__ or {}),
    }


def bind_arguments(
    function: types.FunctionType, args: Sequence[Any], keywords: dict[str, Any]
) -> tuple[Any, ...] | str:
    """The argument of each parameter, None for a default; a message where the call does not fit."""
    code = function.__code__
    if code.co_flags & 0x0C:
        return f"{function.__name__} takes *args or **kwargs: not supported yet"
    names = parameter_names(function)
    if len(args) > code.co_argcount:
        return f"{function.__name__} takes {code.co_argcount} positional arguments"
    bound = dict(zip(names, args, strict=False))
    for name, value in keywords.items():
        if name not in names or name in bound or name in names[: code.co_posonlyargcount]:
            return f"{function.__name__} can't take the argument '{name}' here"
        bound[name] = value
    missing = [n for n in names if n not in bound and n not in defaults_of(function)]
    if missing:
        return f"{function.__name__} misses the argument '{missing[0]}'"
    return tuple(bound.get(name) for name in names)
