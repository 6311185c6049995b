"""A place of a gradient that is set to zero and then added to is set to what is added.

g = dx[i]                        ->      g = dx[i]
dx[i] = 0                                dx[i] = g / 2
dx[i] += g / 2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.tidy import negated
from tangentish.webs import map_statement

__all__ = ["set_places"]


def set_places(block: ir.Block, is_array: Callable[[str], bool]) -> ir.Block:
    """The adjoint with zeros put together with what is added to them first; of arrays alone."""
    lines = [map_statement(s, lambda e: e, lambda b: set_places(b, is_array)) for s in block]
    position = 0
    while position < len(lines):
        match lines[position]:
            case ir.Assign(gast.Subscript(value=gast.Name(id=name)) as place, value) if _is_zero(
                value
            ) and is_array(name):
                later = _first_addition(lines, position, place, name)
                if later is not None:
                    lines[later] = _set(lines[later])
                    del lines[position]
                    continue
        position += 1
    return tuple(lines)


def _is_zero(value: Any) -> bool:
    return isinstance(value, gast.Constant) and type(value.value) is int and value.value == 0


def _first_addition(lines: list[ir.Statement], position: int, place: Any, name: str) -> int | None:
    """The line that adds to just this place, before any other line has to do with the array or the index."""
    index = set(ir.names_in(place)) - {name}
    for later in range(position + 1, len(lines)):
        line = lines[later]
        inner = list(ir.walk_statements((line,)))
        if any(index & set(ir.defined_names(s)) for s in inner):
            return None
        if any(name in ir.names_in(e) for s in inner for e in ir.expressions_of(s)):
            return later if _adds(line, place, name) else None
    return None


def _adds(line: ir.Statement, place: Any, name: str) -> bool:
    match line:
        case ir.Update(gast.Subscript(value=array, slice=index), op, value) if type(op) in (
            gast.Add,
            gast.Sub,
        ):
            same = gast.dump(array) == gast.dump(place.value)
            same = same and gast.dump(index) == gast.dump(place.slice)
            return same and name not in ir.names_in(value)
    return False


def _set(line: ir.Statement) -> ir.Statement:
    assert isinstance(line, ir.Update)
    value = negated(line.value) if isinstance(line.op, gast.Sub) else line.value
    return ir.Assign(line.target, value, line.origin)
