"""Comprehensions: their variables get names that neither the function uses itself nor a comprehension around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from tangentish import ir

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def with_own_names(statements: Sequence[Any], parameters: Iterable[str]) -> list[Any]:
    """The statements, every variable of a comprehension renamed that the function binds, or one around it, too."""
    if not ir.nodes_of(statements, *COMPREHENSIONS):
        return list(statements)
    bound = _bound_outside(statements) | set(parameters)
    used = {n.id for s in statements for n in ir.walk(s) if isinstance(n, gast.Name)}
    return [
        _changed(statement, bound, used) if _has_shared_names(statement, bound) else statement
        for statement in statements
    ]


def _has_shared_names(statement: Any, bound: set[str]) -> bool:
    """Whether comprehensions in a statement have variables that the function binds, or another one of them."""
    targets = [node.target for node in ir.walk(statement) if isinstance(node, gast.comprehension)]
    own = [name for target in targets for name in ir.target_names(target)]
    return len({*own}) < len(own) or not bound.isdisjoint(own)


def _bound_outside(statements: Sequence[Any]) -> set[str]:
    names: set[str] = set()
    stack = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Param)):
            names.add(node.id)
        if not isinstance(node, gast.comprehension):
            stack.extend(gast.iter_child_nodes(node))
    return names


def _changed(node: Any, bound: set[str], used: set[str]) -> Any:
    if isinstance(node, COMPREHENSIONS):
        return _renamed(node, bound, used)
    if isinstance(node, list):
        return [_changed(item, bound, used) for item in node]
    if not isinstance(node, gast.AST) or not node._fields:
        return node
    old = [getattr(node, field, None) for field in node._fields]
    new = [_changed(part, bound, used) for part in old]
    if all(a is b or (isinstance(a, list) and a == b) for a, b in zip(old, new, strict=True)):
        return node
    return gast.copy_location(type(node)(*new), node)


def _renamed(node: Any, bound: set[str], used: set[str]) -> Any:
    own = {n for generator in node.generators for n in ir.target_names(generator.target)}
    names = {name: _free(name, used) for name in sorted(own & bound)}
    used.update(names.values())

    def change(sub: Any) -> Any:
        if type(sub) is gast.Name and sub.id in names:
            return gast.copy_location(gast.Name(names[sub.id], sub.ctx, None, None), sub)
        return None

    first = node.generators[0].iter  # is evaluated outside, where the name is the function's
    kept = ir.copy_expression(
        node, lambda sub: _changed(sub, bound, used) if sub is first else change(sub)
    )
    around = bound | {names.get(name, name) for name in own}
    inner = [_changed(part, around, used) for part in (getattr(kept, f) for f in kept._fields)]
    return gast.copy_location(type(node)(*inner), node)


def _free(name: str, used: set[str]) -> str:
    number = 1
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"
