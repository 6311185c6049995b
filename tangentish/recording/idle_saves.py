"""What the forward pass does not overwrite after all need not be saved.

    if x > 0:                    ->      if x > 0:
        y_old = y                            dx = dx + dy * y
    ...                                      dy = dy * x
    if x > 0:
        y = y_old
        dx = dx + dy * y
        dy = dy * x

The line that overwrites is gone where nobody needs its result (recording/liveness.py); then the value is still there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks


def idle_slots(forward: ir.Block, adjoint: ir.Block) -> set[ir.Slot]:
    """The slots outside loops whose names get no other value after they are saved, in neither pass.

    What lies in memory that is written to under another name says so by its sites.
    """
    saved: dict[ir.Slot, int] = {}
    last: dict[str, int] = {}
    seen: dict[str, int] = {}
    unset: set[str] = set()
    for position, statement in enumerate(ir.walk_statements(forward)):
        last.update(dict.fromkeys(ir.defined_names(statement), position))
        seen.update(dict.fromkeys(ir.mentioned(statement), position))
        if isinstance(statement, ir.Save) and _is_binding(statement.slot):
            saved[statement.slot] = position
        if isinstance(statement, ir.Unset):
            unset.add(statement.slot.name)
    idle = {
        slot
        for slot, position in saved.items()
        if slot.sites is None and (seen if slot.copy else last).get(slot.name, -1) <= position
    }
    bound = {
        name
        for s in ir.walk_statements(adjoint)
        if not (isinstance(s, ir.Restore) and s.slot in idle)
        for name in ir.defined_names(s)
    }
    return {slot for slot in idle if slot.name not in bound | unset}


def unread_slots(
    theirs: frozenset[ir.Slot],
    names: Set[str],
    read: Set[str],
    sites: Callable[[str], Set[Hashable]],
) -> frozenset[ir.Slot]:
    """The slots of what lies in memory of others, of which the adjoint reads nothing: what they hold stays as it is.

    names: those of what lies there, or may; read: by the adjoint, but for copies of it that are made where it is
    computed with; sites: the memory by a name. What the function was given, or made, it may read by other names.
    """
    memory = frozenset[Hashable]().union(*(sites(slot.name) for slot in theirs))
    by_others = any(not memory.isdisjoint(sites(name)) for name in read)
    return frozenset() if by_others or not names.isdisjoint(read) else theirs


def _is_binding(slot: ir.Slot) -> bool:
    return not (slot.tape or slot.content) and slot.undo is None and type(slot.target) is gast.Name


def without_slots(block: ir.Block, slots: Set[ir.Slot]) -> ir.Block:
    """The block without what is saved in slots, and taken back."""
    return tuple(
        map_blocks(s, lambda b: without_slots(b, slots))
        for s in block
        if not (isinstance(s, ir.Save | ir.Restore) and s.slot in slots)
    )
