"""What is recorded, in tapes and locals: those tapes are one that are filled together and emptied together."""

from __future__ import annotations

import gast

from tangentish import ir
from tangentish.ir.origins import NOWHERE
from tangentish.recording.joined_tapes import join_tapes
from tangentish.recording.slots import lower_slots


def taped(
    forward: ir.Block, adjoint: ir.Block, others: dict[ir.Slot, str]
) -> tuple[ir.Block, ir.Block, dict[ir.Slot, str]]:
    """Forward pass and adjoint with tapes and locals, and the names of these, which are not among those of others."""
    names = dict(others)
    forward, adjoint = lower_slots(forward, names)[0], lower_slots(adjoint, names)[0]
    tapes = [name for slot, name in names.items() if slot.tape and slot not in others]
    forward, adjoint, joined = join_tapes(forward, adjoint, tapes, len(others))
    return forward, adjoint, {slot: joined.get(name, name) for slot, name in names.items()}


def empty_tapes(names: dict[ir.Slot, str]) -> ir.Block:
    tapes = dict.fromkeys(name for slot, name in names.items() if slot.tape)
    return tuple(ir.Assign(ir.name(name), gast.List([], gast.Load()), NOWHERE) for name in tapes)
