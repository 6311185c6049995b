"""A value that each trip sets anew, and that the way back reads only as it was then, is saved once it is set.

    save step                                    step = (x - e * t) / d
    step = (x - e * t) / d                       save step
    ...                                          ...

    for ...:                             ->      for ...:
        dx -= dstep * step                           restore step
        restore step                                 dx -= dstep * step

So it goes on a tape with all else that a trip leaves, and comes off it where the trip begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.recording.liveness import without_idle_comments

IsNumber = Callable[[Any], bool]


def saved_when_set(
    forward: ir.Block, adjoint: ir.Block, results: Iterable[Any], is_number: IsNumber
) -> tuple[ir.Block, ir.Block]:
    """Forward pass and adjoint in which slots of loops, outside of all others, are filled later and emptied earlier.

    results: what is returned after the adjoint. is_number: whether an update of a name binds it, and writes nowhere.
    """
    read_last = set(_read_last(adjoint, results))
    if not read_last:
        return forward, adjoint
    slots = {
        slot for line in forward if _is_loop(line) for slot in _set_once(line, read_last, is_number)
    }
    if not slots:
        return forward, adjoint
    return (
        tuple(_with_body(line, _filled_later, slots) for line in forward),
        tuple(_with_body(line, _emptied_first, slots) for line in adjoint),
    )


def _is_loop(line: ir.Statement) -> bool:
    return isinstance(line, (ir.For, ir.While))


def _read_last(adjoint: ir.Block, results: Iterable[Any]) -> Iterator[ir.Slot]:
    """The slots that the trips of a loop empty after all that reads their names, which nobody reads later."""
    later = {n for e in results for n in ir.names_in(e)}
    for line in reversed(adjoint):
        if isinstance(line, ir.For):
            after = set(later)
            for inner in reversed(line.body):
                if isinstance(inner, ir.Restore) and inner.slot.name not in after:
                    yield inner.slot
                after |= names_with_slots(inner)
        later |= names_with_slots(line)


def names_with_slots(line: ir.Statement) -> set[str]:
    """All names that a line has to do with."""
    found: set[str] = set()
    for statement in ir.walk_statements((line,)):
        found.update(ir.mentioned(statement), ir.defined_names(statement))
        if isinstance(statement, ir.Restore):
            slot = statement.slot
            parts = (e for e in (slot.target, slot.undo, slot.saved) if e is not None)
            found.update(n for e in parts for n in ir.names_in(e))
    return found


def _set_once(loop: Any, slots: Set[ir.Slot], is_number: IsNumber) -> Iterator[ir.Slot]:
    """Those of the slots that each trip fills, and then sets the name of, and nothing else does."""
    statements = list(ir.walk_statements(loop.body))
    bound = Counter(n for s in statements for n in ir.defined_names(s))
    bound.update(ir.target_names(loop.target) if isinstance(loop, ir.For) else ())
    kept = Counter(s.slot.name for s in statements if isinstance(s, ir.Save))
    set_later: set[str] = set()
    for line in reversed(loop.body):
        if _binds(line, is_number):
            set_later.update(ir.defined_names(line))
        elif isinstance(line, ir.Save) and line.slot in slots and is_binding(line.slot):
            name = line.slot.name
            if bound[name] == kept[name] == 1 and name in set_later:
                yield line.slot


def _binds(line: ir.Statement, is_number: IsNumber) -> bool:
    match line:
        case ir.Assign():
            return True
        case ir.Update(gast.Name() as target):
            return is_number(target)
    return False


def is_binding(slot: ir.Slot) -> bool:
    return slot.tape and comes_back_by_name(slot) and not slot.copy and slot.saved is None


def comes_back_by_name(slot: ir.Slot) -> bool:
    """Whether a name is bound to what was saved, which may be a copy of what it was."""
    return not slot.content and slot.undo is None and type(slot.target) is gast.Name


def _with_body(line: Any, change: Any, slots: Set[ir.Slot]) -> Any:
    match line:
        case ir.For(target, iterator, body, stop, origin):
            return ir.For(target, iterator, change(body, slots), stop, origin)
        case ir.While(test, body, stop, origin):
            return ir.While(test, change(body, slots), stop, origin)
    return line


def _filled_later(body: ir.Block, slots: Set[ir.Slot]) -> ir.Block:
    moved = {
        line.slot.name: line for line in body if isinstance(line, ir.Save) and line.slot in slots
    }
    lines: list[ir.Statement] = []
    for line in body:
        if isinstance(line, ir.Save) and line.slot in slots:
            continue
        lines.append(line)
        if isinstance(line, (ir.Assign, ir.Update)):
            lines += [moved[n] for n in reversed(ir.defined_names(line)) if n in moved]
    return tuple(lines)


def _emptied_first(body: ir.Block, slots: Set[ir.Slot]) -> ir.Block:
    first = [line for line in body if isinstance(line, ir.Restore) and line.slot in slots]
    moved = set(first)
    rest = (line for line in body if line not in moved)
    return without_idle_comments((*first, *rest))
