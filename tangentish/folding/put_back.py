"""What an adjoint has added to in place is not put back: `dx[1:] = pick_adjoint(dy, dx[1:])` copies a view onto itself.

A place of an array is a view and a place of a list an element, whose memory is that of the whole.
"""

from __future__ import annotations

from collections.abc import Set

import gast

from tangentish import ir
from tangentish.language.webs import map_each


def without_put_back(block: ir.Block, adding: Set[str]) -> ir.Block:
    """The lines of an adjoint; adding: the functions that give back the very arrays and lists that they add to."""
    if not adding:
        return block
    inside = map_each(block, lambda b: without_put_back(b, adding))
    return tuple([_without(s, adding) for s in inside])


def _without(statement: ir.Statement, adding: Set[str]) -> ir.Statement:
    match statement:
        case ir.Assign(target, gast.Call(func=gast.Name(id=name), args=given) as call, origin):
            pass
        case _:
            return statement
    if name not in adding:
        return statement
    places = {ir.dump(a) for a in given if isinstance(a, gast.Subscript)}
    targets = ir.parts_of(target)
    kept = [ir.name("_") if ir.dump(t) in places else t for t in targets]
    if kept == targets:
        return statement
    if len(kept) == 1:
        return ir.Do(gast.Expr(call), origin)
    return ir.Assign(gast.Tuple(kept, gast.Store()), call, origin)
