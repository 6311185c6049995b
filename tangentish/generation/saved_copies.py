"""What an adjoint changes of what the forward pass saved is copied first, so that it may run again.

    y, y_tape, x = saved
    y = y.copy()
    y_tape = y_tape.copy()

Values that may lie in the memory that is changed are copied together, as they share it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.generation.writer import SAVED
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num, Seq, buffers_of

MANY = 4
"""Copies of more values than these, most of those that are saved, are written as a copy of them all."""

Sites = frozenset[Hashable]


def unpacked(
    saved: Sequence[str], tapes: Collection[str], parts: Parts, unset: Collection[str]
) -> ir.Block:
    """The lines that take out what was saved and copy; `tapes` are emptied by the adjoint.

    unset: the values that are nothing on some ways, which have no `.copy()` there.
    """
    changed = _with_changed_memory(saved, parts) if parts.restored else []
    lists = [_copy(name) for name in saved if name in tapes and name not in changed]
    if len(changed) > MANY and 2 * len(changed) > len(saved):
        everything = [gast.Starred(ir.name(SAVED), gast.Load())]
        return (_set(saved, gast.Call(ir.name("$copy_shared"), everything, [])), *lists)
    return (_set(saved, ir.name(SAVED)), *_copies(changed, parts, unset), *lists)


def _copies(names: Sequence[str], parts: Parts, unset: Collection[str]) -> ir.Block:
    if not names:
        return ()
    set_late = {*unset, *_nothing_at_first(parts.forward)}
    if len(names) == 1 and names[0] not in set_late and _has_plain_copy(names[0], parts):
        return (_copy(names[0]),)
    return (_set(names, gast.Call(ir.name("$copy_shared"), [ir.name(n) for n in names], [])),)


def _nothing_at_first(block: ir.Block) -> Iterator[str]:
    """The values that are None before they are anything else."""
    for statement in ir.walk_statements(block):
        match statement:
            case ir.Unset(slot):
                yield slot.name
            case ir.Assign(gast.Name(id=name), gast.Constant(value=None)):
                yield name


def _set(names: Sequence[str], value: gast.AST) -> ir.Statement:
    return ir.Assign(gast.Tuple([ir.name(n) for n in names], gast.Store()), value, NOWHERE)


def _copy(name: str) -> ir.Statement:
    return ir.Assign(ir.name(name), quote("{x}.copy()", x=ir.name(name)), NOWHERE)


def _has_plain_copy(name: str, parts: Parts) -> bool:
    """Whether `x.copy()` holds what x holds, and is written to as x is: where a view is, it has to be one."""
    kind = parts.analysis.facts.web_kinds.get(name)
    if isinstance(kind, Num):
        through_views = any(ir.has_view_call(slot.target) for slot in parts.restored)
        return kind.array is True and (kind.contiguous or not through_views)
    match kind:
        case Seq(item=Num() as item, is_tuple=False):
            return item.is_scalar
    return False


def _with_changed_memory(saved: Sequence[str], parts: Parts) -> list[str]:
    """The values that may lie, or hold something, in memory that the adjoint writes to."""
    changed = _changed(saved, parts)
    return [name for name in saved if _may_lie_in(name, changed, parts)]


def _changed(saved: Sequence[str], parts: Parts) -> Sites | None:
    """Where the memory was made that the adjoint writes to; None where that is not known of all of it."""
    kinds = parts.analysis.facts.web_kinds
    stored = {n for s in ir.walk_statements(parts.adjoint) for n in ir.stored_names(s)}
    names = {slot.name for slot in parts.restored} | stored.intersection(saved)
    sites = [_sites(kinds.get(name)) for name in names]
    if not all(sites):
        return None
    return frozenset[Hashable]().union(*filter(None, sites))


def _may_lie_in(name: str, changed: Sites | None, parts: Parts) -> bool:
    if not parts.holds_memory(name):
        return False
    if changed is None or name in parts.saved_inside:
        return True
    return any(sites is None or not changed.isdisjoint(sites) for sites in _memory_of(name, parts))


def _memory_of(name: str, parts: Parts) -> Iterator[Sites | None]:
    """Where the memory was made of a value, or of each value on a tape; None where that is not known."""
    kinds = parts.analysis.facts.web_kinds
    on_tape = [slot for slot, tape in parts.slots.items() if tape == name]
    if not on_tape:
        yield _sites(kinds.get(name))
    for slot in on_tape:
        kind = kinds.get(slot.name)
        if slot.undo is not None or slot.name in parts.saved_inside:
            yield None
        elif not (slot.content and isinstance(kind, Num)):  # of what arrays hold there are copies
            yield _sites(kind)


def _sites(kind: Kind | None) -> Sites | None:
    """Where the memory of a number, an array or a list of them was made; None where nothing is known of it."""
    match kind:
        case Num(array=False):
            return frozenset()
        case Num() | Seq(item=Num() | None):
            return frozenset(buffer.site for buffer in buffers_of(kind)) or None
    return None
