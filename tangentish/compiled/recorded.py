"""What a trip of a forward loop records, and the adjoint takes back before all else."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.algebra.expressions import popped

Loop = ir.For | ir.While


@dataclass(frozen=True, eq=False)
class Item:
    """A number on a tape: the value that is recorded, and where; the lines that record it and take it back."""

    value: str
    tape: str
    save: ir.Statement
    restore: ir.Statement


@dataclass(frozen=True, eq=False)
class Trip:
    """A loop of the forward pass, one of the adjoint, and what one hands the other under the same name.

    head: the lines at the head of the adjoint's trip that take back what was recorded, or set again what was not.
    """

    forward: Loop
    adjoint: Loop
    items: tuple[Item, ...]
    head: ir.Block


def trips_of(parts: Parts) -> Iterator[Trip]:
    """The loops that record what the adjoint takes back at the head of its trips, each tape for one place alone."""
    saves, restores = (
        Counter(_tapes(parts.forward, saved)),
        Counter(_tapes(parts.adjoint, restored)),
    )
    places = {
        tape: (loop, statement, values)
        for loop in _loops(parts.forward)
        for statement in loop.body
        for tape, values in saved(statement)
        if saves[tape] == restores[tape] == 1
    }
    again = {_told(s) for loop in _loops(parts.forward) for s in loop.body}
    for adjoint in _loops(parts.adjoint):
        found: dict[Loop, list[Item]] = {}
        head = _head(adjoint.body, again)
        for statement in head:
            for tape, targets in restored(statement):
                if tape in places:
                    forward, save, values = places[tape]
                    pairs = zip(values, targets, strict=True)
                    same = (v.id for v, t in pairs if type(v) is gast.Name and v.id == t.id)
                    found.setdefault(forward, []).extend(
                        Item(name, tape, save, statement) for name in same
                    )
        for forward, items in found.items():
            read = {n for s in head for e in ir.expressions_of(s)[:1] for n in ir.names_in(e)}
            apart = tuple(item for item in items if item.value not in read)
            yield Trip(forward, adjoint, apart, head)


def _head(body: ir.Block, again: set[str]) -> ir.Block:
    """The lines that take back what was recorded, and those that the forward pass has, too."""

    def belongs(statement: ir.Statement) -> bool:
        return any(restored(statement)) or _told(statement) in again

    return tuple(itertools.takewhile(belongs, body))


def _told(statement: ir.Statement) -> str:
    """What tells equal assignments of names; nothing for other lines."""
    if not isinstance(statement, ir.Assign) or any(ir.store_targets(statement.target)):
        return repr(statement)
    return f"{same_text(statement.target)} = {same_text(statement.value)}"


def same_text(e: Any) -> str:
    """What tells equal expressions."""
    return str(gast.dump(e, annotate_fields=False))


def _loops(block: ir.Block) -> Iterator[Loop]:
    return (s for s in ir.walk_statements(block) if isinstance(s, (ir.For, ir.While)))


def _tapes(block: ir.Block, found: Any) -> list[str]:
    return [tape for s in ir.walk_statements(block) for tape, _ in found(s)]


def saved(statement: ir.Statement) -> Iterator[tuple[str, list[Any]]]:
    """The tape that a line fills, and with what."""
    match statement:
        case ir.Do(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=tape), attr="append"), args=[value]
                )
            )
        ) if ir.is_value(tape):
            yield tape, ir.parts_of(value)


def restored(statement: ir.Statement) -> Iterator[tuple[str, list[Any]]]:
    """The tape that a line empties, and where to."""
    if isinstance(statement, ir.Assign) and (tape := popped(statement.value)):
        targets = ir.parts_of(statement.target)
        if all(type(part) is gast.Name for part in targets):
            yield tape, targets
