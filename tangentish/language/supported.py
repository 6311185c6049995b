"""Syntax that is not supported is refused; a placeholder takes its place, so that the rest can be looked at, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.changed_first import is_out_of_turn
from tangentish.language.placed import at, rebuilt, target_at

NOT_YET = {
    gast.Lambda: "a lambda", gast.FunctionDef: "a nested function", gast.ClassDef: "a class",
    gast.TryStar: "except*",
    gast.NamedExpr: "an assignment expression here", gast.Await: "await",
    gast.Yield: "yield", gast.YieldFrom: "yield from", gast.AsyncFor: "async for",
    gast.AsyncWith: "async with",
}  # fmt: skip

_WITH_PARTS = (gast.stmt, gast.excepthandler, gast.withitem)

_IN_TURN = (gast.Dict, gast.DictComp, gast.Call, gast.keyword)
_PLACES = (gast.Subscript, gast.Attribute)

Refuse = Callable[[str, Any], None]


def supported(statements: Sequence[Any], refuse: Refuse) -> list[Any]:
    """The statements with placeholders for what is not supported, which is refused."""
    for node in ir.nodes_of(statements, gast.Attribute):
        if node.attr in ("__iter__", "__next__"):
            refuse("an iterator is not followed: loop over the object itself", node)
    for node in ir.nodes_of(statements, *_IN_TURN):
        if is_out_of_turn(node):
            refuse(
                "one part of this changes what another reads: give it a name on a line before", node
            )
    for node in ir.nodes_of(statements, gast.withitem, gast.comprehension):
        place = node.optional_vars if isinstance(node, gast.withitem) else node.target
        if any(
            isinstance(part, _PLACES) and isinstance(part.ctx, gast.Store) for part in _parts(place)
        ):
            refuse("a place as a target is not supported here: take a name, and store that", place)
    if not ir.nodes_of(statements, *NOT_YET):
        return list(statements)
    return [_statement(statement, refuse) for statement in statements]


def _parts(target: Any) -> list[Any]:
    return [] if target is None else list(gast.walk(target))


def _statement(node: Any, refuse: Refuse) -> Any:
    what = NOT_YET.get(type(node))
    if what is not None:
        refuse(f"{what} is not supported yet", node)
        return _placeholder_statement(node)

    def part(value: Any) -> Any:
        if isinstance(value, list):
            return [part(item) for item in value]
        if isinstance(value, gast.expr):
            return _expression(value, refuse)
        return _statement(value, refuse) if isinstance(value, _WITH_PARTS) else value

    return rebuilt(node, part)


def _expression(node: Any, refuse: Refuse) -> Any:
    def change(sub: Any) -> Any:
        what = NOT_YET.get(type(sub))
        if what is None:
            return None
        refuse(f"{what} is not supported yet", sub)
        return ir.placeholder(sub)

    return ir.copy_expression(node, change)


def _placeholder_statement(node: Any) -> Any:
    """What stands for a refused statement: the names that it would bind have a value of which nothing is known."""
    targets = [target_at(name, node) for name in dict.fromkeys(_bound(node))]
    if not targets:
        return at(gast.Pass(), node)
    return at(gast.Assign(targets, ir.placeholder(node), None), node)


def _bound(node: Any) -> Iterator[str]:
    """The names that a statement binds."""
    match node:
        case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
            yield name
            return
        case gast.Import(names=names) | gast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in names)
            return
    for sub in gast.walk(node):
        if isinstance(sub, gast.Name) and isinstance(sub.ctx, gast.Store):
            yield sub.id


def without_docstring(body: Sequence[Any]) -> list[Any]:
    match body[0]:
        case gast.Expr(value=gast.Constant(value=str())):
            return list(body[1:]) or [gast.copy_location(gast.Pass(), body[0])]
    return list(body)
