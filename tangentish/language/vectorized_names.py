"""A name for `np.vectorize(f)` that is only called, as one for f.

g = np.vectorize(f)        ->    g = f
y = g(x)                   ->    y = np.vectorize(g)(x)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import named_member
from tangentish.language.placed import at, name_at, rebuilt

__all__ = ["without_vectorized_names"]

Find = Callable[[str], object]


def without_vectorized_names(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements with np.vectorize where it is called."""
    nodes = [node for statement in statements for node in gast.walk(statement)]
    names = {name: value for node in nodes for name, value in _vectorized(node, find)}
    if not names:
        return list(statements)
    bound = [n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    handed_on = {
        n.id for n in nodes
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in called
    }  # fmt: skip
    names = {n: v for n, v in names.items() if bound.count(n) == 1 and n not in handed_on}
    return [_plain(statement, names) for statement in statements]


def _vectorized(node: Any, find: Find) -> list[tuple[str, Any]]:
    """The name that a statement gives to a vectorized function."""
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=[_]) as value):
            made = named_member(value.func, np, find) is np.vectorize
            return [(name, value)] if made else []
    return []


def _plain(statement: Any, names: dict[str, Any]) -> Any:
    def part(value: Any) -> Any:
        if isinstance(value, list):
            return [part(item) for item in value]
        if isinstance(value, gast.expr):
            return ir.copy_expression(value, call)
        inner = (gast.stmt, gast.excepthandler, gast.match_case, gast.withitem)
        return _plain(value, names) if isinstance(value, inner) else value

    def call(node: Any) -> Any | None:
        match node:
            case gast.Call(func=gast.Name(id=name)) if name in names:
                made = names[name]
                function = at(gast.Call(made.func, [name_at(name, node)], made.keywords), node)
                args = [ir.copy_expression(arg, call) for arg in node.args]
                keywords = [
                    at(gast.keyword(k.arg, ir.copy_expression(k.value, call)), k)
                    for k in node.keywords
                ]
                return at(gast.Call(function, args, keywords), node)
        return None

    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=[made])) if (
            names.get(name) is statement.value
        ):
            return at(gast.Assign(statement.targets, made, None), statement)
    return rebuilt(statement, part)
