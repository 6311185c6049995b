"""Places that are numbers where a loop is written out are computed: `rows[1 - 1]` of the first trip is `rows[0]`."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant
from tangentish.language.placed import at


def with_places(node: Any) -> Any:
    """The expression with numbers for such places."""
    return ir.copy_expression(node, _with_place)


def _with_place(node: Any) -> Any | None:
    """`rows[1 - 1]` is `rows[0]`."""
    match node:
        case gast.Subscript(value=owner, slice=gast.BinOp() as index, ctx=ctx):
            place = _number_at(index)
            if place is not None and place >= 0:
                value = with_places(owner)
                return at(gast.Subscript(value, at(constant(place), index), ctx), node)
    return None


def _number_at(index: Any) -> int | None:
    match index:
        case gast.Constant(value=int(number)):
            return number
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            a, b = _number_at(left), _number_at(right)
            if a is not None and b is not None:
                return a + b if isinstance(op, gast.Add) else a - b
    return None
