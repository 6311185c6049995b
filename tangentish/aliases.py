"""Second names and views that are written through: they are replaced by the path to the array they stand for.

    b = a[1:]; b[0] = s; y = a.sum()       ->       a[1:][0] = s; y = a.sum()

so that there is one array, and one gradient. Where a name may stand for different arrays, the function is refused.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.webs import map_statement

__all__ = ["resolve_aliases"]


def resolve_aliases(function: ir.Function, facts: Facts) -> tuple[ir.Function | None, list[Refusal]]:
    """The function with conflicting names replaced by paths; None if there are no conflicts, or no way out."""
    if not facts.conflicts:
        return None, []
    chosen: dict[str, Any] = {}
    for conflict in facts.conflicts:
        for name in (conflict.name, conflict.writer):
            if name in facts.paths and name not in facts.pathless and _count_definitions(function, name) == 1:
                chosen[name] = facts.paths[name]
    stuck = [c for c in facts.conflicts if c.name not in chosen and c.writer not in chosen]
    if stuck:
        return None, [
            Refusal(
                f"'{ir.base_name(c.name)}' and '{ir.base_name(c.writer)}' may share memory and one of them is "
                "written to, so that the derivative is not known: make one of them a copy",
                c.node,
            )
            for c in stuck
        ]
    return _replaced(function, chosen), []


def _renewed(node: Any, duplicate: Any) -> Any | None:
    if type(node) is gast.Name:
        return gast.copy_location(gast.Name(node.id, node.ctx, None, None), node)
    if isinstance(node, gast.Constant):
        return gast.copy_location(gast.Constant(node.value, None), node)
    return None


def _count_definitions(function: ir.Function, name: str) -> int:
    defined = (n for s in ir.walk_statements(function.body) for n in ir.defined_names(s) if not isinstance(s, ir.Update))
    return sum(1 for n in defined if n == name) + (name in function.parameters)


def _replaced(function: ir.Function, chosen: dict[str, Any]) -> ir.Function:
    def change(node: Any) -> Any:
        if type(node) is gast.Name and node.id in chosen:
            return duplicate(expanded(chosen[node.id]))
        return None

    def duplicate(path: Any) -> Any:
        """A path stands in many places: each has nodes of its own, since facts belong to nodes."""
        return ir.copy_expression(path, lambda n: _renewed(n, duplicate))

    def expanded(path: Any) -> Any:
        return ir.copy_expression(path, change)

    def statement(old: ir.Statement) -> ir.Statement:
        if isinstance(old, ir.Assign):
            names = set(ir.target_names(old.target))
            target = old.target if names & set(chosen) else ir.copy_expression(old.target, change)
            return ir.Assign(target, ir.copy_expression(old.value, change), old.origin)
        if isinstance(old, ir.Update) and isinstance(old.target, gast.Name) and old.target.id in chosen:
            path = expanded(chosen[old.target.id])
            if not isinstance(path, (gast.Subscript, gast.Name)):
                path = gast.Subscript(path, gast.Constant(Ellipsis, None), gast.Load())
            return ir.Update(gast.copy_location(path, old.target), old.op, ir.copy_expression(old.value, change), old.origin)
        return map_statement(old, lambda e: ir.copy_expression(e, change), lambda block: tuple(map(statement, block)))

    def returned(old: ir.Return) -> ir.Block:
        """Results are names."""
        lines: list[ir.Statement] = []
        values = []
        for k, value in enumerate(old.values):
            new = ir.copy_expression(value, change)
            if not isinstance(new, gast.Name):
                name = ir.name(f"y.+r{k}")
                lines.append(ir.Assign(gast.copy_location(name, value), gast.copy_location(new, value), old.origin))
                new = gast.copy_location(ir.name(name.id), value)
            values.append(new)
        return (*lines, ir.Return(tuple(values), old.is_tuple, old.origin))

    body = tuple(
        new for old in function.body for new in (returned(old) if isinstance(old, ir.Return) else (statement(old),))
    )
    return ir.Function(function.name, function.arguments, function.parameters, body)
