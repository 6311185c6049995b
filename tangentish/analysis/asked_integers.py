"""A variable of which nothing is known, and that indexes what varies, is asked once whether it is an integer.

for p in places:                     for p in places:
    y[p] = 0.0             ->            p = integer(p)
                                         y[p] = 0.0

What is asked has a name of its own, of which it is known that it is an integer: it stands for the variable in the lines
that follow, as far as that is not bound anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.origins import origin_of
from tangentish.language.nested import Closure
from tangentish.language.webs import map_blocks, map_statement


def with_integers_asked(function: ir.Function, facts: Facts, number: int) -> ir.Function | None:
    """The function with the lines that ask; None where nothing has to be asked.

    number: of the pass, which tells the names that it makes from those of others.
    """
    if not facts.asked_first:
        return None
    return replace(function, body=_Asking(facts, number).block(function.body))


class _Asking:
    def __init__(self, facts: Facts, number: int) -> None:
        self.facts = facts
        self.number = number
        self.count = 0

    def block(self, block: ir.Block) -> ir.Block:
        lines: ir.Block = ()
        for statement in reversed(block):
            lines = (map_blocks(statement, self.block), *lines)
            for name, asked in reversed(self.facts.asked_first.get(statement, {}).items()):
                new = self.fresh(name)
                target = gast.copy_location(ir.name(new), asked)
                line = ir.Assign(target, asked, origin_of(statement))
                lines = (line, *_with_name(lines, {name: new}))
        return lines

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{ir.base_name(name)}.i{self.number}n{self.count}"


def _with_name(lines: ir.Block, names: Mapping[str, str]) -> Iterator[ir.Statement]:
    """The lines with another name for a value, up to the first that binds it."""

    def change(node: Any) -> Any | None:
        if type(node) is gast.Name and node.id in names:
            return gast.copy_location(ir.name(names[node.id]), node)
        return node if isinstance(node, Closure) else None  # it reads its variables itself

    def renamed(expression: Any) -> Any:
        return ir.copy_expression(expression, change)

    def block(inner: ir.Block) -> ir.Block:
        return tuple(_with_name(inner, names))

    for k, line in enumerate(lines):
        if not names.keys().isdisjoint(ir.definitions((line,))):
            match line:
                case ir.Assign(target=gast.Name(), value=value):
                    line = replace(line, value=renamed(value))
            yield line
            yield from lines[k + 1 :]
            return
        yield map_statement(line, renamed, block)
