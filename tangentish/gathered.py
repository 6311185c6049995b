"""What is added to a gradient later is added where it is set, if nothing reads it in between.

dx = dt * b                              ->      dy = dt * a
dy = dt * a                                      dx = dt * b - du * c
dx -= du * c

The numbers that are summed are the same: nothing in between changes what they are computed from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.effects import has_no_effects
from tangentish.expressions import size
from tangentish.tidy import leads_with_minus, negated
from tangentish.webs import map_statement

__all__ = ["gather"]

LONGEST = 40  # nodes of a sum that is written in one line


def gather(block: ir.Block, is_summed: Callable[[str], bool]) -> ir.Block:
    """The adjoint with fewer additions; `is_summed` tells of which gradients a sum has the same type and shape."""
    lines = [map_statement(s, lambda e: e, lambda b: gather(b, is_summed)) for s in block]
    position = 0
    while position < len(lines):
        found = _next_addition(lines, position, is_summed)
        if found is None:
            position += 1
            continue
        later, addition = found
        lines[later] = _sum(lines[position], addition)
        del lines[position]
        if position and _is_done(lines, position):
            del lines[position - 1]
            position -= 1
    return tuple(lines)


def _next_addition(
    lines: list[ir.Statement], position: int, is_summed: Callable[[str], bool]
) -> tuple[int, ir.Update] | None:
    """The line that adds to what a line sets, before any other has to do with it, or with what it is computed from."""
    match lines[position]:
        case ir.Assign(gast.Name(id=name), value) if "~" in name and is_summed(name):
            pass
        case _:
            return None
    if not has_no_effects(value) or _is_start(value):
        return None
    read = set(ir.names_in(value))
    for later in range(position + 1, len(lines)):
        line = lines[later]
        added = _added_to(name, line)
        if added is not None:
            short = size(value) + size(added.value) <= LONGEST
            return (later, added) if short and name not in ir.names_in(added.value) else None
        if not _leaves_alone(line, name, read):
            return None
    return None


def _added_to(name: str, line: ir.Statement) -> ir.Update | None:
    """`x += e`, or `x = x + e`."""
    match line:
        case ir.Update(gast.Name(id=same), gast.Add() | gast.Sub()) if same == name:
            return line
        case ir.Assign(
            gast.Name(id=same) as target,
            gast.BinOp(left=gast.Name(id=old), op=gast.Add() | gast.Sub() as op, right=value),
            origin,
        ) if same == old == name:
            return ir.Update(target, op, value, origin)
    return None


def _is_start(value: Any) -> bool:
    """A number, or an array filled with one, to which the parts are added one by one."""
    match value:
        case gast.Constant():
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr)):
            return attr in ("zeros_like", "full_like", "zeros")
        case gast.Call(func=gast.Name(id="$full")):
            return True
    return False


def _leaves_alone(line: ir.Statement, name: str, read: Iterable[str]) -> bool:
    """Whether a line has nothing to do with a gradient, and changes nothing of what it is computed from."""
    match line:
        case ir.Comment():
            return True
        case ir.Restore(slot):
            return not slot.content and slot.name not in read
        case ir.Assign(target, value) | ir.Update(target, _, value):
            changed = {*ir.defined_names(line), *ir.stored_names(line)}
            mentioned = {*ir.names_in(target), *ir.names_in(value)}
            return name not in mentioned and changed.isdisjoint(read) and has_no_effects(value)
    return False


def _sum(first: Any, second: Any) -> ir.Statement:
    total = _added(first.value, second.value, isinstance(second.op, gast.Sub))
    return ir.Assign(first.target, total, second.origin)


def _added(total: Any, value: Any, minus: bool) -> Any:
    """A sum in one row: the parts of what is added come one after the other."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            return _added(_added(total, left, minus), right, minus != isinstance(op, gast.Sub))
    if leads_with_minus(value):
        value, minus = negated(value), not minus
    return gast.BinOp(total, gast.Sub() if minus else gast.Add(), value)


def _is_done(lines: list[ir.Statement], position: int) -> bool:
    """Whether the comment before a line stands there for nothing now."""
    ends = position == len(lines) or isinstance(lines[position], ir.Comment)
    return ends and isinstance(lines[position - 1], ir.Comment)
