"""Tests that change something: they get names, so that what they do stands on lines of its own.

if o.step(x) > 0: ...            ->      test = o.step(x) > 0; if test: ...
while o.step(x) > 0: ...         ->      test = o.step(x) > 0; while test: ...; test = o.step(x) > 0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import names_made
from tangentish.infer import Facts
from tangentish.kinds import Tup
from tangentish.language.webs import map_blocks
from tangentish.language.written_out import written_out


def with_named_tests(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with names for such tests; None where there is none."""
    naming = _Naming(facts, names_made(function))
    if not any(map(naming.is_to_name, ir.walk_statements(function.body))):
        return None
    return replace(function, body=naming.block(function.body))


@dataclass
class _Naming:
    facts: Facts
    count: int

    def is_to_name(self, line: ir.Statement) -> bool:
        """Whether the test of a branch or a loop writes, or changes something else."""
        if not isinstance(line, ir.If | ir.While):
            return False
        return line in self.facts.writes or self.changes(line.test)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        named = self.is_to_name(statement)  # what lines inside write is theirs
        statement = map_blocks(statement, self.block)
        match statement:
            case ir.If(test, body, orelse, origin) if named:
                name = self.name(test)
                yield ir.Assign(name, test, origin)
                yield ir.If(ir.duplicate(name), body, orelse, origin)
            case ir.While(test, body, stop, origin) if named:
                name = self.name(test)
                again: ir.Statement = ir.Assign(ir.duplicate(name), written_out(test), origin)
                if stop is not None:
                    go_on = gast.copy_location(gast.UnaryOp(gast.Not(), ir.duplicate(stop)), test)
                    again = ir.If(go_on, (again,), (), origin)
                yield ir.Assign(name, test, origin)
                yield ir.While(ir.duplicate(name), (*body, again), stop, origin)
            case _:
                yield statement

    def name(self, test: Any) -> Any:
        self.count += 1
        return gast.copy_location(ir.name(f"test.+{self.count}"), test)

    def changes(self, test: Any) -> bool:
        """Whether a call in it stores to containers, or is one of an object that only its attributes stand for.

        So may properties, and operators that objects answer.
        """
        calls = (self.facts.answers.get(node, node) for node in ir.walk(test))
        return any(call in self.facts.handed or self.is_of_virtual(call) for call in calls)

    def is_of_virtual(self, call: Any) -> bool:
        if not isinstance(call, gast.Call):
            return False
        owners = (
            [call.func, call.func.value] if isinstance(call.func, gast.Attribute) else [call.func]
        )
        kinds = map(self.facts.kinds.get, owners)
        return any(isinstance(kind, Tup) and _loses_its_class(kind) for kind in kinds)


def _loses_its_class(kind: Tup) -> bool:
    """Whether the text has only the attributes of an object, or a plain tuple for a named one (field_names.py)."""
    return kind.virtual or (kind.has_field_names and kind.active)
