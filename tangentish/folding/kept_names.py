"""A gradient needs no second name where what reads that name comes before the first one is bound again.

g = dy                           ->      y = y_tape.pop()
y = y_tape.pop()                         dy = dy * a + dy * y
dy = g * a + g * y
g = dx                           ->      dy = dx * b
dx = g
dy = g * b
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_statement

__all__ = ["keep_names"]


def keep_names(block: ir.Block, results: Sequence[Any]) -> ir.Block:
    """The adjoint with fewer second names."""
    if not any(map(_second, ir.walk_statements(block))):
        return block
    definitions, reads = ir.definitions(block), ir.mentions(block)
    reads.update(n for e in results for n in ir.names_in(e))
    changed = {n for s in ir.walk_statements(block) for n in ir.stored_names(s)}
    once = {n: reads[n] - 1 for n, k in definitions.items() if k == 1 and n not in changed}
    return _kept(block, once)


def _kept(block: ir.Block, reads: dict[str, int]) -> ir.Block:
    lines = [map_statement(s, lambda e: e, lambda b: _kept(b, reads)) for s in block]
    position = 0
    while position < len(lines):
        names = _second(lines[position])
        if names is not None and names[0] in reads:
            rest = _under_first_name(lines[position + 1 :], *names, reads[names[0]])
            if rest is not None:
                lines[position:] = rest
                continue
        position += 1
    return tuple(lines)


def _second(statement: ir.Statement) -> tuple[str, str] | None:
    """The second name of a gradient, and its first."""
    match statement:
        case ir.Assign(gast.Name(id=second), gast.Name(id=first)) if (
            second != first and "~" in second and "~" in first
        ):
            return str(second), str(first)
    return None


def _under_first_name(
    lines: Sequence[ir.Statement], second: str, first: str, reads: int
) -> list[ir.Statement] | None:
    """The lines with the first name in the place of the second; None where that means something else."""
    out: list[ir.Statement] = []
    for position, line in enumerate(lines):
        if reads == 0:
            return [*out, *lines[position:]]
        reads -= ir.mentions((line,))[second]
        if _second(line) == (first, second):  # as it is
            continue
        out.append(_renamed(line, second, first))
        if first in ir.definitions((line,)):
            if not isinstance(line, ir.Assign) or first in ir.stored_names(line):
                return None
            return [*out, *lines[position + 1 :]] if reads == 0 else None
    return out if reads == 0 else None


def _renamed(line: ir.Statement, second: str, first: str) -> ir.Statement:
    def change(node: Any) -> Any:
        if type(node) is gast.Name and node.id == second:
            return gast.Name(first, node.ctx, None, None)
        return None

    def renamed(e: Any) -> Any:
        return ir.copy_expression(e, change)

    return map_statement(line, renamed, lambda b: tuple(_renamed(s, second, first) for s in b))
