"""What is taken from a list, and read once in the very next line, is read where it is taken.

g = dys.pop()                    ->      dx[i] += 2 * dys.pop() * x[i]
dx[i] += 2 * g * x[i]

As long as that line asks nothing else of the list, and nothing that it calls could.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.algebra.expressions import size
from tangentish.folding.set_places import new_zeros
from tangentish.language.webs import map_each

LARGEST = 24  # nodes of what reads


def popped(block: ir.Block, results: Iterable[Any]) -> ir.Block:
    """The adjoint in which what lists give has a name only where more than the next line reads it."""
    reads = ir.mentions(block, results)
    once = {name for name, count in reads.items() if count == 2 and "~" in name}
    return _folded(block, once, _second_names(block))


def _folded(block: ir.Block, once: set[str], shared: set[str]) -> ir.Block:
    out: list[ir.Statement] = []
    for line in map_each(block, lambda b: _folded(b, once, shared)):
        new = _merged(out[-1], line, once, shared) if out else None
        if new is None:
            out.append(line)
        else:
            out[-1] = new
    return tuple(out)


def _merged(
    first: ir.Statement, second: ir.Statement, once: set[str], shared: set[str]
) -> ir.Statement | None:
    match first, second:
        case (
            ir.Assign(gast.Name(id=name), gast.Call(func=gast.Attribute(attr="pop")) as taken),
            ir.Assign(target, value, origin) | ir.Update(target, _, value, origin),
        ) if name in once and name not in ir.names_in(target):
            names = [*ir.names_in(target), *ir.names_in(value)]
            if shared & {*ir.names_in(taken)} or {*names} & {*ir.names_in(taken.func)}:
                return None
            if not _is_read_once(value, name) or not has_no_effects(value):
                return None

            def change(node: Any) -> Any:
                return taken if ir.is_name(node, name) else None

            new = ir.copy_expression(value, change)
            if isinstance(second, ir.Update):
                return ir.Update(target, second.op, new, origin)
            return ir.Assign(target, new, origin)
    return None


def _is_read_once(value: Any, name: str) -> bool:
    """Whether this reads the name, once and always."""
    choices = (gast.ListComp, gast.GeneratorExp, gast.IfExp, gast.BoolOp, gast.Lambda)
    plain = not any(isinstance(node, choices) for node in ir.walk(value))
    return plain and size(value) <= LARGEST and name in ir.names_in(value)


def _second_names(block: ir.Block) -> set[str]:
    """The names that may stand for what another name stands for, too; what is stored to an array is copied."""
    lines = [line for line in ir.walk_statements(block) if isinstance(line, ir.Assign)]
    arrays = {name for line in lines if (name := new_zeros(line)) is not None}
    return {
        name
        for line in lines
        if isinstance(line.value, (gast.Name, gast.Subscript, gast.Attribute))
        and not (isinstance(line.target, gast.Subscript) and _root(line.target) in arrays)
        for name in (*ir.names_in(line.target), *ir.names_in(line.value))
    }


def _root(target: Any) -> str | None:
    root = ir.root_of(target)
    return root.id if isinstance(root, gast.Name) else None
