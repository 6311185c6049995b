"""A store evaluates its value before its index, whose calls may change what the value reads.

y[stack.pop()] = y[len(stack)]    ->    t = y[len(stack)]; y[stack.pop()] = t
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import LIBRARY, Find, named_member
from tangentish.language.nested import Closure

_MODULES = (*LIBRARY, "cmath", "cupy")
_QUIET = {
    int, len, range, slice, min, max, abs, round, float, bool, tuple, sum, divmod, pow,
}  # fmt: skip


_CALLING: dict[Any, int] = {
    np.piecewise: 2, np.fromfunction: 0, np.apply_along_axis: 0, np.apply_over_axes: 0,
}  # fmt: skip
"""Functions of NumPy that call what they are given, and which of their arguments that is."""

# Of these, as of a < b < c, a part is evaluated on one way only, or several times.
_BRANCHING = (
    gast.IfExp, gast.BoolOp, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp,
)  # fmt: skip


def calls_in_places(target: Any, find: Find) -> list[Any]:
    """The calls in the indices of a target that may change something, in the order of their evaluation.

    Of a choice and a comprehension with such a call in it, the whole; so of an index that reads something beside one,
    or before one.
    """
    parts = list(index_parts(target))
    last = max((k for k, part in enumerate(parts) if may_change_something(part, find)), default=-1)
    found: list[Any] = []
    for part in parts[: last + 1]:
        calls = list(_calls(part, find))
        found += [part] if _reads(part, calls, find) else calls
    return found


def with_names(
    target: Any, parts: list[tuple[str, Any]], origin: ir.Origin
) -> tuple[list[ir.Statement], Any]:
    """The lines that give names to parts of a place, and the place by these names."""
    instead = {id(part): gast.copy_location(ir.name(name), part) for name, part in parts}
    lines: list[ir.Statement] = [ir.Assign(ir.name(name), part, origin) for name, part in parts]
    return lines, ir.copy_expression(target, lambda n: instead.get(id(n)))


def index_parts(target: Any) -> Iterator[Any]:
    """What is evaluated to find a place, in order."""
    if not isinstance(target, gast.Subscript):
        return
    yield from index_parts(target.value)
    for part in ir.parts_of(target.slice):
        yield from ir.bounds_of(part)


def _reads(part: Any, calls: list[Any], find: Find) -> bool:
    """Whether an element or an attribute is read outside of these calls."""
    if part in calls or _is_of_module(part, find):
        return False
    return isinstance(part, (gast.Attribute, gast.Subscript)) or any(
        _reads(child, calls, find) for child in gast.iter_child_nodes(part)
    )


def may_change_something(node: Any, find: Find) -> bool:
    """Whether a call of what is no function of a module, nor a builtin without effect, stands in an expression."""
    return any(True for _ in _calls(node, find))


def _calls(node: Any, find: Find) -> Iterator[Any]:
    if isinstance(node, gast.Lambda):
        return
    if isinstance(node, gast.Call) and (
        not _is_quiet(node.func, find) or _calls_another(node, find)
    ):
        yield node
        return
    if _is_branching(node):
        if any(True for child in gast.iter_child_nodes(node) for _ in _calls(child, find)):
            yield node
        return
    for child in gast.iter_child_nodes(node):
        yield from _calls(child, find)


def _is_branching(node: Any) -> bool:
    chained = isinstance(node, gast.Compare) and len(node.comparators) > 1
    return chained or isinstance(node, _BRANCHING)


def _calls_another(node: Any, find: Find) -> bool:
    """Whether this calls a function that it is given, and that may change something."""
    called = [k.value for k in node.keywords if k.arg == "key"]
    place = 0 if named_member(node.func, functools, find) is functools.reduce else None
    if isinstance(node.func, gast.Attribute):
        place = _CALLING.get(named_member(node.func, np, find), place)
    if place is not None:
        called += node.args[place : place + 1]
    return any(_may_change_when_called(function, find) for function in called)


def _may_change_when_called(function: Any, find: Find) -> bool:
    match function:
        case Closure(function=made):  # of operators alone
            return bool(made.__code__.co_names or made.__code__.co_freevars)
        case gast.Name() | gast.Attribute():
            return not _is_quiet(function, find)
        case gast.List(elts=parts) | gast.Tuple(elts=parts):
            return any(_may_change_when_called(part, find) for part in parts)
    return not isinstance(function, (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Subscript))


def _is_quiet(func: Any, find: Find) -> bool:
    match func:
        case gast.Name(id=name):
            return any(find(name) is one for one in _QUIET)
    return _is_of_module(func, find)


def _is_of_module(path: Any, find: Find) -> bool:
    """np.linalg.norm, np.newaxis"""
    root = path
    while isinstance(root, gast.Attribute):
        root = root.value
    module = find(root.id) if isinstance(root, gast.Name) else None
    return isinstance(module, types.ModuleType) and module.__name__.partition(".")[0] in _MODULES
