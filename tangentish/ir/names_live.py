"""Which values the forward pass itself may still read: at the head of every loop, at the start of every handler."""

from __future__ import annotations

from dataclasses import dataclass, field

from tangentish import ir

NONE: frozenset[str] = frozenset()


@dataclass
class NamesLive:
    """The walk backwards over a function."""

    at_head: dict[ir.Statement, frozenset[str]] = field(default_factory=dict)
    at_handler: dict[ir.Handler, frozenset[str]] = field(default_factory=dict)
    raised: frozenset[str] = NONE  # what those who catch an exception read

    def block(self, block: ir.Block, live: frozenset[str]) -> frozenset[str]:
        for statement in reversed(block):
            live = self.statement(statement, live) | self.raised
        return live

    def statement(self, statement: ir.Statement, live: frozenset[str]) -> frozenset[str]:
        match statement:
            case ir.If(test, body, orelse):
                return self.block(body, live) | self.block(orelse, live) | ir.values_in(test)
            case ir.For() | ir.While():
                return self.loop(statement, live)
            case ir.Try():
                return self.attempt(statement, live)
            case ir.Finally(body, final):
                return self.guarded(body, self.block(final, live), self.block(final, NONE))
            case ir.With(_, body):
                inner = self.block(body, live) - frozenset(ir.defined_names(statement))
                return inner | NONE.union(*map(ir.values_in, ir.expressions_of(statement)))
            case ir.Update(target, _, value):
                return live | ir.values_in(target) | ir.values_in(value)
        live -= frozenset(ir.defined_names(statement))
        for expression in ir.expressions_of(statement):
            own = expression is getattr(statement, "target", None)
            live |= ir.values_in(expression) - frozenset(ir.defined_names(statement) if own else ())
        return live

    def guarded(
        self, body: ir.Block, live: frozenset[str], raised: frozenset[str]
    ) -> frozenset[str]:
        outer, self.raised = self.raised, self.raised | raised
        live = self.block(body, live)
        self.raised = outer
        return live | raised

    def attempt(self, statement: ir.Try, live: frozenset[str]) -> frozenset[str]:
        raised = NONE
        for handler in statement.handlers:
            self.at_handler[handler] = self.handler(handler, live)
            raised |= self.at_handler[handler]
        return self.guarded(statement.body, self.block(statement.orelse, live), raised)

    def handler(self, handler: ir.Handler, live: frozenset[str]) -> frozenset[str]:
        live = self.block(handler.body, live)
        if handler.name is not None:
            live -= {handler.name.id}
        return live if handler.type is None else live | ir.values_in(handler.type)

    def loop(self, loop: ir.For | ir.While, live: frozenset[str]) -> frozenset[str]:
        head = live | (ir.values_in(loop.test) if isinstance(loop, ir.While) else NONE)
        known = self.at_head.get(loop)  # by the trip before of a loop around
        head |= known or NONE
        for _ in range(2 if known is None else 1):
            end = head | (ir.values_in(loop.stop) if loop.stop is not None else NONE)
            start = self.block(loop.body, end)
            if isinstance(loop, ir.For):
                start -= frozenset(ir.target_names(loop.target))
            head |= start
        self.at_head[loop] = head
        return head | (ir.values_in(loop.iter) if isinstance(loop, ir.For) else NONE)
