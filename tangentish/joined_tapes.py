"""Tapes that are filled together and emptied together are one tape of tuples.

    x_tape.append(x)                 ->      tape.append((x, y))
    y_tape.append(y)
    ...
    x = x_tape.pop()                 ->      x, y = tape.pop()
    y = y_tape.pop()

A name is kept, and taken back, anywhere between the lines of its block that set it, or read it; what is copied or
read out of an array is kept only where that line stands. Places in arrays have tapes of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.origins import NOWHERE
from tangentish.quote import quote
from tangentish.webs import map_statement

__all__ = ["join_tapes"]


@dataclass(frozen=True)
class _Site:
    """The one line that fills, or empties, a tape, and between which lines of its block it could stand."""

    block: int
    position: int
    first: int
    last: int
    part: Any  # what is kept, or where it goes


@dataclass
class _Group:
    name: str
    tapes: list[str] = field(default_factory=list)
    filled: list[_Site] = field(default_factory=list)
    emptied: list[_Site] = field(default_factory=list)

    def takes(self, filled: _Site, emptied: _Site) -> bool:
        return _meet([*self.filled, filled]) and _meet([*self.emptied, emptied])

    def add(self, tape: str, filled: _Site, emptied: _Site) -> None:
        self.tapes.append(tape)
        self.filled.append(filled)
        self.emptied.append(emptied)


def join_tapes(
    forward: ir.Block, adjoint: ir.Block, tapes: Collection[str]
) -> tuple[ir.Block, ir.Block, dict[str, str]]:
    """Forward pass and adjoint with fewer tapes, and the new names of those that were joined."""
    filled, emptied = _sites(forward, tapes, _filled), _sites(adjoint, tapes, _emptied)
    groups: list[_Group] = []
    for tape in (t for t in tapes if t in filled and t in emptied):
        group = next((g for g in groups if g.takes(filled[tape], emptied[tape])), None)
        if group is None:
            group = _Group(f"tape.~j{len(groups)}")
            groups.append(group)
        group.add(tape, filled[tape], emptied[tape])
    joined = [group for group in groups if len(group.tapes) > 1]
    forward = _rewritten(forward, [_filling(group) for group in joined])
    adjoint = _rewritten(adjoint, [_emptying(group) for group in joined])
    return forward, adjoint, {tape: group.name for group in joined for tape in group.tapes}


# ------------------------------------------------------------------------------------- the sites


def _filled(statement: ir.Statement) -> tuple[str, Any] | None:
    match statement:
        case ir.Do(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=tape), attr="append"), args=[value]
                )
            )
        ):
            return tape, value
    return None


def _emptied(statement: ir.Statement) -> tuple[str, Any] | None:
    match statement:
        case ir.Assign(
            gast.Name() as target,
            gast.Call(func=gast.Attribute(value=gast.Name(id=tape), attr="pop"), args=[]),
        ):
            return tape, target
    return None


def _sites(
    block: ir.Block,
    tapes: Collection[str],
    read: Callable[[ir.Statement], tuple[str, Any] | None],
) -> dict[str, _Site]:
    """The lines that `read` finds, of the tapes that are mentioned nowhere else."""
    mentions = Counter(
        n for s in ir.walk_statements(block) for e in ir.expressions_of(s) for n in ir.names_in(e)
    )
    sites: dict[str, _Site] = {}
    for inner in _blocks(block):
        for position, statement in enumerate(inner):
            found = read(statement)
            if found is not None and found[0] in tapes and mentions[found[0]] == 1:
                crosses = _may_cross(found[1], kept=read is _filled)
                first = last = position
                while first > 0 and crosses(inner[first - 1]):
                    first -= 1
                while last + 1 < len(inner) and crosses(inner[last + 1]):
                    last += 1
                sites[found[0]] = _Site(id(inner), position, first, last + 1, found[1])
    return sites


def _blocks(block: ir.Block) -> Iterable[ir.Block]:
    yield block
    for statement in block:
        for inner in ir.blocks_of(statement):
            yield from _blocks(inner)


def _may_cross(part: Any, kept: bool) -> Callable[[ir.Statement], bool]:
    """Whether a line that keeps a part, or takes it back, may change places with another line."""
    if not kept:
        return lambda statement: part.id not in _mentioned(statement)
    if type(part) is gast.Name:
        return lambda statement: part.id not in _bound(statement)
    return lambda _: False


def _bound(statement: ir.Statement) -> set[str]:
    return {n for s in ir.walk_statements((statement,)) for n in ir.defined_names(s)}


def _mentioned(statement: ir.Statement) -> set[str]:
    inner = ir.walk_statements((statement,))
    return {n for s in inner for e in ir.expressions_of(s) for n in ir.names_in(e)}


def _meet(sites: list[_Site]) -> bool:
    """Whether there is one place where all of them could stand."""
    return len({s.block for s in sites}) == 1 and max(s.first for s in sites) <= min(
        s.last for s in sites
    )


# ------------------------------------------------------------------------------------ rewriting


@dataclass(frozen=True)
class _Change:
    """The lines of a block that go, and the one that stands before one of its positions instead."""

    block: int
    gone: frozenset[int]
    place: int
    line: ir.Statement


def _filling(group: _Group) -> _Change:
    sites = group.filled
    line = ir.Do(
        gast.Expr(quote("{t}.append({v})", t=ir.name(group.name), v=_tuple(sites, gast.Load()))),
        NOWHERE,
    )
    return _change(sites, min(max(s.position for s in sites), *(s.last for s in sites)), line)


def _emptying(group: _Group) -> _Change:
    sites = group.emptied
    value = quote("{t}.pop()", t=ir.name(group.name))
    line = ir.Assign(_tuple(sites, gast.Store()), value, NOWHERE)
    return _change(sites, max(min(s.position for s in sites), *(s.first for s in sites)), line)


def _tuple(sites: list[_Site], ctx: Any) -> Any:
    return gast.Tuple([site.part for site in sites], ctx)


def _change(sites: list[_Site], place: int, line: ir.Statement) -> _Change:
    return _Change(sites[0].block, frozenset(s.position for s in sites), place, line)


def _rewritten(block: ir.Block, changes: list[_Change]) -> ir.Block:
    by_block: dict[int, list[_Change]] = {}
    for change in changes:
        by_block.setdefault(change.block, []).append(change)
    return _block(block, by_block) if changes else block


def _block(block: ir.Block, changes: Mapping[int, list[_Change]]) -> ir.Block:
    mine = changes.get(id(block), [])
    gone = frozenset().union(*(change.gone for change in mine))
    out: list[ir.Statement] = []
    said = False  # whether a comment stands above a line that went
    for position in range(len(block) + 1):
        lines = [change.line for change in mine if change.place == position]
        said = said and not lines
        out += lines
        if position in gone:
            said = bool(out) and isinstance(out[-1], ir.Comment)
            continue
        statement = block[position] if position < len(block) else None
        if said and (statement is None or isinstance(statement, ir.Comment)):
            out.pop()
        said = False
        if statement is not None:
            out.append(map_statement(statement, _same, lambda b: _block(b, changes)))
    return tuple(out)


def _same(expression: Any) -> Any:
    return expression
