"""Names outside to which what varies is bound: inside the call a value stands for each of them.

total = total + x     ->    v = total; v = v + x; total = v
total *= x                  v *= x; total = v
return total                return v

So the user's module sees every store when it is made, and what the name held before the call is a constant.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, TypeGuard

import gast

from tangentish import ir
from tangentish.ir.needed import read_before_set
from tangentish.language.placed import at, name_at, target_at
from tangentish.language.webs import map_statement

_MARK = ".g0"


def is_mirror(value: Any) -> bool:
    """Whether this is the value that stands for a name outside."""
    return isinstance(value, gast.Name) and value.id.endswith(_MARK)


def _declares(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Do) and isinstance(statement.node, (gast.Global, gast.Nonlocal))


def _binds(statement: ir.Statement, value: str) -> TypeGuard[ir.Assign | ir.Update]:
    return isinstance(statement, (ir.Assign, ir.Update)) and value in ir.defined_names(statement)


def mirrored(function: ir.Function, outside: str) -> ir.Function:
    """The function with a value for what it binds a name outside to."""
    value = f"{outside}{_MARK}"

    def renamed(node: Any) -> Any | None:
        is_it = isinstance(node, gast.Name) and node.id == outside
        return at(gast.Name(value, node.ctx, None, None), node) if is_it else None

    def expression(node: Any) -> Any:
        return ir.copy_expression(node, renamed)

    def block(old: ir.Block) -> ir.Block:
        return tuple(new for statement in old for new in lines(statement))

    def lines(statement: ir.Statement) -> ir.Block:
        match statement:
            case ir.Do(
                gast.Assign(targets=[gast.Name(id=name) as target], value=e) as node, origin
            ):
                new: ir.Statement = ir.Assign(target_at(value, target), expression(e), origin)
            case ir.Do(gast.AugAssign(target=gast.Name(id=name) as target) as node, origin):
                new = ir.Update(target_at(value, target), node.op, expression(node.value), origin)
            case _:
                return (map_statement(statement, expression, block),)
        if name != outside:
            return (map_statement(statement, expression, block),)
        return new, ir.Do(at(gast.Assign([target], name_at(value, target), None), node), origin)

    body = block(function.body)
    if value in read_before_set(body):
        declared = sum(1 for _ in itertools.takewhile(_declares, body))
        origin = next(s.origin for s in ir.walk_statements(body) if _binds(s, value))
        first = ir.Assign(target_at(value, origin.node), name_at(outside, origin.node), origin)
        body = (*body[:declared], first, *body[declared:])
    return replace(function, body=body)
