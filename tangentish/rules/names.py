"""What the names in the text of a rule stand for."""

from __future__ import annotations

import builtins
import importlib
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary

from tangentish import runtime

__all__ = ["MODULES", "given_name", "is_helper", "lookup", "named"]

MODULES = {"np": "numpy", "math": "math", "scipy": "scipy"}
"""The modules that rules name, and generated code with them."""


def lookup(name: str) -> object:
    """The object that a dotted name stands for: "np.linalg.inv", "math.exp", "abs", "unbroadcast"."""
    head, *path = name.split(".")
    found: object = named(head)
    for part in path:
        found = getattr(found, part)
    return found


_GIVEN: WeakValueDictionary[str, Any] = WeakValueDictionary()


def given_name(function: FunctionType) -> str:
    """A name for a function of the user's that may have none where it is called."""
    name = f"{function.__name__.strip('<>')}:{id(function)}"
    _GIVEN[name] = function
    return f"${name}"


def named(name: str) -> object:
    """What a name in a rule stands for: a module, a helper of runtime, a builtin, or what was given."""
    if ":" in name:
        return _GIVEN[name]
    if name in MODULES:
        return importlib.import_module(MODULES[name])
    return getattr(runtime, name, None) or getattr(builtins, name)


def is_helper(function: object) -> bool:
    """Whether generated code calls this function of runtime."""
    return (getattr(function, "__module__", None) or "").startswith(runtime.__name__)
