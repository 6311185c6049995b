"""Objects of the user's classes: their methods and properties are functions that get the object first."""

from __future__ import annotations

import sys
import types
from typing import Any

from tangentish.infer.known_functions import has_rule, is_user_code
from tangentish.kinds import Kind, Opaque, Tup
from tangentish.kinds.classes import member_of
from tangentish.kinds.kept_attributes import function_kept
from tangentish.language.source import Source


def method_of(kind: Kind, name: str) -> tuple[types.FunctionType, bool] | None:
    """The function of a method, and whether it gets the object."""
    member = _member(kind, name)
    if isinstance(member, staticmethod):
        function: Any = member.__func__
        written = isinstance(function, types.FunctionType)
        return (function, False) if written or has_rule(function) else None
    return (member, True) if isinstance(member, types.FunctionType) else None


def gets_class(kind: Kind, name: str) -> bool:
    """Whether a method of an object gets its class, and not the object."""
    return isinstance(_member(kind, name), classmethod)


def property_of(kind: Kind, name: str) -> types.FunctionType | None:
    """The function that gives a property of an object its value."""
    member = _member(kind, name)
    getter = member.fget if isinstance(member, property) else None
    if is_kept(member) and isinstance(kind, Tup) and kind.active:
        getter = function_kept(member)
    return getter if isinstance(getter, types.FunctionType) else None


def is_kept(member: object) -> bool:
    """Whether what a class has under a name is asked once for each object, which keeps what it gave."""
    return function_kept(member) is not None


def setter_of(kind: Kind, name: str) -> types.FunctionType | None:
    """The function that a store to a property of an object calls."""
    member = _member(kind, name)
    setter: Any = member.fset if isinstance(member, property) else None
    plain = isinstance(setter, types.FunctionType) and is_user_code(setter)
    return setter if plain else None


def is_shared(kind: Kind, name: str) -> bool:
    """Whether a name is an attribute of the object's class that is no function: any value, at any time another."""
    cls = kind.type if isinstance(kind, Tup) and kind.position(name) is None else None
    member = _NOTHING if cls is None else member_of(cls, name, _NOTHING)
    return member is not _NOTHING and not hasattr(type(member), "__get__")


_NOTHING = object()


def is_static(kind: Kind, name: str) -> bool:
    """Whether a name is a method that does not get the object."""
    found = method_of(kind, name)
    return found is not None and not found[1]


def has_own_setattr(cls: type) -> bool:
    """Whether a class defines what a store to an attribute does."""
    own = (
        c for c in cls.__mro__[:-1] if c is not types.SimpleNamespace
    )  # its own is the plain one
    return any("__setattr__" in vars(c) for c in own)


def stores_itself(kind: Kind, name: str) -> bool:
    """Whether a store to an attribute may do anything else than bind it."""
    cls = getattr(kind, "type", None)
    if not isinstance(cls, type) or has_own_setattr(cls):
        return True
    member = member_of(cls, name)
    if isinstance(member, types.MemberDescriptorType):
        return False  # a slot
    return not cls.__dictoffset__ or hasattr(type(member), "__set__")


def _member(kind: Kind, name: str) -> Any:
    """What the class of an object has under a name that the object itself does not hide."""
    match kind:
        case Tup(type=cls) if cls is not None and kind.position(name) is None:
            pass
        case Opaque(type=cls) if cls is not None:
            pass
        case _:
            return None
    if _finds_itself(cls) and not (name.startswith("__") and name.endswith("__")):
        return None
    member = member_of(cls, name)
    inner = function_kept(member) if is_kept(member) else getattr(member, "fget", member)
    function = getattr(member, "__func__", inner)
    plain = isinstance(function, types.FunctionType) and is_user_code(function)
    return member if plain or (isinstance(member, staticmethod) and has_rule(function)) else None


def _finds_itself(cls: type) -> bool:
    """Whether a class says what its objects have under any name; operators and calls don't ask it."""
    return any(
        isinstance(vars(c).get("__getattribute__"), types.FunctionType) for c in cls.__mro__[:-1]
    )


def name_of_class(of: object, source: Source) -> str | None:
    """A name that is a class where a function reads it."""

    def is_class_here(name: str) -> bool:
        try:
            return source.where(name) is not None and source.lookup(name) is of
        except NameError:  # a variable of the function around it
            return False

    names = (getattr(of, "__name__", ""), *source.function.__globals__)
    found = (str(n) for n in (*source.function.__code__.co_freevars, *names) if is_class_here(n))
    return next(found, None)


def path_of_class(of: type, source: Source) -> str | None:
    """A name that is a class where a function reads it, or the path to it through its module."""
    name = name_of_class(of, source)
    module = sys.modules.get(of.__module__)
    if name is not None or getattr(module, of.__name__, None) is not of:
        return name
    within = name_of_class(module, source)
    return within and f"{within}.{of.__name__}"
