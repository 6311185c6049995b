"""What stands for a function in a pickle: the object that its module knows under its name."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any


def named_object(function: FunctionType) -> Any:
    """What the function's module holds under its qualified name, None where there is nothing."""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


def reference(function: FunctionType) -> Any:
    """The decorated function where the name leads to that, else the function itself."""
    found = named_object(function)
    return found if getattr(found, "__wrapped__", None) is function else function
