"""Named tuples keep the names of their fields while containers are taken apart; then they are tuples.

hist.append(Point(x=a, y=b)); u = hist[0].x    ->    hist.append((a, b)); u = hist[0][0]

Of constants they are named tuples again where something may ask for more than their items (class_kept.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.class_kept import ClassKept
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.ir.quote import constant
from tangentish.kinds import Tup
from tangentish.language.lifted import Instance
from tangentish.language.placed import all_at
from tangentish.language.webs import map_statement


def without_field_names(
    function: ir.Function, facts: Facts
) -> tuple[ir.Function | None, list[Refusal]]:
    """The function with plain tuples in the place of named ones; None where there are none."""
    if not facts.class_names:
        return None, []
    changed, kept = False, ClassKept(function, facts)

    def change(node: Any) -> Any:
        nonlocal changed
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            return field(node)
        if not _is_named_tuple(node):
            return None
        changed = True
        values = list(map(expression, node.values))
        whole = kept.written(node, values)
        return whole or gast.copy_location(gast.Tuple(values, gast.Load()), node)

    def field(node: Any) -> Any | None:
        """`e[2]` for `e.w`, where nothing was taken apart, as in tests."""
        position = _position(node, facts)
        if position is None:
            return None
        return all_at(gast.Subscript(expression(node.value), constant(position), gast.Load()), node)

    def expression(node: Any) -> Any:
        return ir.copy_expression(node, change)

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map_statement(s, expression, block) for s in lines)

    body = block(function.body)
    if not changed:
        return None, []
    plainer = replace(function, body=body)
    return plainer, kept.refusals


def _is_named_tuple(node: Any) -> bool:
    return isinstance(node, Instance) and issubclass(node.of, tuple)


def _position(node: Any, facts: Facts) -> int | None:
    """Where the field that is read stands in a named tuple that carries a derivative."""
    whole = facts.kind(node.value)
    named = isinstance(whole, Tup) and whole.has_field_names and whole.active
    return whole.position(node.attr) if isinstance(whole, Tup) and named else None
