"""What the name of a member of a module stands for, however it was imported."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

Find = Callable[[str], object]
"""What a name stands for where the function stands."""

LIBRARY = ("numpy", "math", "operator", "functools", "itertools", "scipy")
"""Modules whose functions leave what they are given as it is, but for those that are known not to."""


def named_member(func: Any, module: types.ModuleType, find: Find) -> Any:
    """What `name` or `module.name` stands for; None for all else, and for what the module does not have."""
    match func:
        case gast.Name(id=name):
            return find(name)
        case gast.Attribute(value=gast.Name(id=name), attr=attr) if find(name) is module:
            return getattr(module, attr, None)
    return None
