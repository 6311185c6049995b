"""The values whose gradient is not zero at the head of a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, ListMethod
from tangentish.kinds import Kind, Num, Seq
from tangentish.rules import ATTRIBUTES


@dataclass
class Useful:
    """The walk back over a loop that finds which gradients its trips pass on."""

    facts: Facts
    kind: Callable[[Any], Kind]

    def carried(self, statement: ir.For | ir.While, after: Iterable[str]) -> set[str]:
        """The values whose gradient is not zero at the head of the loop, and may change in it."""
        useful = self.around(statement, set(after))
        head = self.facts.heads[statement]
        touched = self.touched(statement.body) | {*ir.defined_names(statement)}
        return {
            v for v in useful & touched if isinstance(k := head.get(v), (Num, Seq)) and k.active
        }

    def around(self, loop: ir.For | ir.While, after: set[str]) -> set[str]:
        """The values whose gradient is not zero before any trip; what each trip binds anew has none there."""
        bound = {*ir.defined_names(loop)}
        while True:
            more = after | (self.before(loop.body, set(after)) - bound)
            if more == after:
                return after
            after = more

    def touched(self, block: ir.Block) -> set[str]:
        """The values whose gradient the adjoint of the block may change."""
        reached = (s for s in ir.walk_statements(block) if s in self.facts.before)
        names = (n for s in reached for n in ir.mentioned(s))
        return {n for n in names if ir.is_value(n)}

    def before(self, block: ir.Block, after: set[str]) -> set[str]:
        """The values whose gradient is not zero before the block, given those after it."""
        for statement in reversed(block):
            if statement in self.facts.before:
                after = self.before_statement(statement, after)
        return after

    def before_statement(self, statement: ir.Statement, after: set[str]) -> set[str]:
        match statement:
            case ir.Assign(target, value):
                return self.before_assignment(target, value, after)
            case ir.Update(target, _, value):
                root = ir.root_of(target)
                hit = isinstance(root, gast.Name) and root.id in after
                return after | (self.active_names(value) if hit else set())
            case ir.Do(gast.Expr(value=value)):
                return after | (
                    self.active_names(value) if self.call_is_useful(value, after) else set()
                )
            case ir.If(_, body, orelse):
                if statement in self.facts.branches:
                    return self.before(body if self.facts.branches[statement] else orelse, after)
                return self.before(body, set(after)) | self.before(orelse, set(after))
            case ir.For() | ir.While():
                return self.around(statement, after)
            case ir.Try(body, handlers, orelse):
                taken = (h for h in handlers if self.facts.ways_out.get(h))
                caught = (self.before(h.body, set(after)) for h in taken)
                return self.before(body, self.before(orelse, set(after))).union(*caught)
            case ir.Finally(body, final):
                return self.before(body, self.before(final, after))
            case ir.With(_, body):
                return self.before(body, after) - {*ir.defined_names(statement)}
        return after

    def before_assignment(self, target: Any, value: Any, after: set[str]) -> set[str]:
        match target, value:
            case gast.Tuple(elts=targets), gast.Tuple(elts=values) if _is_by_name(targets, values):
                pairs = zip(targets, values, strict=True)
                read = (v for t, v in pairs if t.id in after or self.call_is_useful(v, after))
                return (after - {t.id for t in targets}).union(*map(self.active_names, read))
        names = set(ir.target_names(target))
        roots = {
            root.id
            for root in map(ir.root_of, ir.store_targets(target))
            if isinstance(root, gast.Name)
        }
        hit = bool((names | roots) & after) or self.call_is_useful(value, after)
        return (after - names) | (self.active_names(value) if hit else set())

    def call_is_useful(self, value: Any, after: set[str]) -> bool:
        """Whether a callee writes to something whose gradient is not zero."""
        callee = self.facts.callees.get(value)
        if callee is not None and isinstance(callee.function, ListMethod):
            root = ir.root_of(callee.args[0])
            return isinstance(root, gast.Name) and root.id in after
        if callee is None or callee.user is None:
            return False
        arguments = (callee.user.arguments[k] for k in callee.user.written)
        roots = (ir.root_of(a) for a in arguments if a is not None)
        return any(isinstance(root, gast.Name) and root.id in after for root in roots)

    def active_names(self, expression: Any) -> set[str]:
        """The values that vary, but for those that are only asked what does not: of `x[: y.shape[0]]` y is none."""
        nodes = ir.walk(expression)
        names = [n for n in nodes if type(n) is gast.Name and ir.is_value(n.id)]
        if any(type(n) is gast.Attribute for n in nodes):
            asked = {n.value for n in nodes if type(n) is gast.Attribute and self.is_constant(n)}
            names = [n for n in names if n not in asked]
        return {node.id for node in names if self.kind(node).active}

    def is_constant(self, node: Any) -> bool:
        """Whether this is an attribute of an array that no derivative flows through."""
        return not ATTRIBUTES.get(node.attr, True) and isinstance(self.kind(node.value), Num)


def _is_by_name(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Whether each target is a name, and gets the value of its own."""
    plain = all(type(part) is gast.Name for part in targets)
    return plain and len(targets) == len(values) and not ir.has_star(values)
