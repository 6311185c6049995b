"""Saves and restores -> appends to tapes and pops from them, or local variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.list_changes import SAVED
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.language.webs import map_blocks

_AS_THEY_ARE = ir.LINES - {ir.Save, ir.Restore}


def lower_slots(block: ir.Block, names: dict[ir.Slot, str]) -> tuple[ir.Block, dict[ir.Slot, str]]:
    """Saves and restores -> appends and pops, or local variables."""
    lines: list[ir.Statement] = []
    for s in block:
        lines += (s,) if s.__class__ in _AS_THEY_ARE else _lowered(s, names)
    return tuple(lines), names


def _slot_name(slot: ir.Slot, names: dict[ir.Slot, str]) -> str:
    if slot not in names:
        suffix = "tape" if slot.tape else "old"
        names[slot] = f"{ir.base_name(slot.name)}_{suffix}.~s{len(names)}"
    return names[slot]


def is_tape(name: str) -> bool:
    """Whether a name is that of a tape, of one slot or of several (recording/joined_tapes.py)."""
    base, _, number = name.partition(".~")
    return number[:1] in ("s", "j") and base.rpartition("_")[2] == "tape"


def _lowered(statement: ir.Statement, names: dict[ir.Slot, str]) -> Iterator[ir.Statement]:
    match statement:
        case ir.Save(slot):
            if not _saves_nothing(slot):
                yield _saved(slot, ir.name(_slot_name(slot, names)))
        case ir.Restore(slot):
            yield _restored(slot, names)
        case ir.Try():
            yield from _lowered_try(statement, names)
        case _:
            yield map_blocks(statement, lambda block: lower_slots(block, names)[0])


def _saves_nothing(slot: ir.Slot) -> bool:
    """Whether a change of a list can be taken back without anything saved."""
    return slot.undo is not None and slot.saved is None


def _saved(slot: ir.Slot, name: Any) -> ir.Statement:
    if slot.tape:
        return _do(quote("{t}.append({v})", t=name, v=_what_is_saved(slot)))
    return ir.Assign(name, _what_is_saved(slot), NOWHERE)


def _lowered_try(statement: ir.Try, names: dict[ir.Slot, str]) -> Iterator[ir.Statement]:
    """What the body put on tapes before an exception is taken off again, since no adjoint will."""
    saves = [s.slot for s in ir.early(statement.body) if isinstance(s, ir.Save) and s.slot.tape]
    tapes = [slot for slot in saves if not _saves_nothing(slot)]
    cut: list[ir.Statement] = []
    for slot in dict.fromkeys(reversed(tapes)):
        tape = _slot_name(slot, names)
        depth = ir.name(f"depth.~{tape.rpartition('~')[2]}")
        yield ir.Assign(depth, quote("len({t})", t=ir.name(tape)), NOWHERE)
        rest = quote("{t}[{depth}:]", t=ir.name(tape), depth=ir.name(depth.id))
        cut.append(ir.Do(gast.Delete([rest]), NOWHERE))
    handlers = (
        ir.Handler(h.type, h.name, (*cut, *lower_slots(h.body, names)[0]))
        for h in statement.handlers
    )
    body, orelse = lower_slots(statement.body, names)[0], lower_slots(statement.orelse, names)[0]
    yield ir.Try(body, tuple(handlers), orelse, statement.origin)


def _do(call: Any) -> ir.Statement:
    return ir.Do(gast.Expr(call), NOWHERE)


def _what_is_saved(slot: ir.Slot) -> Any:
    if slot.saved is not None:
        return slot.saved
    if slot.content and _is_everything(slot.target):
        return quote("{x}.copy()", x=slot.target.value)
    if slot.copy:
        return quote("{x}.copy()" if slot.content else "np.copy({x})", x=slot.target)
    return slot.target


def _restored(slot: ir.Slot, names: dict[ir.Slot, str]) -> ir.Statement:
    if slot.undo is not None and slot.saved is None:
        return _do(slot.undo)
    name = ir.name(_slot_name(slot, names))
    value = quote("{t}.pop()", t=name) if slot.tape else name
    if slot.undo is not None:
        return _do(_with_saved(slot.undo, value))
    return ir.Assign(slot.target, value, NOWHERE)


def _with_saved(undo: Any, value: Any) -> Any:
    """What takes a change back, with what was saved put in."""

    def change(node: Any) -> Any:
        return value if type(node) is gast.Name and node.id == SAVED else None

    return ir.copy_expression(undo, change)


def _is_everything(target: Any) -> bool:
    match target:
        case gast.Subscript(value=gast.Name(), slice=gast.Constant(value=value)):
            return value is Ellipsis
    return False
