"""Loops are left where the user leaves them: flags that only say so become `break`.

for x in xs:                           for x in xs:
    y = f(x)                               y = f(x)
    if y > 1:                              trips += 1
        stop = True            ->          if y > 1:
    else:                                      break
        z = g(y)                           z = g(y)
    trips += 1
    (leave if stop)

This comes last, when values have their names: until then a trip runs to its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.origins import NOWHERE
from tangentish.language.webs import map_blocks


def with_breaks(block: ir.Block) -> ir.Block:
    """The statements of a function, its loops left by `break` where nothing else happens in a trip."""
    loops = (s for s in ir.walk_statements(block) if isinstance(s, ir.For | ir.While))
    flags = {loop.stop.id for loop in loops if isinstance(loop.stop, gast.Name)}
    if not flags:
        return block
    made = _Breaks(_reads_in(block)).block(block)
    reads = _reads_in(made)
    return _without_flags(made, {flag for flag in flags if not reads[flag]})


def sets_flag(statement: ir.Statement, flag: str) -> bool:
    """`stop = True`"""
    match statement:
        case ir.Assign(gast.Name(id=name), value):
            return bool(name == flag) and _is_true(value)
    return False


def _reads_in(block: ir.Block) -> Counter[str]:
    """How often each value is read."""
    reads: Counter[str] = Counter()
    for statement in ir.walk_statements(block):
        reads.update(ir.mentioned(statement))
        if isinstance(statement, ir.Assign | ir.For):
            reads.subtract(ir.target_names(statement.target))
        if isinstance(statement, ir.For | ir.While) and statement.stop is not None:
            reads.update(ir.names_in(statement.stop))
    return reads


@dataclass
class _Breaks:
    reads: Counter[str]

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, statement: ir.Statement) -> ir.Statement:
        """Where an exception may be caught, what is noted of a trip stays behind what may raise it."""
        if isinstance(statement, ir.Try | ir.Finally | ir.With):
            return statement
        new = map_blocks(statement, self.block)
        match new:
            case (ir.For() | ir.While()) as loop if isinstance(loop.stop, gast.Name):
                body = self.left(loop.body, loop.stop.id)
                return loop if body is None else replace(loop, body=body, stop=None)
        return new

    def left(self, body: ir.Block, flag: str) -> ir.Block | None:
        """The body of a loop with its breaks, or None where a flag is set elsewhere than at the end of a trip."""
        sets = sum(sets_flag(s, flag) for s in ir.walk_statements(body))
        return self.broken(body, flag) if sets == _ends_that_set(body, flag) else None

    def broken(self, block: ir.Block, flag: str) -> ir.Block:
        """A block at the end of a trip, left where it set the flag."""
        if _ends_with(block, flag):
            return (*block, ir.Break(NOWHERE))
        before, last, notes = _ended(block)
        if not isinstance(last, ir.If) or not _ends_that_set((last,), flag):
            return block
        body, orelse = self.broken(last.body, flag), self.broken(last.orelse, flag)
        if body and isinstance(body[-1], ir.Break):
            leaving = replace(self.folded(before, last), body=body, orelse=())
            return (*before, *notes, leaving, *orelse)
        return (*before, *notes, replace(last, body=body, orelse=orelse))

    def folded(self, before: list[ir.Statement], leaving: ir.If) -> ir.If:
        """`test = x > 1; if test: ...`  ->  `if x > 1: ...`"""
        match before[-1:], leaving.test:
            case [ir.Assign(gast.Name(id=name), value)], gast.Name(id=same) if (
                name == same and "~" in name and self.reads[name] == 1
            ):
                before.pop()
                return replace(leaving, test=value)
        return leaving


def _is_note(statement: ir.Statement) -> bool:
    """What is noted at the end of a trip: `tape.append((x, y))`, `trips += 1`."""
    match statement:
        case ir.Do():
            kept = pushed(statement)
            return kept is not None and all(isinstance(part, gast.Name) for part in kept[1])
        case ir.Update(gast.Name(id=name), gast.Add(), gast.Constant(value=1)):
            return "~" in name and ir.base_name(name).startswith("trips")
    return False


def pushed(statement: ir.Statement) -> tuple[str, list[Any]] | None:
    """A tape and what is put on it: `tape.append((x, y))`."""
    match statement:
        case ir.Do(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=tape), attr="append"), args=[e]
                )
            )
        ) if "~" in tape:
            return tape, ir.parts_of(e)
    return None


def _may_pass(notes: Sequence[ir.Statement], last: ir.Statement) -> bool:
    """Whether what is noted is the same before the last line of a trip: references, to nothing bound there."""
    noted = {n for note in notes for n in ir.mentioned(note)}
    inside = list(ir.walk_statements((last,)))
    used = {n for s in inside for n in ir.mentioned(s)}
    tapes = {found[0] for note in notes if (found := pushed(note)) is not None}
    bound = {n for s in inside for n in ir.defined_names(s)}
    return noted.isdisjoint(bound) and tapes.isdisjoint(used)


def _ended(block: ir.Block) -> tuple[list[ir.Statement], ir.Statement | None, ir.Block]:
    """What comes before the last line that does something, that line, and what is noted after it."""
    end = len(block)
    while end and _is_note(block[end - 1]):
        end -= 1
    return list(block[: end - 1]) if end else [], block[end - 1] if end else None, block[end:]


def _ends_that_set(block: ir.Block, flag: str) -> int:
    """How many ways through a block end with the flag being set."""
    _, last, notes = _ended(block)
    if not isinstance(last, ir.If):
        return int(_ends_with(block, flag))
    return sum(_ends_that_set(b, flag) for b in ir.blocks_of(last)) if _may_pass(notes, last) else 0


def _ends_with(block: ir.Block, flag: str) -> bool:
    """Whether a block sets the flag, and after it only others, and notes."""
    for statement in reversed(block):
        if sets_flag(statement, flag):
            return True
        another = isinstance(statement, ir.Assign) and _is_true(statement.value)
        if not another and not _is_note(statement):
            return False
    return False


def _is_true(e: Any) -> bool:
    return isinstance(e, gast.Constant) and e.value is True


def _without_flags(block: ir.Block, gone: set[str]) -> ir.Block:
    """The block without flags that nobody reads any more."""
    return tuple(
        map_blocks(s, lambda b: _without_flags(b, gone))
        for s in block
        if not (
            isinstance(s, ir.Assign) and isinstance(s.target, gast.Name) and s.target.id in gone
        )
    )
