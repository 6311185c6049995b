"""The forward pass: the user's statements, and what is recorded between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.pair import Pair
from tangentish.adjoint.reverse import Reverse
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import quote
from tangentish.language.webs import map_statement


@dataclass
class Record:
    """Builds the forward pass that an adjoint needs."""

    reverse: Reverse
    pairs: dict[Any, Pair]
    slots: dict[ir.Block, list[ir.Slot]]  # of temporaries: saved where they are set

    def block(self, block: ir.Block, whole: ir.Block | None = None) -> ir.Block:
        saves = self.reverse.saves
        key = block if whole is None else whole
        out: list[ir.Statement] = [ir.Unset(slot) for slot in saves.unset.get(key, ())]
        settled = _by_last_definition(saves.block_slots.get(key, ()), block)
        temporaries = {slot.name: slot for slot in self.slots.get(key, ())}
        for position, statement in enumerate(block):
            if isinstance(statement, ir.Return):
                out.append(statement)
                continue
            start = len(out)
            out += self.statement(statement)
            if self.reverse.noting is not None:
                out += self.reverse.noting.after(statement)
            out += map(ir.Save, settled.pop(position, ()))
            for made in {n: None for s in out[start:] for n in ir.defined_names(s)}:
                if made in temporaries:
                    out.append(ir.Save(temporaries[made]))
        for slots in settled.values():  # of values that the block does not define
            out += map(ir.Save, slots)
        return tuple(out)

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        for expression in ir.expressions_of(statement):
            yield from self.temporaries(expression, statement)
        for slot in self.reverse.saves.slots_before.get(statement, ()):
            yield ir.Save(slot)
        trips = self.reverse.trips.get(statement)
        if trips is not None:
            yield ir.Assign(ir.name(trips), gast.Constant(0, None), NOWHERE)
        if isinstance(statement, ir.Try):
            yield from self.attempt(statement)
            return
        call = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(statement, ir.Do) and isinstance(statement.node, gast.Expr):
            call = statement.node.value
        if call is not None and call in self.reverse.calls:
            yield self.call(statement, call)
            return
        yield self.rebuilt(statement, trips)

    def attempt(self, statement: ir.Try) -> Iterator[ir.Statement]:
        """A try, and a name for the handler that an exception goes to, where the adjoint asks."""
        way = self.reverse.ways.get(statement)
        live = [h for h in statement.handlers if self.reverse.facts.ways_out.get(h)]
        handlers = []
        for old in statement.handlers:
            body = self.block(old.body)
            if way is not None and old in live:
                number = True if len(live) == 1 else live.index(old) + 1
                body = (ir.Assign(ir.name(way), gast.Constant(number, None), NOWHERE), *body)
            handlers.append(ir.Handler(old.type and self.shown(old.type), old.name, body))
        if way is not None:
            nothing = gast.Constant(False if len(live) == 1 else 0, None)
            yield ir.Assign(ir.name(way), nothing, NOWHERE)
        body, orelse = self.block(statement.body), self.block(statement.orelse)
        yield ir.Try(body, tuple(handlers), orelse, statement.origin)

    def rebuilt(self, statement: ir.Statement, trips: str | None) -> ir.Statement:
        def block(inner: ir.Block) -> ir.Block:
            body = self.block(inner)
            body = (*body, *map(ir.Save, self.reverse.saves.end_slots.get(statement, ())))
            if trips is None:
                return body
            return (*body, ir.Update(ir.name(trips), gast.Add(), gast.Constant(1, None), NOWHERE))

        written = statement.target if isinstance(statement, ir.Update) else None
        return map_statement(statement, lambda e: self.shown(e, e is written), block)

    def named(self, node: Any) -> Any | None:
        """The name of a part, or of what has the same value; as much is known of it as of the part."""
        reverse = self.reverse
        name = reverse.temporaries.get(node)
        if name is None and (first := reverse.alike.get(node)) not in reverse.made_copies:
            name = reverse.temporaries.get(first)
        return None if name is None else reverse.named(name, reverse.kind(node))

    def shown(self, expression: Any, is_written: bool = False) -> Any:
        """The expression with its named parts replaced by their names, but for what is written to."""
        parts = [*ir.walk(expression)]
        named = (self.reverse.temporaries, self.reverse.alike)
        if all(nodes.keys().isdisjoint(parts) for nodes in named):
            return expression
        copied = ir.copy_target if is_written else ir.copy_expression
        return self.as_known(expression, copied(expression, self.named))

    def as_known(self, old: Any, new: Any) -> Any:
        """The new expression; of its parts as much is known as of the old one's."""
        facts = self.reverse.facts
        pairs = [(old, new)]
        while pairs:
            one, other = pairs.pop()
            if one is other or type(one) is not type(other):
                continue
            if one in facts.kinds:
                facts.kinds[other] = facts.kinds[one]
            if one in facts.callees:
                facts.callees[other] = facts.callees[one]
            pairs += zip(ir.children(one), ir.children(other), strict=True)
        return new

    def temporaries(self, expression: Any, statement: ir.Statement) -> Iterator[ir.Statement]:
        """Names for the parts of an expression that the adjoint reads, in the order of evaluation."""
        made = self.reverse.temporaries
        if made.keys().isdisjoint(ir.walk(expression)):
            return
        for node in dict.fromkeys(n for n in ir.evaluated(expression) if n in made):
            if self.reverse.alike.get(node, node) is not node:
                continue
            inner = self.inside(node)
            if node in self.reverse.made_copies - self.reverse.truths:
                inner = quote(self.reverse.copying(node), x=inner)
            if node in self.reverse.truths:
                inner = quote("bool({x})", x=inner)
            origin = origin_of(statement)
            yield ir.Assign(ir.name(self.reverse.temporaries[node]), inner, origin)

    def inside(self, node: Any) -> Any:
        def change(sub: Any) -> Any:
            return None if sub is node else self.named(sub)

        return self.as_known(node, ir.copy_expression(node, change))

    def call(self, statement: ir.Statement, call: Any) -> ir.Statement:
        """Record y = f(x) as y, f_saved = f_forward(x); as y = f_forward(x) where that saves nothing."""
        pair = self.pairs[call]
        callee = self.reverse.facts.callees[call]
        shown = self.shown(call)
        arguments = [a for k, a in enumerate(shown.args) if k not in pair.dropped]
        forward = gast.Call(ir.name(f"${pair.forward}"), arguments, shown.keywords)
        saved = ir.name(self.reverse.calls[call])
        origin = origin_of(statement)
        assert callee.user is not None
        target = self.reverse.left.get(call)
        if isinstance(statement, ir.Assign):
            target = self.shown(statement.target)
        if pair.saves:
            target = gast.Tuple([target or ir.name("_"), saved], gast.Store())
        if target is None:
            return ir.Do(gast.Expr(forward), origin)
        return ir.Assign(target, forward, origin)


def _by_last_definition(slots: Iterable[ir.Slot], block: ir.Block) -> dict[int, list[ir.Slot]]:
    """The slots by the position of the statement that gives their value its last definition in the block."""
    if not slots:
        return {}
    last = {
        name: position
        for position, statement in enumerate(block)
        for inner in ir.walk_statements((statement,))
        for name in ir.defined_names(inner)
    }
    result: dict[int, list[ir.Slot]] = {}
    for slot in slots:
        result.setdefault(last.get(slot.name, len(block)), []).append(slot)
    return result
