"""Tapes of one variable that are emptied in the order in which they were filled, turned round, are one tape.

    for k in range(n):                       ->      for k in range(n):
        a_tape.append(a[k].copy())                       a_tape.append(a[k].copy())
        a[k] = a[k] / a[k, k]                            a[k] = a[k] / a[k, k]
        a_tape_1.append(a[k + 1].copy())                 a_tape.append(a[k + 1].copy())
        a[k + 1] = a[k + 1] * a[k]                       a[k + 1] = a[k + 1] * a[k]

What is on one tape is of one kind. Tapes that a loop walks from end to end (walked_tapes.py) stay apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.infer import Facts
from tangentish.kinds import Kind, Num
from tangentish.language.webs import map_each, renamed_in

Order = tuple[Any, ...]
"""The tapes of a block in order: each by its name, those of a statement with blocks as (what it is, order, ...)."""


def share_tapes(parts: Parts) -> Parts:
    """The parts with fewer tapes."""
    names: dict[str, str] = {}
    for tapes in _candidates(parts):
        names |= _shared(tapes, parts)
    if not names:
        return parts
    kept = frozenset(names.values())
    forward = _made_once(renamed_in(parts.forward, names), kept)
    slots = {slot: names.get(name, name) for slot, name in parts.slots.items()}
    adjoint = renamed_in(parts.adjoint, names)
    return replace(parts, forward=_before_branches(forward, kept), adjoint=adjoint, slots=slots)


def _candidates(parts: Parts) -> Iterator[list[str]]:
    """Tapes of one slot each, by the variable and by the kind of what is on them."""
    slots_of: defaultdict[str, list[ir.Slot]] = defaultdict(list)
    for slot, name in parts.slots.items():
        if slot.tape and name not in parts.walked:
            slots_of[name].append(slot)
    alike: defaultdict[Any, list[str]] = defaultdict(list)
    for name, slots in slots_of.items():
        kind = _kind(slots[0], parts.analysis.facts)
        if len(slots) == 1 and isinstance(kind, Num) and kind.shape is not None and kind.known:
            rank = len(kind.shape)
            alike[ir.base_name(slots[0].name), kind.array, rank, kind.dtype].append(name)
    return (names for names in alike.values() if len(names) > 1)


def _kind(slot: ir.Slot, facts: Facts) -> Kind | None:
    """The kind of what is saved."""
    whole = isinstance(slot.target, gast.Name)
    return facts.web_kinds.get(slot.name) if whole else facts.kinds.get(slot.target)


def _shared(tapes: Sequence[str], parts: Parts) -> dict[str, str]:
    """The new names of tapes that are emptied in turn; none where they are not."""
    wanted = frozenset(tapes)
    filled, emptied = _order(parts.forward, wanted), _order(parts.adjoint, wanted)
    if sorted(_tapes_in(filled)) != sorted(tapes) or filled != _turned(emptied):
        return {}
    return dict.fromkeys(tapes[1:], tapes[0])


def _order(block: ir.Block, tapes: frozenset[str]) -> Order:
    """Where tapes are filled or emptied; that they are made says nothing."""
    order: list[Any] = []
    for statement in block:
        inner = tuple(_order(b, tapes) for b in ir.blocks_of(statement))
        own = [n for e in ir.expressions_of(statement) for n in ir.names_in(e) if n in tapes]
        if _made(statement) not in tapes:
            order += own
        if any(inner):
            what = "trips" if isinstance(statement, (ir.For, ir.While)) else type(statement)
            order.append((what, *inner))
    return tuple(order)


def _turned(order: Order) -> Order:
    """From the last to the first, and so within each block."""
    return tuple(
        part if isinstance(part, str) else (part[0], *map(_turned, part[1:]))
        for part in reversed(order)
    )


def _tapes_in(order: Order) -> Iterator[str]:
    for part in order:
        if isinstance(part, str):
            yield part
        else:
            for inner in part[1:]:
                yield from _tapes_in(inner)


def _made(statement: ir.Statement) -> str | None:
    """The list without elements that a line makes."""
    match statement:
        case ir.Assign(gast.Name(id=name), gast.List(elts=[])):
            return str(name)
    return None


def _made_once(block: ir.Block, tapes: Collection[str]) -> ir.Block:
    made: set[str | None] = set()
    lines: list[ir.Statement] = []
    for line in block:
        name = _made(line)
        if name not in made:
            lines.append(line)
        if name in tapes:
            made.add(name)
    return tuple(lines)


def _before_branches(block: ir.Block, tapes: frozenset[str]) -> ir.Block:
    """What is put on a tape at the head of both ways of a branch is put there before it."""
    lines: list[ir.Statement] = []
    for line in map_each(block, lambda b: _before_branches(b, tapes)):
        match line:
            case ir.If(test, (ir.Do(first) as put, *body), (ir.Do(second), *orelse), origin) if (
                ir.alike(first, second) and not tapes.isdisjoint(ir.names_in(first))
            ):
                lines += [put, ir.If(test, tuple(body), tuple(orelse), origin)]
            case _:
                lines.append(line)
    return tuple(lines)
