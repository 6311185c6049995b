"""Tapes that are filled together and emptied together are one tape of tuples.

    x_tape.append(x)                 ->      tape.append((x, y))
    y_tape.append(y)
    ...
    x = x_tape.pop()                 ->      x, y = tape.pop()
    y = y_tape.pop()

A name is kept, and taken back, anywhere between the lines of its block that set it, or read it; what is copied or
read out of an array is kept only where that line stands. Where there is no one place for two tapes, the value of one
has a second name until then, if that is shorter than a tape:

    v_tape.append(v)                 ->      tape.append((v, w))
    v = w / 2                                v = w / 2
    w_tape.append(w)                         ...
    ...                                      v_old, w = tape.pop()
    w = w_tape.pop()                         dw = dv * v * w
    dw = dv * v * w                          v = v_old
    v = v_tape.pop()
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import popped
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.language.webs import map_blocks


@dataclass(frozen=True)
class _Span:
    """Places in a block: before the line `first`, before `last`, and between them."""

    block: int
    first: int
    last: int

    def __and__(self, other: _Span) -> _Span | None:
        first, last = max(self.first, other.first), min(self.last, other.last)
        meet = self.block == other.block and first <= last
        return _Span(self.block, first, last) if meet else None


@dataclass(frozen=True)
class _Site:
    """The one line that fills, or empties, a tape, and where in its block it could stand."""

    tape: str
    position: int
    span: _Span
    part: Any  # what is kept, or where it goes

    @property
    def second_name(self) -> Any:
        """`x_old` for what is on `x_tape`."""
        base, number = self.tape.split(".~")
        return ir.name(f"{base.removesuffix('_tape')}_old.~{number}")


@dataclass
class _Group:
    """Tapes that could all be filled at one place, and emptied at one place."""

    filled: _Span
    emptied: _Span
    tapes: list[str] = field(default_factory=list)

    def takes(self, tape: str, filled: _Span, emptied: _Span) -> bool:
        """Whether one more tape goes with them; if so, it does from here on."""
        there, back = self.filled & filled, self.emptied & emptied
        if there is None or back is None:
            return False
        self.filled, self.emptied = there, back
        self.tapes.append(tape)
        return True


def join_tapes(
    forward: ir.Block, adjoint: ir.Block, tapes: Collection[str], first: int
) -> tuple[ir.Block, ir.Block, dict[str, str]]:
    """Forward pass and adjoint with fewer tapes, and the new names of those that were joined, numbered from `first`."""
    if len(tapes) < 2:
        return forward, adjoint, {}
    filled, emptied = _sites(forward, tapes, _filled), _sites(adjoint, tapes, _emptied)
    both = [tape for tape in tapes if tape in filled and tape in emptied]
    groups = _by_second_names(_groups(both, filled, emptied), filled, emptied)
    groups = [group for group in groups if len(group) > 1]
    joined = {f"tape.~j{k}": group for k, group in enumerate(groups, first)}
    forward = _filled_together(forward, {n: [filled[t] for t in g] for n, g in joined.items()})
    adjoint = _emptied_together(adjoint, {n: [emptied[t] for t in g] for n, g in joined.items()})
    return forward, adjoint, {tape: name for name, group in joined.items() for tape in group}


def _groups(
    tapes: Sequence[str], filled: Mapping[str, _Site], emptied: Mapping[str, _Site]
) -> list[list[str]]:
    """Tapes that go together, all in the order in which they were named.

    They are joined as the fewest points that pierce intervals are found: in the order of the last places where they
    could be filled, each goes with the latest group or begins the next. What ends later and reaches an earlier group
    also reaches the latest, so that no other need be asked.
    """
    latest: dict[tuple[int, int], _Group] = {}
    groups: list[_Group] = []
    for tape in sorted(tapes, key=lambda t: (filled[t].span.last, -emptied[t].span.first)):
        there, back = filled[tape].span, emptied[tape].span
        blocks = there.block, back.block
        if blocks in latest and latest[blocks].takes(tape, there, back):
            continue
        latest[blocks] = _Group(there, back, [tape])
        groups.append(latest[blocks])
    order = {tape: k for k, tape in enumerate(tapes)}
    ordered = [sorted(group.tapes, key=order.__getitem__) for group in groups]
    return sorted(ordered, key=lambda group: order[group[0]])


FEW = 4  # groups of one block that are joined by second names


def _by_second_names(
    groups: Sequence[list[str]], filled: Mapping[str, _Site], emptied: Mapping[str, _Site]
) -> list[list[str]]:
    """The groups, of which those of one block are one where second names take fewer lines than another tape."""
    beside: defaultdict[tuple[int, int], list[list[str]]] = defaultdict(list)
    for group in groups:
        beside[filled[group[0]].span.block, emptied[group[0]].span.block].append(group)

    def names(group: list[str]) -> int:
        there, back = [filled[t] for t in group], [emptied[t] for t in group]
        return len(_gone_too_soon(there)) + len(_not_yet_taken(back))

    joined: list[list[str]] = []
    for first, *others in beside.values():
        mine = [first]
        for group in others if len(others) < FEW else ():
            both = [*mine[-1], *group]
            if names(both) - names(mine[-1]) - names(group) < _LINES_OF_A_TAPE:
                mine[-1] = both
            else:
                mine.append(group)
        joined += mine if len(others) < FEW else [first, *others]
    return joined


_LINES_OF_A_TAPE = 3  # made, filled, emptied


def _gone_too_soon(sites: Sequence[_Site]) -> list[_Site]:
    """Of what is kept together, what has its next value before all the others have theirs."""
    first = max(site.span.first for site in sites)
    return [site for site in sites if site.span.last < first]


def _not_yet_taken(sites: Sequence[_Site]) -> list[_Site]:
    """Of what comes back together, what another value is still read of under its name."""
    last = min(site.span.last for site in sites)
    return [site for site in sites if site.span.first > last]


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
        case ir.Assign(gast.Name() as target, value) if tape := popped(value):
            return tape, target
    return None


def _sites(
    block: ir.Block,
    tapes: Collection[str],
    read: Callable[[ir.Statement], tuple[str, Any] | None],
) -> dict[str, _Site]:
    """The lines that `read` finds, of the tapes that are mentioned nowhere else."""
    mentions, wanted = ir.mentions(block), frozenset(tapes)
    names_of = ir.defined_names if read is _filled else ir.mentioned
    sites: dict[str, _Site] = {}
    for inner in ir.blocks_within(block):
        found = [(position, read(statement)) for position, statement in enumerate(inner)]
        mine = [
            (k, *line) for k, line in found if line and line[0] in wanted and mentions[line[0]] == 1
        ]
        parts = frozenset(part.id for _, _, part in mine if type(part) is gast.Name)
        where = _where(inner, parts, names_of) if mine else {}
        for position, tape, part in mine:
            first, last = position, position + 1
            if type(part) is gast.Name:
                first, last = _around(position, where.get(part.id, []), len(inner))
            sites[tape] = _Site(tape, position, _Span(id(inner), first, last), part)
    return sites


def _where(
    block: ir.Block, names: Collection[str], names_of: Callable[[ir.Statement], Iterable[str]]
) -> dict[str, list[int]]:
    """The lines of a block that a line which keeps one of the names, or takes it back, can't change places with."""
    where: dict[str, list[int]] = {}
    for position, statement in enumerate(block):
        for inner in ir.walk_statements((statement,)):
            for name in names_of(inner):
                if name in names:
                    where.setdefault(name, []).append(position)
    return where


