"""What calls are given gets names first: objects, where methods change theirs, or give it back; arrays, which a call
may give back under two names.

p.add(Bond(c)).add(other.doubled())      ->      t = Bond(c); p.add(t); t_1 = other.doubled(); p.add(t_1)
a, b = twice(2 * x); a += 1              ->      t = 2 * x; a, b = twice(t); a += 1

A call in which something has no name is written anew in the next pass: then its object is told apart, and no longer
known for what the call gives back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import names_made
from tangentish.analysis.evaluation_order import handed_in
from tangentish.infer import Facts
from tangentish.kinds import Tup, is_array
from tangentish.language.webs import map_blocks
from tangentish.language.written_out import written_out


def with_named_arguments(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with names for such arguments; None where there is none."""
    naming = _Naming(facts, names_made(function))
    body = naming.block(function.body)
    if not naming.changed:
        return None
    return replace(function, body=body)


def with_named_arrays(function: ir.Function, name: str, facts: Facts) -> ir.Function | None:
    """The function with names for the arrays that are given to what gives `name`; None where all have names."""
    naming = _Naming(facts, names_made(function), name)
    body = naming.block(function.body)
    return replace(function, body=body) if naming.changed else None


@dataclass
class _Naming:
    facts: Facts
    count: int
    given: str | None = (
        None  # the arrays are named that are given to what gives this value, in place of objects
    )
    changed: bool = False

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        lines: list[ir.Statement] = []
        match statement:
            case ir.Assign(value=gast.Call() as call) if self.given is not None:
                if self.given in ir.defined_names(statement) and any(
                    map(self.is_nameless, call.args)
                ):
                    self.changed = True
                    args = self.named_before(call, lines, statement.origin)
                    statement = replace(statement, value=ir.with_fields(call, {"args": args}))
            case ir.Do(gast.Expr(value=value) as node, origin) if self.given is None:
                new = self.first(value, lines, origin)
                if new is not value:
                    statement = ir.Do(ir.with_fields(node, {"value": new}), origin)
            case ir.Assign(target, value, origin) if self.given is None:
                new = self.first(value, lines, origin)
                statement = statement if new is value else ir.Assign(target, new, origin)
            case _:
                statement = map_blocks(statement, self.block)
        yield from (*lines, statement)

    def first(self, node: Any, lines: list[ir.Statement], origin: ir.Origin) -> Any:
        """An expression, and what it evaluates first."""
        match node:
            case gast.Call(func=gast.Attribute(value=receiver) as func):
                new = self.first(receiver, lines, origin)
                if self.is_to_name(node, receiver):
                    return self.called(node, func, new, lines, origin)
                return node if new is receiver else _of(node, func, new)
            case gast.Attribute(value=inner):
                new = self.first(inner, lines, origin)
                return node if new is inner else ir.with_fields(node, {"value": new})
            case gast.BinOp(left=left):
                new = self.first(left, lines, origin)
                return node if new is left else ir.with_fields(node, {"left": new})
        return node

    def called(
        self, node: Any, func: Any, receiver: Any, lines: list[ir.Statement], origin: ir.Origin
    ) -> Any:
        """A call of a method, all that is evaluated before its last nameless argument on lines of its own."""
        self.changed = True
        if func.value in self.facts.given_back:
            lines.append(ir.Do(gast.copy_location(gast.Expr(receiver), node), origin))
            receiver = written_out(self.facts.given_back[func.value], {})
        args = self.named_before(node, lines, origin)
        return ir.with_fields(_of(node, func, receiver), {"args": args})

    def named_before(self, call: Any, lines: list[ir.Statement], origin: ir.Origin) -> list[Any]:
        """The arguments of a call, with names for those up to the last that needs one."""
        last = max(k for k, argument in enumerate(call.args) if self.is_nameless(argument))
        return [
            argument if k > last or _stays(argument) else self.named(argument, lines, origin)
            for k, argument in enumerate(call.args)
        ]

    def named(self, node: Any, lines: list[ir.Statement], origin: ir.Origin) -> Any:
        self.count += 1
        name = f"t.+{self.count}"
        lines.append(ir.Assign(gast.copy_location(ir.name(name), node), node, origin))
        return gast.copy_location(ir.name(name), node)

    def is_to_name(self, call: Any, receiver: Any) -> bool:
        """Whether a call is not yet given all that it reads, and what it is given may be evaluated before its object.

        That has a name, or is an attribute: what takes the place of the latter would not be seen.
        """
        nameless = list(filter(self.is_nameless, call.args))
        if not nameless or call in self.facts.lifted:
            return False
        chained = receiver in self.facts.given_back
        changes = call in self.facts.handed or call in self.facts.given_back
        asked = any(part in self.facts.callees for part in ir.walk(receiver))
        if not chained and (asked or not changes):
            return False
        rebound = any(h for argument in nameless for h in handed_in(argument, self.facts))
        return not rebound or isinstance(self.facts.given_back.get(receiver, receiver), gast.Name)

    def is_nameless(self, argument: Any) -> bool:
        kind = self.facts.kind(argument)
        if self.given is not None:
            return is_array(kind) and isinstance(argument, _CALLS)
        of_object = isinstance(kind, Tup) and kind.is_object and kind.active
        return of_object and isinstance(argument, _CALLS)


_CALLS = (gast.Call, gast.BinOp, gast.UnaryOp)  # operators of objects are calls of their methods


def _of(call: Any, func: Any, receiver: Any) -> Any:
    return ir.with_fields(call, {"func": ir.with_fields(func, {"value": receiver})})


def _stays(argument: Any) -> bool:
    """Whether it does not matter when an argument is evaluated."""
    return isinstance(argument, (gast.Name, gast.Constant))
