"""The trip in which a loop is left has no adjoint where nothing of it is left: only whole trips are recorded.

    for k in range(60):                         for k in range(60):
        t = np.cos(y)                               t = np.cos(y)
        save t                                      test = abs(t * x - y) < 1e-6
        test = abs(t * x - y) < 1e-6                if test:
        save test                                       stop = True
        if test:                                    else:
            stop = True                    ->           save t
        else:                                           y = t * x
            y = t * x                                   trips += 1
        trips += 1

    for k in reversed(range(trips)):            for k in reversed(range(trips)):
        restore t, test                             restore t
        if test:                                    dnew = dy
            dnew = 0.0                              ...
        else:
            dnew = dy
        ...

There the adjoint would only add zeros; what it restores was never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.folding.breaks import sets_flag
from tangentish.folding.idle import Idle
from tangentish.language.webs import map_blocks


def whole_trips(
    forward: ir.Block, adjoint: ir.Block, results: Iterable[Any]
) -> tuple[ir.Block, ir.Block]:
    """Forward pass and adjoint without the trips that are left before anything comes of them.

    results: what is returned after the adjoint.
    """
    trips = [(s, trip) for s in ir.walk_statements(forward) if (trip := _trip(s)) is not None]
    if not trips:
        return forward, adjoint
    uses = _uses(adjoint)
    for e in results:
        uses.update(ir.names_in(e))
    back = {
        name: loop
        for loop in ir.walk_statements(adjoint)
        if isinstance(loop, ir.For)
        for name in ir.names_in(loop.iter)
    }
    new: dict[ir.Statement, ir.Statement] = {}
    for loop, trip in trips:
        if trip.counter in back:
            new |= _shortened(loop, trip, back[trip.counter], uses)
    return _replaced(forward, new), _replaced(adjoint, new)


def _replaced(block: ir.Block, new: dict[ir.Statement, ir.Statement]) -> ir.Block:
    return tuple(map_blocks(new.get(s, s), lambda inner: _replaced(inner, new)) for s in block)


def _uses(block: ir.Block) -> Counter[str]:
    """How often each value stands in the lines of a block."""
    return Counter(n for s in ir.walk_statements(block) for n in ir.mentioned(s))


# ---------------------------------------------------------------------------------- forward pass


@dataclass(frozen=True)
class _Trip:
    """A trip forward: `before`, then it is left, or `rest` comes; what is saved before, what after it."""

    before: ir.Block
    leaving: ir.If
    early: tuple[ir.Slot, ...]
    late: tuple[ir.Slot, ...]
    count: ir.Update

    @property
    def counter(self) -> str:
        return str(self.count.target.id)

    @property
    def test(self) -> Any:
        return self.leaving.test


def _trip(loop: ir.Statement) -> _Trip | None:
    """The trip of a loop that is left in its middle, where only names are saved up to there."""
    if not isinstance(loop, ir.For | ir.While) or not isinstance(loop.stop, gast.Name):
        return None
    flag = loop.stop.id
    places = [k for k, s in enumerate(loop.body) if _leaves(s, flag)]
    if len(places) != 1:
        return None
    before, leaving, after = _split(loop.body, places[0])
    if any(sets_flag(s, flag) for s in ir.walk_statements((*before, *after))):
        return None
    counts = [s for s in after if isinstance(s, ir.Update)]
    saves = [s.slot for s in after if isinstance(s, ir.Save)]
    early = [s.slot for s in before if isinstance(s, ir.Save)]
    plain = tuple(s for s in before if not isinstance(s, ir.Save))
    if len(counts) != 1 or len(counts) + len(saves) != len(after):
        return None
    if _saves_inside(plain) or not all(_is_name(slot, before) for slot in early):
        return None
    if not all(map(_is_plain, saves)):
        return None
    assert isinstance(leaving, ir.If)
    return _Trip(plain, leaving, tuple(early), tuple(saves), counts[0])


def _split(block: ir.Block, k: int) -> tuple[ir.Block, ir.Statement, ir.Block]:
    return block[:k], block[k], block[k + 1 :]


def _leaves(statement: ir.Statement, flag: str) -> bool:
    """`if test: stop = True`"""
    match statement:
        case ir.If(_, [only]):
            return sets_flag(only, flag)
    return False


def _saves_inside(block: ir.Block) -> bool:
    return any(isinstance(s, ir.Save | ir.Unset | ir.Restore) for s in ir.walk_statements(block))


def _is_plain(slot: ir.Slot) -> bool:
    """Whether what a name is bound to is saved, and nothing else."""
    return slot.tape and not (slot.content or slot.copy or slot.undo or slot.saved)


def _is_name(slot: ir.Slot, before: ir.Block) -> bool:
    """Whether a name is saved that is set before in the trip, and not after."""
    places = [
        k
        for k, statement in enumerate(before)
        for inner in ir.walk_statements((statement,))
        if slot.name in ir.defined_names(inner)
    ]
    saved = next(k for k, s in enumerate(before) if isinstance(s, ir.Save) and s.slot is slot)
    return _is_plain(slot) and bool(places) and max(places) < saved


# --------------------------------------------------------------------------------------- adjoint


def _shortened(
    loop: ir.Statement, trip: _Trip, reverse: ir.For, uses: Counter[str]
) -> dict[ir.Statement, ir.Statement]:
    """The loop, and the one back over its trips, without the trip that is left; nothing where that is more."""
    places = [k for k, s in enumerate(reverse.body) if _asks(s, trip.test)]
    if len(places) != 1:
        return {}
    head, asked, tail = _split(reverse.body, places[0])
    assert isinstance(asked, ir.If)
    slots = (*trip.early, *trip.late)
    restored = [s.slot for s in head if isinstance(s, ir.Restore)]
    if set(restored) != set(slots) or len(restored) != len(slots):
        return {}
    counted = ir.names_in(reverse.iter).count(trip.counter)
    if not _are_restored_first(head) or uses[trip.counter] != counted:
        return {}
    idle, mine = Idle(), _uses((reverse,))
    body = (*head, *asked.orelse, *tail)
    if not (
        idle.block(tuple(s for s in head if not isinstance(s, ir.Restore)))
        and idle.block((*asked.body, *tail))
        and all(uses[n] == mine[n] and _is_set_first(n, body) for n in idle.names)
    ):
        return {}
    name = getattr(trip.test, "id", None)
    gone = {slot for slot in slots if slot.name == name and uses[slot.name] == 1}
    body = tuple(s for s in body if not (isinstance(s, ir.Restore) and s.slot in gone))
    return {loop: _forward(loop, trip, gone), reverse: replace(reverse, body=body)}


def _asks(statement: ir.Statement, test: Any) -> bool:
    return isinstance(statement, ir.If) and ir.dump(statement.test) == ir.dump(test)


def _are_restored_first(head: ir.Block) -> bool:
    """Whether nothing reads, before it is restored, what is restored at the head of a trip."""
    read: set[str] = set()
    for statement in head:
        if isinstance(statement, ir.Restore) and statement.slot.name in read:
            return False
        read.update(ir.mentioned(statement))
    return True


def _forward(loop: ir.Statement, trip: _Trip, gone: set[ir.Slot]) -> ir.Statement:
    def saved(slots: Sequence[ir.Slot]) -> Iterator[ir.Statement]:
        return (ir.Save(slot) for slot in slots if slot not in gone)

    rest = (*saved(trip.early), *trip.leaving.orelse, *saved(trip.late), trip.count)
    assert isinstance(loop, ir.For | ir.While)
    return replace(loop, body=(*trip.before, replace(trip.leaving, orelse=rest)))


def _is_set_first(name: str, block: ir.Block) -> bool:
    """Whether a block that mentions a value sets it before all else, on every way."""
    for statement in block:
        match statement:
            case ir.Assign(gast.Name(id=target), value) if target == name:
                return name not in ir.names_in(value)
            case ir.If(test, body, orelse) if name not in ir.names_in(test):
                ways = [_is_set_first(name, way) for way in (body, orelse)]
                if _uses((statement,))[name]:
                    return all(ways) and all(_uses(way)[name] for way in (body, orelse))
            case _ if _uses((statement,))[name]:
                return False
    return True
