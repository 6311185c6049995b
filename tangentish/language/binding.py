"""Binding the arguments of a call to parameters, as Python itself does it, with Python's own
errors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any


def parameter_names(function: FunctionType) -> tuple[str, ...]:
    """The names of the parameters in the order of the signature: `*args` stands before keyword-only
    ones.
    """
    positional, star, keyword_only, double_star = _groups(function)
    return (*positional, *star, *keyword_only, *double_star)


def starred_names(function: FunctionType) -> tuple[str, ...]:
    """The names of `*args` and `**kwargs`."""
    _, star, _, double_star = _groups(function)
    return (*star, *double_star)


def takes_any_keyword(function: FunctionType) -> bool:
    """Whether there is a `**kwargs`, which stands last."""
    return bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)


def binder(function: FunctionType) -> Callable[..., tuple[object, ...]]:
    """A function with the signature of `function` that returns what its parameters are bound to.

    Binding runs at the speed of a call, fills in the defaults, and a wrong number of arguments or
    an unknown keyword raises the very TypeError that a call of `function` raises.
    """
    namespace: dict[str, FunctionType] = {}
    exec(
        f"def bind({signature_text(function)}): return ({_tuple_of(parameter_names(function))})",
        namespace,
    )
    bind = FunctionType(namespace["bind"].__code__, {}, function.__name__, function.__defaults__)
    bind.__kwdefaults__ = function.__kwdefaults__
    bind.__qualname__ = function.__qualname__
    return bind


def spread(function: FunctionType, values: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call that binds the parameters to these values, in the order of the signature."""
    positional, star, keyword_only, double_star = _groups(function)
    given = dict(zip(parameter_names(function), values, strict=True))
    args = (*(given[name] for name in positional), *(v for name in star for v in given[name]))
    keywords = {name: given[name] for name in keyword_only}
    for name in double_star:
        keywords |= given[name]
    return args, keywords


def _groups(function: FunctionType) -> tuple[tuple[str, ...], ...]:
    code = function.__code__
    names = code.co_varnames
    first = code.co_argcount
    second = first + code.co_kwonlyargcount
    third = second + bool(code.co_flags & inspect.CO_VARARGS)
    fourth = third + takes_any_keyword(function)
    return names[:first], names[second:third], names[first:second], names[third:fourth]


def signature_text(function: FunctionType) -> str:
    """The parameters as source text, without defaults."""
    positional, star, keyword_only, double_star = _groups(function)
    only = function.__code__.co_posonlyargcount
    slash = ("/",) if only else ()
    bare_star = ("*",) if keyword_only and not star else ()
    return ", ".join(
        (
            *positional[:only],
            *slash,
            *positional[only:],
            *(f"*{name}" for name in star),
            *bare_star,
            *keyword_only,
            *(f"**{name}" for name in double_star),
        )
    )


def _tuple_of(names: tuple[str, ...]) -> str:
    return "".join(f"{name}, " for name in names)
