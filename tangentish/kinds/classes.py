"""Classes of the user's: whether the attributes of an object are what it holds, and its methods those of its class."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tangentish.kinds.homes import is_of_python


def has_plain_attributes(kind: type) -> bool:
    """Whether the attributes of a class of the user's are what its objects hold, and nothing more."""
    if kind is types.SimpleNamespace:
        return True
    for c in kind.__mro__[:-1]:  # asked at every call: a class may change
        own = c.__dict__
        if "__getattr__" in own or "__getattribute__" in own:
            return False
    return _is_users(kind)


@lru_cache(256)
def _is_users(kind: type) -> bool:
    return not is_of_a_library(kind) and not issubclass(kind, _HOLDING_MORE)


def holds_attributes(kind: type) -> bool:
    """Whether objects of a class have a dict or slots for attributes."""
    return bool(kind.__dictoffset__) or bool(slots_of(kind))


def slots_of(kind: type) -> tuple[str, ...]:
    """The names of the slots of a class, those of what it is made from first."""
    if not any("__slots__" in vars(cls) for cls in kind.__mro__):
        return ()
    members = {name: member for cls in reversed(kind.__mro__) for name, member in _slots(cls)}
    found = {name: member_of(kind, name) for name in members}
    return tuple(name for name, member in members.items() if found[name] is member)


def _slots(cls: type) -> Iterator[tuple[str, object]]:
    if "__slots__" in vars(cls):
        yield from ((n, m) for n, m in vars(cls).items() if type(m) is types.MemberDescriptorType)


def member_of(kind: type, name: str, default: Any = None) -> Any:
    """What objects find in their class as it stands there: no descriptor is asked, nor the metaclass."""
    return next((vars(cls)[name] for cls in kind.__mro__ if name in vars(cls)), default)


def attributes_held(value: object) -> dict[str, object]:
    """What an object of a class with plain attributes holds: in its slots, and in its dict."""
    in_dict: dict[str, object] = getattr(value, "__dict__", {})
    slots = slots_of(type(value))
    if not slots:
        return in_dict
    return {name: getattr(value, name) for name in slots if hasattr(value, name)} | in_dict


def is_of_a_library(kind: type) -> bool:
    """Whether this is a class of Python's or of a library that is known: none of the user's."""
    home = kind.__module__ or ""
    return home.partition(".")[0] in LIBRARIES or is_of_python(home)


_HOLDING_MORE = (
    type, BaseException, tuple, list, dict, set, frozenset, int, float, complex, str, bytes,
)  # fmt: skip
"""What an object of a class made from one of these is, its attributes do not tell."""

LIBRARIES = {"numpy", "scipy", "cupy", "numba", "pandas", "sklearn", "matplotlib"}


def hides_a_method(value: object) -> bool:
    """Whether an object holds something under the name of a method of its class."""
    held: dict[str, object] = getattr(value, "__dict__", {})
    owned = ((vars(cls), held.keys() & vars(cls).keys()) for cls in type(value).__mro__[:-1])
    return any(isinstance(own[name], _METHODS) for own, both in owned for name in both)


_METHODS = (types.FunctionType, staticmethod, classmethod)


def is_as_a_module(value: object) -> bool:
    """Whether an object stands for a module: it holds modules only, and its class only gives what is asked."""
    answers = isinstance(member_of(type(value), "__getattr__"), types.FunctionType)
    if not answers or is_of_a_library(type(value)):
        return False
    held = getattr(value, "__dict__", None)
    if held is None or not all(isinstance(one, types.ModuleType) for one in held.values()):
        return False
    return all(vars(cls).keys() <= _OF_ANSWERING for cls in type(value).__mro__[:-1])


_OF_ANSWERING = {
    "__annotations__", "__dict__", "__dir__", "__doc__", "__firstlineno__", "__getattr__", "__init__", "__module__",
    "__repr__", "__static_attributes__", "__weakref__",
}  # fmt: skip
