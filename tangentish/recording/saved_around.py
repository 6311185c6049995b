"""What each trip of a loop saves, and none reads on the way back, is saved once, before the loop.

    for _ in range(n):              save x
        save x                      for _ in range(n):
        x = x + a * p         ->        x = x + a * p

    for _ in range(n):              for _ in range(n):
        dp += dx * a                    dp += dx * a
        restore x                   restore x

So there is a local instead of a tape.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from tangentish import ir
from tangentish.recording.late_saves import comes_back_by_name, names_with_slots
from tangentish.recording.liveness import without_idle_comments

Slots = frozenset[ir.Slot]


def saved_around(forward: ir.Block, adjoint: ir.Block) -> tuple[ir.Block, ir.Block]:
    """Forward pass and adjoint where such slots of loops, outside of all other loops, are around these."""
    idle = {slots for loop in adjoint for slots in _idle(loop)}
    unset = {s.slot.name for s in ir.walk_statements(forward) if isinstance(s, ir.Unset)}
    around: dict[Slots, ir.Slot] = {}
    before: list[ir.Statement] = []
    for line in forward if idle else ():
        for slots in _on_each_trip(line, ir.Save):
            slot = next(iter(slots))
            if slots in idle and slot.name not in unset and not _is_bound_by(line, slot.name):
                around[slots] = replace(slot, tape=False)
                before.append(ir.Save(around[slots]))
        before.append(line)
    if not around:
        return forward, adjoint
    gone: set[ir.Slot] = set().union(*around)
    after: list[ir.Statement] = []
    for line in adjoint:
        after.append(line)
        after += [ir.Restore(around[s]) for s in _on_each_trip(line, ir.Restore) if s in around]
    saved = {s.slot for s in before if isinstance(s, ir.Save) and s.slot.name not in unset}
    gone.update(_restored_again(_without(after, gone), saved))
    return _without(before, gone), _without(after, gone)


def _restored_again(block: Sequence[ir.Statement], slots: Set[ir.Slot]) -> Iterator[ir.Slot]:
    """Those of the slots whose names have another value before anything reads them."""
    again: set[str] = set()
    for line in reversed(block):
        if isinstance(line, ir.Restore) and comes_back_by_name(line.slot):
            if line.slot.name in again and line.slot in slots:
                yield line.slot
            again.add(line.slot.name)
        elif again:
            again -= names_with_slots(line)


def _on_each_trip(loop: ir.Statement, what: type[ir.Save | ir.Restore]) -> Iterator[Slots]:
    """The slots of one name that each trip of a loop fills, or empties."""
    if not isinstance(loop, (ir.For, ir.While)):
        return
    by_name: defaultdict[str, set[ir.Slot]] = defaultdict(set)
    for line in loop.body:
        if isinstance(line, what):
            by_name[line.slot.name].add(line.slot)
    for slots in by_name.values():
        if all(map(comes_back_by_name, slots)) and len({slot.copy for slot in slots}) == 1:
            yield frozenset(slots)


def _idle(loop: ir.Statement) -> Iterator[Slots]:
    """The slots of the names with which the trips have nothing else to do."""
    groups = [*_on_each_trip(loop, ir.Restore)]
    if groups:
        rest = _without([loop], frozenset().union(*groups))
        mentioned = {name for line in rest for name in names_with_slots(line)}
        yield from (slots for slots in groups if next(iter(slots)).name not in mentioned)


def _is_bound_by(loop: ir.Statement, name: str) -> bool:
    return isinstance(loop, ir.For) and name in ir.target_names(loop.target)


def _without(block: Sequence[ir.Statement], gone: Set[ir.Slot]) -> ir.Block:
    """A block whose loops neither fill nor empty these slots; those of which nothing is left are gone."""
    lines: list[ir.Statement] = []
    for line in (s for s in block if not _is_of(s, gone)):
        if isinstance(line, (ir.For, ir.While)):
            body = [s for s in line.body if not _is_of(s, gone)]
            if len(body) < len(line.body):
                line = replace(line, body=without_idle_comments(body))
            if not line.body:
                continue
        lines.append(line)
    return without_idle_comments(lines)


def _is_of(line: ir.Statement, slots: Set[ir.Slot]) -> bool:
    return isinstance(line, (ir.Save, ir.Restore)) and line.slot in slots
