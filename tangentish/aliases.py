"""Second names and views that are written through: they are replaced by the path to the array they stand for.

    b = a[1:]; b[0] = s; y = a.sum()       ->       a[1:][0] = s; y = a.sum()

so that there is one array, and one gradient. Where a name may stand for different arrays, the function is refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.nested import Closure
from tangentish.webs import map_statement

__all__ = ["resolve_aliases"]


def resolve_aliases(
    function: ir.Function, facts: Facts
) -> tuple[ir.Function | None, list[Refusal]]:
    """The function with conflicting names replaced by paths; None if there are no conflicts, or no way out."""
    if not facts.conflicts:
        return None, []
    definitions = _count_definitions(function)
    names = (name for conflict in facts.conflicts for name in (conflict.name, conflict.writer))
    chosen = {
        name: facts.paths[name]
        for name in names
        if name in facts.paths and name not in facts.pathless and definitions[name] == 1
    }
    first_reads = {(c.name, c.writer): c for c in reversed(facts.conflicts)}
    stuck = [c for c in first_reads.values() if not chosen.keys() & {c.name, c.writer}]
    if stuck:
        return None, [
            Refusal(
                f"'{ir.base_name(c.name)}' and '{ir.base_name(c.writer)}' may share memory and one of them is "
                "written to, so that the derivative is not known: make one of them a copy",
                c.node,
            )
            for c in stuck
        ]
    return _Replacement(chosen).function(function), []


def _count_definitions(function: ir.Function) -> Counter[str]:
    """How often each value is bound, updates aside."""
    lines = (s for s in ir.walk_statements(function.body) if not isinstance(s, ir.Update))
    return Counter((*function.parameters, *(n for s in lines for n in ir.defined_names(s))))


@dataclass(frozen=True)
class _Replacement:
    """Names, and the paths that take their places."""

    chosen: dict[str, Any]

    def function(self, function: ir.Function) -> ir.Function:
        body = tuple(new for old in function.body for new in self.at_top(old))
        return ir.Function(function.name, function.arguments, function.parameters, body)

    def at_top(self, old: ir.Statement) -> ir.Block:
        return self.returned(old) if isinstance(old, ir.Return) else (self.statement(old),)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, old: ir.Statement) -> ir.Statement:
        if isinstance(old, ir.Assign):
            renamed = set(ir.target_names(old.target)) & set(self.chosen)
            target = old.target if renamed else self.expression(old.target)
            return ir.Assign(target, self.expression(old.value), old.origin)
        if (
            isinstance(old, ir.Update)
            and isinstance(old.target, gast.Name)
            and old.target.id in self.chosen
        ):
            place = gast.copy_location(self.place(old.target.id), old.target)
            return ir.Update(place, old.op, self.expression(old.value), old.origin)
        return map_statement(old, self.expression, self.block)

    def place(self, name: str) -> Any:
        """What an update of `name` updates."""
        path = self.expression(self.chosen[name])
        if isinstance(path, (gast.Subscript, gast.Name)):
            return path
        return gast.Subscript(path, gast.Constant(Ellipsis, None), gast.Load())

    def returned(self, old: ir.Return) -> ir.Block:
        """Results are names."""
        lines: list[ir.Statement] = []
        values = []
        for k, value in enumerate(old.values):
            new = self.expression(value)
            if not isinstance(new, gast.Name):
                name = ir.name(f"y.+r{k}")
                lines.append(
                    ir.Assign(
                        gast.copy_location(name, value), gast.copy_location(new, value), old.origin
                    )
                )
                new = gast.copy_location(ir.name(name.id), value)
            values.append(new)
        return (*lines, ir.Return(tuple(values), old.is_tuple, old.origin))

    def expression(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any | None:
        if type(node) is gast.Name and node.id in self.chosen:
            return _duplicate(self.expression(self.chosen[node.id]))
        return node if isinstance(node, Closure) else None  # it reads its variables themselves


def _duplicate(path: Any) -> Any:
    """A path stands in many places: each has nodes of its own, since facts belong to nodes."""
    return ir.copy_expression(path, _renewed)


def _renewed(node: Any) -> Any | None:
    if type(node) is gast.Name:
        return gast.copy_location(gast.Name(node.id, node.ctx, None, None), node)
    if isinstance(node, gast.Constant):
        return gast.copy_location(gast.Constant(node.value, None), node)
    return None
