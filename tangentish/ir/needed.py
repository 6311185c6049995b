"""Which values are needed at each point of a block: sets of values as the bits of integers.

What a loop body reads before it sets it is found once for each loop, so that every statement is passed twice at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from tangentish import ir

Define = Callable[[Iterable[str], int], None]


def read_before_set(block: ir.Block) -> set[str]:
    """The values that a block reads and does not set itself before."""
    return set(Needed().values_in(block))


class ReadBehind:
    """What is read behind each line of a block and not set before: for all lines at once, when one asks.

    later: whether one of these names is read behind the block.
    """

    def __init__(self, block: ir.Block, later: Callable[[Iterable[str]], bool]) -> None:
        self.block, self.walk, self.later = block, Needed(), later

    @cached_property
    def mentioned(self) -> Counter[str]:
        return ir.mentions(self.block)

    @cached_property
    def at(self) -> list[int]:
        """What is needed before each line, and at the end."""
        found = [self.walk.all_of(name for name in self.mentioned if self.later((name,)))]
        for statement in reversed(self.block):
            found.append(self.walk.statement(statement, found[-1], None))
        return found[::-1]

    def any_of(self, names: Iterable[str], position: int) -> bool:
        """Whether one of these names is read behind the line there (-1: by any line)."""
        inside: list[str] = []
        outside: list[str] = []  # name by name: few are asked for of the many that are mentioned
        for name in names:
            (inside if name in self.mentioned else outside).append(name)
        read = bool(self.at[position + 1] & self.walk.all_of(inside))
        return read or (bool(outside) and self.later(outside))


@dataclass
class Needed:
    """The walk back over a block. `define` is told of each definition, with what is needed after it."""

    define: Define | None = None
    bits: dict[str, int] = field(default_factory=dict)
    exposed: dict[ir.Statement, int] = field(
        default_factory=dict
    )  # what trips read of what was before
    raised: int = 0  # what those who catch an exception need

    def values_in(self, block: ir.Block) -> Iterator[str]:
        needed = self.block(block, 0, self.define)
        return (value for value, bit in self.bits.items() if needed & bit)

    def bit(self, value: str) -> int:
        if value not in self.bits:
            self.bits[value] = 1 << len(self.bits)
        return self.bits[value]

    def read(self, expression: Any) -> int:
        result = 0
        for name in ir.reads_of(expression).values:
            result |= self.bits.get(name) or self.bit(name)
        return result

    def all_of(self, values: Iterable[str]) -> int:
        result = 0
        for value in values:
            result |= self.bit(value)
        return result

    def block(self, block: ir.Block, needed: int, define: Define | None) -> int:
        for statement in reversed(block):
            after = needed
            needed = self.statement(statement, after, define) | self.raised
            if define is not None:
                counters = _counters(statement)
                if counters:
                    define(counters, after | needed)
        return needed

    def statement(self, statement: ir.Statement, needed: int, define: Define | None) -> int:
        if statement.__class__ in ir.LINES:
            return self.line(statement, needed, define)
        match statement:
            case ir.If(test, body, orelse):
                ways = self.block(body, needed, define) | self.block(orelse, needed, define)
                return ways | self.read(test)
            case ir.For() | ir.While():
                return self.loop(statement, needed, define)
            case ir.Try() | ir.Finally() | ir.With():
                return self.guarded_statement(statement, needed, define)
        raise AssertionError(f"{type(statement).__name__} is no statement")

    def line(self, statement: ir.Statement, needed: int, define: Define | None) -> int:
        names = ir.defined_names(statement)
        own = self.all_of(names)
        if define is not None:
            define(names, needed | own)
        if isinstance(statement, ir.Assign):
            in_target = self.read(statement.target) & ~own
            return needed & ~own | in_target | self.read(statement.value)
        if isinstance(statement, ir.Restore) and _binds(statement.slot):
            return needed & ~own
        for expression in ir.expressions_of(statement):
            needed |= self.read(expression)
        return needed

    def guarded_statement(
        self, statement: ir.Try | ir.Finally | ir.With, needed: int, define: Define | None
    ) -> int:
        match statement:
            case ir.Try(body, handlers, orelse):
                raised = 0
                for handler in handlers:
                    raised |= self.handler(handler, needed, define)
                return self.guarded(body, self.block(orelse, needed, define), raised, define)
            case ir.Finally(body, final):
                raised = self.block(final, 0, None)
                return self.guarded(body, self.block(final, needed, define), raised, define)
            case ir.With(items, body):
                needed = self.block(body, needed, define)
                own = self.defined(ir.defined_names(statement), needed, define)
                return self.all_read(e for item in items for e in item) & ~own | needed & ~own

    def guarded(self, body: ir.Block, needed: int, raised: int, define: Define | None) -> int:
        outer, self.raised = self.raised, self.raised | raised
        needed = self.block(body, needed, define)
        self.raised = outer
        return needed | raised

    def handler(self, handler: ir.Handler, needed: int, define: Define | None) -> int:
        needed = self.block(handler.body, needed, define)
        if handler.name is not None:
            needed &= ~self.defined((handler.name.id,), needed, define)
        return needed | self.all_read((handler.type,))

    def defined(self, names: tuple[str, ...], needed: int, define: Define | None) -> int:
        """The bits of values that are set where others are needed afterwards."""
        own = self.all_of(names)
        if define is not None and names:
            define(names, needed | own)
        return own

    def all_read(self, expressions: Iterable[Any]) -> int:
        result = 0
        for expression in expressions:
            result |= 0 if expression is None else self.read(expression)
        return result

    def loop(self, loop: ir.For | ir.While, after: int, define: Define | None) -> int:
        start = after | self.exposed_by(loop) | self.raised
        if define is not None:
            end = self.block(loop.body, start | self.stop_of(loop), define)
            if isinstance(loop, ir.For):
                define(tuple(ir.target_names(loop.target)), end)
        return start | self.read(loop.iter) if isinstance(loop, ir.For) else start

    def exposed_by(self, loop: ir.For | ir.While) -> int:
        """What the test and the trips of a loop read before they set it."""
        if loop not in self.exposed:
            read = self.block(loop.body, self.stop_of(loop), None)
            if isinstance(loop, ir.For):
                read &= ~self.all_of(ir.target_names(loop.target))
            else:
                read |= self.read(loop.test)
            self.exposed[loop] = read
        return self.exposed[loop]

    def stop_of(self, loop: ir.For | ir.While) -> int:
        return 0 if loop.stop is None else self.read(loop.stop)


def _counters(statement: ir.Statement) -> Sequence[str]:
    """What comprehensions bind: apart from all that is read beside it."""
    reads = map(ir.reads_of, ir.expressions_of(statement))
    return [counter for found in reads if found.counters for counter in found.counters]


def _binds(slot: ir.Slot) -> bool:
    """Whether what was saved comes back under a name, whatever that held meanwhile."""
    return not slot.content and slot.undo is None and type(slot.target) is gast.Name
