"""What is read of a place and stored there again at once is not stored.

g = dx[i].copy()           ->      g = dx[i].copy()
dx[i] = g                          dx[k] -= g * f
dx[k] -= g * f
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_each


def without_stored_back(block: ir.Block) -> ir.Block:
    """The block without lines that leave everything as it is."""
    lines: list[ir.Statement] = []
    for statement in block:
        if not (lines and _stores_back(lines[-1], statement)):
            lines.append(statement)
    return tuple(map_each(tuple(lines), without_stored_back))


def _stores_back(before: ir.Statement, line: ir.Statement) -> bool:
    match before, line:
        case ir.Assign(gast.Name(id=read), value), ir.Assign(
            gast.Subscript() as place, gast.Name(id=stored)
        ):
            same = read == stored and read not in ir.names_in(place)
            return same and _is_read_at(value, place)
    return False


def _is_read_at(value: Any, place: Any) -> bool:
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="copy"), args=[], keywords=[]):
            return _is_read_at(inner, place)
        case gast.Subscript(value=read, slice=index):
            return ir.dump(read) == ir.dump(place.value) and ir.dump(index) == ir.dump(place.slice)
    return False
