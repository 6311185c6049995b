"""Operands of which nothing is known when all else is, and that meet what varies, are asked whether they are plain.

y = x * o.k        ->        y = x * plain(o.k)

Only in the last pass: before, an operand may turn out to be a part of a container that carries a derivative.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tangentish import ir
from tangentish.infer import Facts
from tangentish.language.webs import map_statement


def with_operands_asked(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with the calls that ask; None where nothing has to be asked."""
    if not facts.operands:
        return None
    found = False

    def asked(expression: Any) -> Any:
        nonlocal found
        new = ir.copy_expression(expression, facts.operands.get)
        found |= new is not expression
        return new

    def line(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.Update):  # what is updated is no operand that can be asked
            return replace(statement, value=asked(statement.value))
        return map_statement(statement, asked, block)

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map(line, lines))

    body = block(function.body)
    return replace(function, body=body) if found else None
