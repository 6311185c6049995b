"""The code that Python has compiled a function to: the functions inside it, and what names it has a use for."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Mapping


def codes_within(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of all that are defined inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_within(constant)


def instructions_of(code: types.CodeType) -> list[dis.Instruction]:
    """The instructions of a function, without the room that the interpreter keeps between them."""
    return [step for step in dis.get_instructions(code) if step.opname != "CACHE"]


def codes_of_space(space: Mapping[str, object]) -> Iterator[types.CodeType]:
    """The code of the functions of a module or a class, and of those inside of them."""
    for value in list(space.values()):
        members = list(vars(value).values()) if issubclass(type(value), type) else [value]
        for function in map(_function_of, members):
            if type(function) is types.FunctionType:
                yield from codes_within(function.__code__)


def _function_of(member: object) -> object:
    """The function of a method or a property; the objects of a module are asked nothing."""
    if issubclass(type(member), (staticmethod, classmethod, types.MethodType)):
        return member.__func__  # type: ignore[attr-defined]
    return member.fget if issubclass(type(member), property) else member  # type: ignore[attr-defined]


def stores_attribute(code: types.CodeType, name: str) -> bool:
    """Whether a function binds or deletes an attribute of this name, of whatever object."""
    if name not in code.co_names:
        return False
    storing = (i for i in dis.get_instructions(code) if i.opname in ("STORE_ATTR", "DELETE_ATTR"))
    return any(i.argval == name for i in storing)


def names_of(code: types.CodeType) -> frozenset[str]:
    """Variables, attributes and what is found outside, without those of functions inside."""
    return frozenset((*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars))


def unused_in(code: types.CodeType, name: str) -> str:
    """A name for a variable that is made, which the function has no other use for."""
    taken = names_of(code)
    while name in taken:
        name += "_"
    return name
