"""Which names a part of a function's text binds, stores to and loads."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir


def names_loaded(node: Any) -> set[str]:
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}


def names_stored(target: Any) -> Iterator[str]:
    """The names that are bound, and those whose values are stored to."""
    match target:
        case gast.Name(id=name):
            yield name
        case gast.Subscript(value=value) | gast.Attribute(value=value) | gast.Starred(value=value):
            yield from names_stored(value)
        case gast.Tuple() | gast.List() | gast.arguments():
            for part in gast.iter_child_nodes(target):
                yield from names_stored(part)


def imported(node: Any) -> Iterator[tuple[str, object]]:
    """What a line of the text imports, as far as it is loaded."""
    match node:
        case gast.Import(names=names):
            for alias in names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, sys.modules.get(whole)
        case gast.ImportFrom(module=module, names=names):
            owner = sys.modules.get(str(module))
            for alias in names:
                yield alias.asname or alias.name, getattr(owner, alias.name, None)


def bindings(node: Any) -> Iterator[tuple[Any, Any]]:
    match node:
        case gast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case (
            gast.AugAssign(target=target, value=value)
            | gast.AnnAssign(target=target, value=value)
            | gast.NamedExpr(target=target, value=value)
            | gast.For(target=target, iter=value)
            | gast.comprehension(target=target, iter=value)
            | gast.withitem(optional_vars=target, context_expr=value)
        ):
            yield target, value


def names_bound(target: Any) -> Iterator[str]:
    """The names that are bound."""
    match target:
        case gast.Name(id=name):
            yield name
        case gast.Tuple() | gast.List() | gast.Starred():
            for part in gast.iter_child_nodes(target):
                yield from names_bound(part)


def is_class_of(node: Any) -> bool:
    """`type(x)`, `x.__class__`"""
    match node:
        case gast.Call(func=gast.Name(id="type"), args=[_]) | gast.Attribute(attr="__class__"):
            return True
    return False


def is_above(node: Any) -> bool:
    """`super()`"""
    return (
        isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "super"
    )


def start_above(function: types.FunctionType, body: list[Any]) -> Any:
    """The `super()` whose `__init__` an `__init__` calls in its first line."""
    lines = [
        s for s in body if not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant))
    ]
    match lines[:1]:
        case [gast.Expr(value=gast.Call(func=gast.Attribute(value=value, attr="__init__")))]:
            return value if function.__name__ == "__init__" and is_above(value) else None
    return None


def nodes_in(statement: Any) -> list[Any]:
    """The nodes of a statement, those around others first."""
    found = [statement]
    for node in found:
        if node.__class__ is not gast.Name:
            found += ir.children(node)
        elif node.annotation is not None:
            found.append(node.annotation)
    return found
