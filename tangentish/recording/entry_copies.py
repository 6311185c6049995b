"""What a function writes to is copied first: arguments are never changed."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.infer import Facts
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import Num, Seq, buffers_of, held_by

__all__ = ["copies_on_entry"]


def copies_on_entry(analysis: Analysis) -> ir.Block:
    """What the function writes to is copied at the top."""
    parameters = (analysis.function.parameters[k] for k in analysis.written)
    names = [n for n in parameters if not _is_inactive_list(n, analysis)]
    if not names:
        return ()
    kinds = [analysis.facts.entry[n] for n in names]
    if not all(isinstance(k, Num) and k.contiguous for k in kinds):
        target = gast.Tuple([ir.name(n) for n in names], gast.Store())
        value = quote("copy_shared()")
        return (ir.Assign(target, gast.Call(value.func, [ir.name(n) for n in names], []), NOWHERE),)
    copies = [quote("{x}.copy()", x=ir.name(n)) for n in names]
    if len(names) == 1:
        return (ir.Assign(ir.name(names[0]), copies[0], NOWHERE),)
    target = gast.Tuple([ir.name(n) for n in names], gast.Store())
    return (ir.Assign(target, gast.Tuple(copies, gast.Load()), NOWHERE),)


def _is_inactive_list(name: str, analysis: Analysis) -> bool:
    """A list that carries no derivative is changed for the caller to see, as by the function itself; no array in it."""
    kind = analysis.facts.web_kinds[name]
    if not isinstance(kind, Seq) or kind.active:
        return False
    written = {buffer.site for buffer in analysis.facts.written}
    untouched = written.isdisjoint(buffer.site for buffer in held_by(kind))
    return untouched and not _is_read(kind, analysis)


def _is_read(kind: Seq, analysis: Analysis) -> bool:
    """Whether more is done with a list than to put something in, or to hand it to a function that may: it is data."""
    facts, mine = analysis.facts, buffers_of(kind)
    for line in ir.walk_statements(analysis.function.body):
        nodes = list(ir.nodes_in(line))
        noting = {part for node in nodes for part in _taking_notes(node, facts)}
        names = (n for n in nodes if isinstance(n, gast.Name) and n not in noting)
        if any(not mine.isdisjoint(buffers_of(facts.kind(name))) for name in names):
            return True
    return False


def _taking_notes(node: Any, facts: Facts) -> list[Any]:
    match node:
        case gast.Call(func=gast.Attribute(value=whole, attr="append" | "extend" | "insert")):
            return [whole]
        case gast.Call() if facts.user_of(node) is not None:
            return ir.given_to(node)
    return []
