"""What the forward pass has to do: saves that nobody restores go, and with them what nobody needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.language.comprehensions import appended


def prune_forward(
    block: ir.Block,
    after: frozenset[str],
    slots: set[ir.Slot],
    droppable: Callable[[ir.Statement, bool], bool],
    kept_with: Mapping[str, frozenset[str]],
    read_late: Callable[[ir.Block], frozenset[str]],
) -> ir.Block:
    """The forward pass without idle saves and without what nobody needs and can't be missed.

    kept_with: what is read, too, where a value is: what a function captures.
    read_late: what lines read at any time after them. Lines that stay for it may read more.
    """
    late: frozenset[str] = frozenset()
    while True:
        forward = _Forward(slots, droppable, kept_with, late).block(block, after | late)[0]
        found = read_late(forward)
        if found <= late:
            return forward
        late |= found


@dataclass
class _Forward:
    slots: set[ir.Slot]
    droppable: Callable[[ir.Statement, bool], bool]
    kept_with: Mapping[str, frozenset[str]]
    raised: frozenset[str]  # what those who catch an exception need, or read at any time
    caught: bool = False  # whether someone catches exceptions here, or asked for them
    at_end: dict[ir.Statement, frozenset[str]] = field(default_factory=dict)  # as for the adjoint

    def names(self, expression: Any) -> frozenset[str]:
        names = ir.values_in(expression)
        if not self.kept_with:
            return names
        return names.union(*(self.kept_with.get(n, ()) for n in names))

    def block(self, block: ir.Block, live: frozenset[str]) -> tuple[ir.Block, frozenset[str]]:
        kept: list[ir.Statement] = []
        unset: set[str] = set()
        for statement in reversed(block):
            new, live = self.statement(statement, live)
            live |= self.raised
            if isinstance(new, ir.Unset):
                if new.slot.name in unset:
                    continue
                unset.add(new.slot.name)
            kept += reversed(_without_idle_guard(new))
        return tuple(reversed(kept)), live

    def statement(
        self, statement: ir.Statement, live: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        match statement:
            case ir.Save(slot) if slot not in self.slots:
                return None, live
            case ir.Unset(slot):
                if slot not in self.slots:
                    return None, live
                return statement, live - {slot.name}
            case ir.If():
                return self.branch(statement, live)
            case ir.For() | ir.While():
                return self.loop(statement, live)
            case ir.Try() | ir.Finally() | ir.With():
                return self.guarded_statement(statement, live)
            case ir.Assign() | ir.Update() | ir.Do():
                read = self.of_those_read(statement, live)
                if read is not statement:
                    return (None, live) if read is None else self.statement(read, live)
        names = (
            frozenset(ir.defined_names(statement))
            if isinstance(statement, ir.Assign)
            else frozenset()
        )
        live -= names
        for expression in ir.expressions_of(statement):
            own = isinstance(statement, ir.Assign) and expression is statement.target
            live |= self.names(expression) - names if own else self.names(expression)
        return statement, live

    def of_those_read(
        self, line: ir.Assign | ir.Update | ir.Do, live: frozenset[str]
    ) -> ir.Assign | ir.Update | ir.Do | None:
        """`a, b = c, d` without the names that nobody reads; None if there are no others."""
        if self.is_idle(line, live):
            return None
        pairs = _pairs(line)
        read = [
            (target, value)
            for target, value in pairs
            if not self.is_idle(ir.Assign(target, value, line.origin), live)
        ]
        if len(read) == len(pairs):
            return line
        if not read:
            return None
        targets, values = map(list, zip(*read, strict=True))
        if len(read) == 1:
            return ir.Assign(targets[0], values[0], line.origin)
        return ir.Assign(
            gast.Tuple(targets, gast.Store()), gast.Tuple(values, gast.Load()), line.origin
        )

    def is_idle(self, statement: ir.Assign | ir.Update | ir.Do, live: frozenset[str]) -> bool:
        """Whether a statement only sets names that nobody reads."""
        if isinstance(statement, ir.Do):
            return self.is_appended_in_vain(statement, live)
        if isinstance(statement, ir.Update) and not isinstance(statement.target, gast.Name):
            return False
        stores = ir.store_targets(statement.target)
        unread = not stores and live.isdisjoint(ir.defined_names(statement))
        return unread and self.droppable(statement, self.caught)

    def is_appended_in_vain(self, line: ir.Do, live: frozenset[str]) -> bool:
        """Whether a line of a comprehension appends to a list that nobody reads, a record of it included.

        The list itself is recorded where its name is bound, before there is anything in it.
        """
        found = appended(line.node)
        if found is None or found[0] in live or any(slot.name == found[0] for slot in self.slots):
            return False
        return self.droppable(ir.Do(gast.Expr(found[1]), line.origin), self.caught)

    def guarded_statement(
        self, statement: ir.Try | ir.Finally | ir.With, live: frozenset[str]
    ) -> tuple[ir.Statement, frozenset[str]]:
        match statement:
            case ir.Try():
                return self.attempt(statement, live)
            case ir.Finally(body, final, origin):
                raised = self.block(final, frozenset())[1]
                final, live = self.block(final, live)
                body, live = self.guarded(body, live, raised)
                return ir.Finally(body, final, origin), live
            case ir.With(items, body, origin):
                outer, self.caught = self.caught, self.caught or not all(map(_is_quiet, items))
                body, live = self.block(body, live)
                self.caught = outer
                live -= frozenset(ir.defined_names(statement))
                read = (self.names(manager) for manager, _ in items)
                return ir.With(items, body, origin), live.union(*read)

    def guarded(
        self, body: ir.Block, live: frozenset[str], raised: frozenset[str]
    ) -> tuple[ir.Block, frozenset[str]]:
        outer, self.raised = self.raised, self.raised | raised
        body, live = self.block(body, live)
        self.raised = outer
        return body, live | raised

    def attempt(self, statement: ir.Try, live: frozenset[str]) -> tuple[ir.Try, frozenset[str]]:
        handlers = []
        raised: frozenset[str] = frozenset()
        for old in statement.handlers:
            body, start = self.block(old.body, live)
            handlers.append(ir.Handler(old.type, old.name, body))
            own = frozenset({old.name.id}) if old.name is not None else frozenset()
            raised |= (start - own) | (
                self.names(old.type) if old.type is not None else frozenset()
            )
        orelse, live = self.block(statement.orelse, live)
        outer, self.caught = self.caught, True
        body, live = self.guarded(statement.body, live, raised)
        self.caught = outer
        return ir.Try(body, tuple(handlers), orelse, statement.origin), live

    def branch(
        self, branch: ir.If, live: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        body, live_a = self.block(branch.body, live)
        orelse, live_b = self.block(branch.orelse, live)
        new = ir.If(branch.test, body, orelse, branch.origin)
        if not body and not orelse and self.droppable(new, self.caught):
            return None, live
        return new, live_a | live_b | self.names(branch.test)

    def loop(
        self, loop: ir.For | ir.While, after: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        own = (
            frozenset(ir.target_names(loop.target))
            if isinstance(loop, ir.For)
            else self.names(loop.test)
        )
        stop = self.names(loop.stop) if loop.stop is not None else frozenset()
        live = after | stop | (own if isinstance(loop, ir.While) else frozenset())
        live |= self.at_end.get(loop, frozenset())
        while True:
            body, start = self.block(loop.body, live)
            if live | (start - own if isinstance(loop, ir.For) else start) == live:
                break
            live |= start
        self.at_end[loop] = live
        if isinstance(loop, ir.For):
            new = ir.For(loop.target, loop.iter, body, loop.stop, loop.origin)
            if not body and not (own & after) and self.droppable(new, self.caught):
                return None, after
            return new, after | (live - own) | (own & after) | self.names(loop.iter)
        return ir.While(loop.test, body, loop.stop, loop.origin), live


def _pairs(line: ir.Statement) -> list[tuple[Any, Any]]:
    """Targets and values of `a, b = c, d`."""
    match line:
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
            starred = any(isinstance(e, gast.Starred) for e in (*targets, *values))
            if len(targets) == len(values) and not starred:
                return list(zip(targets, values, strict=True))
    return []


def _is_quiet(item: tuple[Any, Any]) -> bool:
    """Whether a context manager surely asks for no exceptions where there would be none: np.errstate(all="raise")."""
    match item[0]:
        case gast.Call(func=gast.Attribute(attr="errstate") | gast.Name(id="errstate")):
            asked = {getattr(k.value, "value", "raise") for k in item[0].keywords}
            return asked <= {"ignore", "warn", "print"}
    return True


def _without_idle_guard(statement: ir.Statement | None) -> ir.Block:
    """Where nothing is left that may raise, nothing needs to catch it, nor a try whose end does nothing."""
    match statement:
        case None:
            return ()
        case ir.Try(body=(), orelse=orelse):
            return orelse
        case ir.Finally(body=(), final=final):
            return final
        case ir.Finally(body=body, final=()):
            return body
    return (statement,)
