"""An array that only one name ever stands for comes back under this name; nothing is copied into its memory.

    x_old = x.copy()                     ->      x_old = x.copy()
    x *= 3                                       x *= 3
    ...                                          ...
    x[...] = x_old                               x = x_old

No view, no callee and no list could tell the two apart. Where places of the array are restored, too, it stays the same
array: the derivative of the adjoint has to know what is written to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.quote import quote
from tangentish.kinds import Num, buffers_of
from tangentish.language.webs import map_blocks
from tangentish.recording.saving import Saves
from tangentish.rules import Rule


def brought_back(slots: Iterable[ir.Slot], saves: Saves, facts: Facts) -> dict[ir.Slot, ir.Slot]:
    """The slots of whole arrays that are known by one name only, and those of the name that take their places."""
    contents = [slot for slot in slots if slot.content]
    parts = {slot.name for slot in contents if not _is_everything(slot)}  # these are written to
    whole = [slot for slot in contents if _is_everything(slot) and slot.name not in parts]
    if not whole:
        return {}
    asked = {site: slot.name for slot in whole for site in facts.sites(slot.name)}
    shared = {
        buffer.site
        for name, kind in facts.web_kinds.items()  # those of what callees save, too
        for buffer in buffers_of(kind)
        if asked.get(buffer.site, name) != name
    }
    shared.update(buffer.site for buffer in facts.outside)
    seen = _seen_by_others(facts)
    return {
        slot: _of_name(slot)
        for slot in whole
        if isinstance(facts.web_kinds.get(slot.name), Num)
        and len(facts.sites(slot.name)) == 1
        and not facts.sites(slot.name) & shared
        and slot.name not in seen
        and _is_bound_once(slot.name, saves)  # else it may be a view of what it was: a = a[1:]
    }


def _is_bound_once(name: str, saves: Saves) -> bool:
    """Whether one statement binds a name, or none where it is given; updates leave it the array that it is."""
    definitions = saves.definitions.get(name, [])
    bindings = [d for d in definitions if not isinstance(d.statement, ir.Update)]
    return len(bindings) + (name in saves.function.parameters) <= 1


def _seen_by_others(facts: Facts) -> set[str]:
    """The names that functions are handed of which it is not known what they keep, or that they captured."""
    expressions = (e for s in facts.effects for e in ir.expressions_of(s))
    calls = (n for e in expressions for n in ir.walk(e) if isinstance(n, gast.Call))
    handed = {
        name
        for call in calls
        if not isinstance(facts.rule_of(call), Rule)
        for name in ir.names_in(call)
    }
    unseen = (n for s, names in facts.writes.items() for n in names if n not in ir.mentioned(s))
    return handed.union(unseen)


def _is_everything(slot: ir.Slot) -> bool:
    match slot:
        case ir.Slot(
            undo=None, saved=None, sites=None, target=gast.Subscript(value=gast.Name(), slice=index)
        ):
            return _is_full(index)
    return False


def _is_full(index: gast.AST) -> bool:
    match index:
        case gast.Constant(value=value):
            return value is Ellipsis
        case gast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _of_name(slot: ir.Slot) -> ir.Slot:
    array = slot.target.value
    saved = quote("{x}.copy()", x=array)
    return ir.Slot(slot.name, ir.name(slot.name), tape=slot.tape, copy=True, saved=saved)


def with_slots(block: ir.Block, instead: Mapping[ir.Slot, ir.Slot]) -> ir.Block:
    """The block with other slots."""

    def change(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Save(slot) if slot in instead:
                return ir.Save(instead[slot])
            case ir.Restore(slot) if slot in instead:
                return ir.Restore(instead[slot])
        return map_blocks(statement, lambda b: with_slots(b, instead))

    return tuple(map(change, block))
