"""The gradient of a dict that was given has the keys of that dict, and gets no others.

dd[k] = dd.get(k, 0.0) + g      ->      if k in dd: dd[k] += g
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import gradient_of
from tangentish.algebra.expressions import signed
from tangentish.infer import Facts, is_keyed_dict
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, buffers_of
from tangentish.language.webs import map_blocks


def only_asked(function: ir.Function, facts: Facts) -> list[str]:
    """The gradients of parameters that are dicts whose keys are computed, and that stay as they are given."""
    kinds = {name: facts.web_kinds.get(name, UNKNOWN) for name in function.parameters}
    changed = {buffer.site for buffer in facts.written}
    return [
        gradient_of(name)
        for name, kind in kinds.items()
        if is_keyed_dict(kind) and changed.isdisjoint(b.site for b in buffers_of(kind))
    ]


def added_where_there(block: ir.Block, gradients: Collection[str]) -> ir.Block:
    """The adjoint, in which only entries that are there are added to; gradients: those of such dicts."""
    if not gradients:
        return block
    lines = (map_blocks(line, lambda b: added_where_there(b, gradients)) for line in block)
    return tuple(_where_there(line, gradients) for line in lines)


def _where_there(line: ir.Statement, gradients: Collection[str]) -> ir.Statement:
    match line:
        case ir.Assign(
            gast.Subscript(value=gast.Name(id=name), slice=key) as entry,
            gast.BinOp(left=gast.Call(func=gast.Attribute(attr="get")), op=gast.Add(), right=added),
        ) if name in gradients:
            there = quote("{k} in {d}", k=ir.duplicate(key), d=ir.duplicate(entry.value))
            return ir.If(there, (_addition(entry, added),), (), NOWHERE)
    return line


def _addition(entry: Any, added: Any) -> ir.Statement:
    positive, sign = signed(added)
    return ir.Update(entry, gast.Sub() if sign < 0 else gast.Add(), positive, NOWHERE)