def _around(position: int, others: list[int], end: int) -> tuple[int, int]:
    """Between which lines one may move: after the last of `others` before it, up to the first that follows."""
    before, after = bisect_left(others, position), bisect_right(others, position)
    return (
        others[before - 1] + 1 if before else 0,
        others[after] if after < len(others) else end,
    )


# ------------------------------------------------------------------------------------ rewriting


@dataclass
class _Changes:
    """The lines of a block that go, and those that stand before its positions instead."""

    gone: set[int] = field(default_factory=set)
    lines: dict[int, list[ir.Statement]] = field(default_factory=dict)

    def put(self, place: int, line: ir.Statement, sites: Sequence[_Site]) -> None:
        self.gone.update(site.position for site in sites)
        self.lines.setdefault(place, []).append(line)


def _filled_together(block: ir.Block, joined: Mapping[str, Sequence[_Site]]) -> ir.Block:
    inside = {id(inner): inner for inner in ir.blocks_within(block)} if joined else {}
    changes: defaultdict[int, _Changes] = defaultdict(_Changes)
    for name, sites in joined.items():
        where, apart = sites[0].span.block, _gone_too_soon(sites)
        rest = [site for site in sites if site not in apart]
        for site in apart:
            line = ir.Assign(site.second_name, site.part, NOWHERE)
            changes[where].put(site.position, line, [site])
        value = quote("{t}.append({v})", t=ir.name(name), v=_tuple(sites, apart, gast.Load()))
        place = min(max(s.position for s in rest), *(s.span.last for s in rest))
        place = _before_next_value(inside[where], max(s.span.first for s in rest), place, rest)
        changes[where].put(place, ir.Do(gast.Expr(value), NOWHERE), rest)
    return _rewritten(block, changes)


