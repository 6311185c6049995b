"""What is read of a place and stored there again, before anything else is stored, is not stored.

g = dx[i].copy()           ->      g = dx[i].copy()
dt = g * f                         dt = g * f
dx[i] = g                          dx[k] -= dt
dx[k] -= dt
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.language.webs import map_each


def without_stored_back(block: ir.Block) -> ir.Block:
    """The block without lines that leave everything as it is."""
    lines: list[ir.Statement] = []
    for statement in block:
        if not _is_there(statement, lines):
            lines.append(statement)
    return tuple(map_each(tuple(lines), without_stored_back))


def _is_there(line: ir.Statement, before: Sequence[ir.Statement]) -> bool:
    """Whether a line stores to a place what was read of it, when only names were set since."""
    match line:
        case ir.Assign(gast.Subscript() as place, gast.Name(id=stored)) if (
            stored not in ir.names_in(place)
        ):
            names = {stored, *ir.names_in(place)}
        case _:
            return False
    for earlier in reversed(before):
        match earlier:
            case ir.Assign(gast.Name(id=name), value):
                if name in names:
                    return bool(name == stored) and _is_read_at(value, place)
                if not has_no_effects(value):
                    return False
            case _:
                return False
    return False


def _is_read_at(value: Any, place: Any) -> bool:
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="copy"), args=[], keywords=[]):
            return _is_read_at(inner, place)
        case gast.Subscript(value=read, slice=index):
            return ir.dump(read) == ir.dump(place.value) and ir.dump(index) == ir.dump(place.slice)
    return False
