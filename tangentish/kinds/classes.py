"""Classes of the user's: whether the attributes of an object are what it holds, and its methods those of its class."""

from __future__ import annotations

import sys
import types

__all__ = ["hides_a_method", "has_plain_attributes", "is_of_a_library"]


def has_plain_attributes(kind: type) -> bool:
    """Whether the attributes of a class of the user's are what its objects hold, and nothing more."""
    if kind is types.SimpleNamespace:
        return True
    custom = any(
        "__getattribute__" in vars(c) or "__getattr__" in vars(c) for c in kind.__mro__[:-1]
    )
    return (
        not custom
        and not is_of_a_library(kind)
        and not issubclass(kind, (type, BaseException, tuple, list, dict))
    )


def is_of_a_library(kind: type) -> bool:
    """Whether this is a class of Python's or of a library that is known: none of the user's."""
    outer = (kind.__module__ or "").partition(".")[0]
    return outer in sys.stdlib_module_names or outer in LIBRARIES


LIBRARIES = {"numpy", "scipy", "cupy", "numba", "pandas", "sklearn", "matplotlib"}


def hides_a_method(value: object) -> bool:
    """Whether an object holds something under the name of a method of its class."""
    held: dict[str, object] = getattr(value, "__dict__", {})
    above = type(value).__mro__[:-1]
    return any(isinstance(vars(cls).get(name), _METHODS) for name in held for cls in above)


_METHODS = (types.FunctionType, staticmethod, classmethod)
