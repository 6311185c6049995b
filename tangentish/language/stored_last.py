"""A store evaluates its value before its index, whose calls may change what the value reads.

y[stack.pop()] = y[len(stack)]    ->    t = y[len(stack)]; y[stack.pop()] = t
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import gast

__all__ = ["calls_in_places"]

_QUIET = {
    int, len, range, slice, min, max, abs, round, float, bool, tuple, sum, divmod, pow,
}  # fmt: skip


def calls_in_places(target: Any, find: Callable[[str], object]) -> list[Any]:
    """The calls in the indices of a target that may change something, in the order of their evaluation."""
    if not isinstance(target, gast.Subscript):
        return []
    return calls_in_places(target.value, find) + list(_calls(target.slice, find))


def _calls(node: Any, find: Callable[[str], object]) -> Iterator[Any]:
    if isinstance(node, gast.Call) and not _is_quiet(node.func, find):
        yield node
        return
    for child in gast.iter_child_nodes(node):
        yield from _calls(child, find)


def _is_quiet(func: Any, find: Callable[[str], object]) -> bool:
    match func:
        case gast.Name(id=name):
            return any(find(name) is one for one in _QUIET)
    root = func
    while isinstance(root, gast.Attribute):
        root = root.value
    return isinstance(root, gast.Name) and isinstance(find(root.id), types.ModuleType)
