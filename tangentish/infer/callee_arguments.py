"""The parameters of a function of the user's, and which argument of a call each takes."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.kinds import Kind, Known
from tangentish.language.binding import parameter_names, starred_names
from tangentish.language.nested import nested_of

ANOTHER_CLASS = (
    "this object is of one class at first and of another later: give each a name of its own"
)


def stands_for_class(call: Any, kind: Callable[[Any], Kind]) -> bool:
    """`o.f(x)`, where o was an object that is taken apart, and its class is left of it."""
    match call:
        case gast.Call(func=gast.Attribute(value=gast.Name() as owner)):
            return ir.is_own_name(owner) and isinstance(kind(owner), Known)
    return False


def defaults_of(function: types.FunctionType) -> dict[str, Any]:
    """The values of defaults that exist; a literal node, or the name of a variable, for those that do not yet."""
    nested = nested_of(function)
    if nested is not None:
        return nested.defaults
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    return {
        **dict(zip(positional[len(positional) - len(values) :], values, strict=True)),
        **(function.__kwdefaults__ or {}),
    }


def bind_arguments(
    function: types.FunctionType, args: Sequence[Any], keywords: dict[str, Any]
) -> dict[str, Any] | str:
    """The argument of each parameter, None for a default; a message where the call does not fit.

    That of `*args` is a tuple of nodes, or one node for all of them; that of `**kwargs` a dict of nodes.
    """
    code = function.__code__
    name = function.__name__
    plain = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    rest, named = _starred(function)
    if len(args) > code.co_argcount and rest is None:
        return f"{name} takes {code.co_argcount} positional arguments"
    bound: dict[str, Any] = dict(zip(plain[: code.co_argcount], args, strict=False))
    others: dict[str, Any] = {}
    for key, value in keywords.items():
        if key in plain and key not in bound and key not in plain[: code.co_posonlyargcount]:
            bound[key] = value
        elif named is not None and key not in others and key not in bound:
            others[key] = value
        else:
            return f"{name} can't take the argument '{key}' here"
    missing = [n for n in plain if n not in bound and n not in defaults_of(function)]
    if missing:
        return f"{name} misses the argument '{missing[0]}'"
    if rest is not None:
        others_given = tuple(args[code.co_argcount :])
        spread = [arg.value for arg in others_given if isinstance(arg, gast.Starred)]
        bound[rest] = spread[0] if spread else others_given
    if named is not None:
        bound[named] = others
    return {n: bound.get(n) for n in parameter_names(function)}


def _starred(function: types.FunctionType) -> tuple[str | None, str | None]:
    """The names of `*args` and of `**kwargs`."""
    names = list(starred_names(function))
    rest = names.pop(0) if function.__code__.co_flags & inspect.CO_VARARGS else None
    return rest, names[0] if names else None
