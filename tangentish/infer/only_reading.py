"""Functions that are called for an order only (`key=`): nothing that they do may be seen later but what they give."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.known_functions import is_user_code
from tangentish.language.source import Source, read_source

DEEPEST = 4  # functions that call functions
_CHANGING = (
    gast.Global, gast.Nonlocal, gast.Delete, gast.With, gast.AugAssign, gast.NamedExpr, gast.Yield, gast.YieldFrom,
    gast.Await, gast.Import, gast.ImportFrom,
)  # fmt: skip


def only_reads(function: Any, is_known: Callable[[str], bool], depth: int = DEEPEST) -> bool:
    """Whether a function changes nothing outside of it, as far as its text and those that it calls can tell.

    is_known: whether a function that it captures has been looked at in the same way.
    """
    if not isinstance(function, types.FunctionType):
        return not changes_what_it_gets(function, None)
    if not is_user_code(function):
        return True
    if depth == 0:
        return False
    source = read_source(function)
    return all(_is_quiet(node, source, is_known, depth) for node in gast.walk(source.tree))


def _is_quiet(node: Any, source: Source, is_known: Callable[[str], bool], depth: int) -> bool:
    match node:
        case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
            return False
        case gast.Call(func=gast.Name(id=name)):
            return is_known(name) or _names_reader(name, source, is_known, depth)
        case gast.Call(func=gast.Attribute() as method):
            return _of_module(method, source) or not changes_what_it_gets(None, method)
        case gast.Call():
            return False
    return not isinstance(node, _CHANGING)


def _names_reader(name: str, source: Source, is_known: Callable[[str], bool], depth: int) -> bool:
    try:
        found = source.lookup(name)
    except NameError:
        return False
    return only_reads(found, is_known, depth - 1)


def _of_module(method: Any, source: Source) -> bool:
    """Whether `np.linalg.norm` is a function of a library that changes nothing that it is given."""
    path = [method.attr]
    while isinstance(method.value, gast.Attribute):
        method = method.value
        path.append(method.attr)
    if not isinstance(method.value, gast.Name):
        return False
    try:
        found: Any = source.lookup(method.value.id)
    except NameError:
        return False
    for name in reversed(path) if isinstance(found, types.ModuleType) else ():
        found = getattr(found, name, None)
    return callable(found) and only_reads(found, lambda _: False, 1) and not is_user_code(found)
