"""What both ways of a branch save is saved before the branch, and restored around it.

    if s > 0:                       save v
        save v                      if s > 0:
        v = v + s * s         ->        v = v + s * s
    else:                           else:
        save v                          v = v - s
        v = v - s

    if s > 0:                       if s > 0:
        ds = 2 * dv * s                 ds = 2 * dv * s
        restore v             ->    else:
    else:                               ds = -dv
        ds = -dv                    restore v
        restore v

So there is one tape instead of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tangentish import ir
from tangentish.language.webs import map_blocks
from tangentish.recording.late_saves import is_binding, names_with_slots


def saved_once(forward: ir.Block, adjoint: ir.Block) -> tuple[ir.Block, ir.Block]:
    """Forward pass and adjoint where slots of both ways are one."""
    while pairs := _pairs(forward):
        moves = _Moves(pairs)
        adjoint = moves.block(adjoint)
        if not moves.moved:
            break
        forward = _saved_before(forward, moves.moved)
    return forward, adjoint


def _pairs(forward: ir.Block) -> dict[ir.Slot, ir.Slot]:
    """The slots of the one way, and those of the other that save the same."""
    lines = list(ir.walk_statements(forward))
    unset = {line.slot for line in lines if isinstance(line, ir.Unset)}
    found: dict[ir.Slot, ir.Slot] = {}
    for line in lines:
        if isinstance(line, ir.If):
            others = {slot.name: slot for slot in _saved_first(line.orelse)}
            for slot in _saved_first(line.body):
                other = others.get(slot.name)
                if other is not None and slot.tape == other.tape and not {slot, other} & unset:
                    found[slot] = other
    return found


def _saved_first(way: ir.Block) -> Iterator[ir.Slot]:
    """The slots that hold what names are bound to where a way begins."""
    bound: set[str] = set()
    for line in way:
        if isinstance(line, ir.Save):
            if is_binding(line.slot) and line.slot.name not in bound:
                yield line.slot
        elif not isinstance(line, (ir.Assign, ir.Update, ir.Comment, ir.Unset)):
            return
        bound.update(ir.defined_names(line))


def _saved_before(block: ir.Block, moved: Mapping[ir.Slot, ir.Slot]) -> ir.Block:
    """A forward pass in which the first slots of pairs are filled before the branch, and the others are gone."""
    others = set(moved.values())
    lines: list[ir.Statement] = []
    for line in block:
        if isinstance(line, ir.Save) and (line.slot in moved or line.slot in others):
            continue
        if isinstance(line, ir.If):
            saves = (s for s in line.body if isinstance(s, ir.Save))
            lines += [save for save in saves if save.slot in moved]
        lines.append(map_blocks(line, lambda inner: _saved_before(inner, moved)))
    return tuple(lines)


@dataclass
class _Moves:
    """Restores that go out of both ways of a branch of the adjoint, where that is the same."""

    pairs: Mapping[ir.Slot, ir.Slot]
    moved: dict[ir.Slot, ir.Slot] = field(default_factory=dict)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for line in block for new in self.line(map_blocks(line, self.block)))

    def line(self, line: ir.Statement) -> Iterator[ir.Statement]:
        if not isinstance(line, ir.If):
            yield line
            return
        before: list[ir.Statement] = []
        after: list[ir.Statement] = []
        for restore in [s for s in line.body if isinstance(s, ir.Restore)]:
            other = self.pairs.get(restore.slot)
            counterpart = [s for s in line.orelse if isinstance(s, ir.Restore) and s.slot is other]
            if not counterpart:
                continue
            ways = [(line.body, restore), (line.orelse, counterpart[0])]
            name = restore.slot.name
            if not any(_mentions(_after(*way), name) for way in ways):
                after.append(restore)
            elif name not in ir.names_in(line.test) and not any(
                _mentions(_before(*way), name) for way in ways
            ):
                before.append(restore)
            else:
                continue
            assert other is not None
            self.moved[restore.slot] = other
            line = ir.If(line.test, _without(*ways[0]), _without(*ways[1]), line.origin)
        yield from before
        yield line
        yield from after


def _before(block: ir.Block, line: ir.Statement) -> ir.Block:
    return block[: block.index(line)]


def _after(block: ir.Block, line: ir.Statement) -> ir.Block:
    return block[block.index(line) + 1 :]


def _without(block: ir.Block, line: ir.Statement) -> ir.Block:
    return tuple(other for other in block if other is not line)


def _mentions(lines: Iterable[ir.Statement], name: str) -> bool:
    return any(name in names_with_slots(line) for line in lines)
