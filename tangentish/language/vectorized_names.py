"""A name for `np.vectorize(f)` that is only called, as one for f.

g = np.vectorize(f)        ->    g = f
y = g(x)                   ->    y = np.vectorize(g)(x)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at, name_at
from tangentish.language.rewriting import Rewriting


def without_vectorized_names(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements with np.vectorize where it is called."""
    lines = ir.nodes_of(statements, gast.Assign)
    names = {name: value for line in lines for name, value in _vectorized(line, find)}
    if not names:
        return list(statements)
    nodes = [node for statement in statements for node in gast.walk(statement)]
    bound = [n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    handed_on = {
        n.id for n in nodes
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in called
    }  # fmt: skip
    names = {n: v for n, v in names.items() if bound.count(n) == 1 and n not in handed_on}
    return _Plain(names).block(statements)


def _vectorized(node: Any, find: Find) -> list[tuple[str, Any]]:
    """The name that a statement gives to a vectorized function."""
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=[_]) as value):
            made = named_member(value.func, np, find) is np.vectorize
            return [(name, value)] if made else []
    return []


class _Plain(Rewriting):
    """Rewriting: the names, and the calls of np.vectorize that they stand for."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=[made])) if (
                self.names.get(name) is node.value
            ):
                yield at(gast.Assign(node.targets, made, None), node)
                return
        yield from super().statement(node)

    def call(self, node: Any) -> Any | None:
        match node:
            case gast.Call(func=gast.Name(id=name)) if name in self.names:
                made = self.names[name]
                function = at(gast.Call(made.func, [name_at(name, node)], made.keywords), node)
                args = list(map(self.expression, node.args))
                keywords = [
                    at(gast.keyword(k.arg, self.expression(k.value)), k) for k in node.keywords
                ]
                return at(gast.Call(function, args, keywords), node)
        return None
