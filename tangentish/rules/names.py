"""What the names in the text of a rule stand for."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary

from tangentish import runtime

MODULES = {
    "np": "numpy",
    "math": "math",
    "cmath": "cmath",
    "operator": "operator",
    "bisect": "bisect",
    "itertools": "itertools",
    "functools": "functools",
    "collections": "collections",
    "scipy": "scipy",
}
"""The modules that rules name, and generated code with them."""


@dataclass(frozen=True, eq=False)
class Twin:
    """A function that is called in place of another, which saves what the other's rule reads.

    It has a rule in this place only: called by anyone else it is a function like any other.
    """

    function: Callable[..., Any]

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


KEPT: dict[str, object] = {}
"""Functions of rules of the user's, by the names under which generated code calls them."""


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
        return KEPT[name] if name in KEPT else _GIVEN[name]
    if name in MODULES:
        return importlib.import_module(MODULES[name])
    return getattr(runtime, name, None) or getattr(builtins, name)


def bound(name: str) -> object:
    """What generated code has under a name."""
    found = named(name)
    return found.function if isinstance(found, Twin) else found


def give_name(function: Any, otherwise: str) -> str:
    """A name by which generated code can call a function of a rule of the user's: its own, if it has one."""
    inner = function.function if isinstance(function, Twin) else function
    own = str(getattr(inner, "__name__", "_"))
    stem = own if own.isidentifier() and own.strip("_") else otherwise
    name = f"{stem}:{id(function)}"
    KEPT[name] = function
    return name


def is_name_of_helper(name: str) -> bool:
    """Whether generated code may call a helper of runtime by this name."""
    return name in runtime.__all__


def is_helper(function: object) -> bool:
    """Whether generated code calls this function of runtime."""
    return (getattr(function, "__module__", None) or "").startswith(runtime.__name__)
