"""A sum that starts from zero starts with its first term.

dy = 0.0                         ->      dy = -dz * x * np.sin(y)
dy -= dz * x * np.sin(y)
"""

from __future__ import annotations

import gast

from tangentish import ir
from tangentish.tidy import negated
from tangentish.webs import map_statement

__all__ = ["started_sums"]


def started_sums(block: ir.Block) -> ir.Block:
    """The adjoint with zeros put together with what is added to them first, where that is memory of its own."""
    lines = [map_statement(s, lambda e: e, started_sums) for s in block]
    position = 0
    while position < len(lines):
        later = _first_term(lines, position)
        if later is None:
            position += 1
        else:
            lines[later] = _started(lines[later])
            del lines[position]
    return tuple(lines)


def _first_term(lines: list[ir.Statement], position: int) -> int | None:
    """The line that adds to what the line at `position` sets to zero, before any other has to do with it."""
    match lines[position]:
        case ir.Assign(gast.Name(id=name), gast.Constant(value=float(zero))) if (
            zero == 0.0 and "~" in name
        ):
            for later in range(position + 1, len(lines)):
                inner = ir.walk_statements((lines[later],))
                if any(name in ir.names_in(e) for s in inner for e in ir.expressions_of(s)):
                    return later if _adds(lines[later], name) else None
    return None


def _adds(line: ir.Statement, name: str) -> bool:
    match line:
        case ir.Update(gast.Name(id=target), gast.Add() | gast.Sub(), value):
            new = isinstance(_started(line).value, gast.BinOp | gast.UnaryOp)
            return target == name and name not in ir.names_in(value) and new
    return False


def _started(line: ir.Statement) -> ir.Assign:
    match line:
        case ir.Update(target, op, value, origin):
            value = negated(value) if isinstance(op, gast.Sub) else value
            return ir.Assign(ir.name(target.id), value, origin)
    raise AssertionError("a term is added")