def _before_next_value(block: ir.Block, first: int, last: int, sites: Sequence[_Site]) -> int:
    """The place from `first` to `last` above the line that gives a name which is kept its next value.

    Below it both values would have to be there, one of them under another name.
    """
    bases = {ir.base_name(s.part.id) for s in sites if type(s.part) is gast.Name}
    for place in range(first, last):
        defined = (name for name in ir.defined_names(block[place]) if "~" not in name)
        if not bases.isdisjoint(map(ir.base_name, defined)):
            return place
    return last


def _emptied_together(block: ir.Block, joined: Mapping[str, Sequence[_Site]]) -> ir.Block:
    changes: defaultdict[int, _Changes] = defaultdict(_Changes)
    for name, sites in joined.items():
        where, apart = sites[0].span.block, _not_yet_taken(sites)
        rest = [site for site in sites if site not in apart]
        value = quote("{t}.pop()", t=ir.name(name))
        place = max(min(s.position for s in rest), *(s.span.first for s in rest))
        line = ir.Assign(_tuple(sites, apart, gast.Store()), value, NOWHERE)
        changes[where].put(place, line, rest)
        for site in apart:
            changes[where].put(
                site.position, ir.Assign(site.part, site.second_name, NOWHERE), [site]
            )
    return _rewritten(block, changes)


def _tuple(sites: Sequence[_Site], apart: Sequence[_Site], ctx: Any) -> Any:
    return gast.Tuple([s.second_name if s in apart else s.part for s in sites], ctx)


def _rewritten(block: ir.Block, changes: Mapping[int, _Changes]) -> ir.Block:
    if not changes:
        return block
    mine = changes.get(id(block), _Changes())
    out: list[ir.Statement] = []
    said = False  # whether a comment stands above a line that went
    for position in range(len(block) + 1):
        lines = mine.lines.get(position, [])
        said = said and not lines
        out += lines
        if position in mine.gone:
            said = bool(out) and isinstance(out[-1], ir.Comment)
            continue
        statement = block[position] if position < len(block) else None
        if said and (statement is None or isinstance(statement, ir.Comment)):
            out.pop()
        said = False
        if statement is not None:
            out.append(map_blocks(statement, lambda b: _rewritten(b, changes)))
    return tuple(out)
