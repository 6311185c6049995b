"""The code that Python has compiled a function to: the functions inside it, and what names it has a use for."""

from __future__ import annotations

import types
from collections.abc import Iterator

__all__ = ["codes_within", "names_of", "unused_in"]


def codes_within(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of all that are defined inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_within(constant)


def names_of(code: types.CodeType) -> frozenset[str]:
    """Variables, attributes and what is found outside, without those of functions inside."""
    return frozenset((*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars))


def unused_in(code: types.CodeType, name: str) -> str:
    """A name for a variable that is made, which the function has no other use for."""
    taken = names_of(code)
    while name in taken:
        name += "_"
    return name
