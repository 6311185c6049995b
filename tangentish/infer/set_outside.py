"""Whether the program sets a name outside. A global name of a module is an attribute of that module as well."""

from __future__ import annotations

import sys
import types
from collections.abc import Hashable, Set

from tangentish.infer.known_functions import is_of_library
from tangentish.kinds.sites import attributes_of
from tangentish.language.declared import place_of
from tangentish.language.source import Source

_DEFINITIONS = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


def is_name_set(source: Source, name: str, changed: Set[Hashable]) -> bool:
    """Whether a name outside is bound, so that it is not what it was."""
    if not changed:
        return False
    return place_of(source, name) in changed or _is_set_in_module(source, name, changed)


def _is_set_in_module(source: Source, name: str, changed: Set[Hashable]) -> bool:
    """Whether attributes of the module are set where a global name holds no function, class or module."""
    space = source.function.__globals__
    module = sys.modules.get(str(space.get("__name__")))
    if module is None or attributes_of(module) not in changed or vars(module) is not space:
        return False
    return source.where(name) == "global" and not isinstance(space[name], _DEFINITIONS)


def is_attribute_set(owner: object, name: str, changed: Set[Hashable]) -> bool:
    """Whether a module or a class may not have under a name what it had."""
    above = owner.__mro__ if isinstance(owner, type) else (owner,)
    if any(attributes_of(each) in changed for each in above):
        return True
    return isinstance(owner, types.ModuleType) and (id(vars(owner)), name) in changed


def has_only_names(value: object) -> bool:
    """Whether all that a value has is noted where it is set: modules, classes, and what libraries give."""
    if isinstance(value, (type, types.ModuleType)):
        return True
    return not isinstance(value, types.FunctionType) and is_of_library(type(value))
