"""Refused: calls that write to what they are given, and that were left inside of expressions.

What a line writes is taken back where the walk back passes that line, so that such a call has to have one of its own
(analysis/extract.py, analysis/named_tests.py). Where it has none, what it writes would have no gradient.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import READING, Callee, Facts, ListMethod

_MESSAGE = "this call writes to what it is given: let it stand on a line of its own"


def left_inside(function: ir.Function, facts: Facts) -> list[Refusal]:
    """The refusals of such calls, of a function whose lines are taken apart."""
    if not any(_is_writer(callee) for callee in facts.callees.values()):
        return []
    lines = ir.walk_statements(function.body)
    return [
        Refusal(_MESSAGE, node)
        for line in lines
        for node in _inside(line)
        if _is_lost(node, line, facts)
    ]


def _is_writer(callee: Callee) -> bool:
    return callee.user is not None or _changes_list(callee)


def _changes_list(callee: Callee) -> bool:
    return isinstance(callee.function, ListMethod) and callee.function.name not in READING


def _inside(line: ir.Statement) -> Iterator[Any]:
    """The parts of a line's expressions, but for a call that is all of the line."""
    match line:
        case ir.Assign(value=whole) | ir.Do(gast.Expr(value=whole)):
            pass
        case _:
            whole = None
    for expression in ir.expressions_of(line):
        yield from (node for node in ir.walk(expression) if node is not whole)


def _is_lost(call: Any, line: ir.Statement, facts: Facts) -> bool:
    """Whether a call writes, and the walk back does not pass what it writes.

    What carries no derivative is taken back with the line, if that binds something.
    """
    callee = facts.callees.get(call)
    if callee is not None and _changes_list(callee):
        return facts.is_ever_active(callee.args[0])
    user = None if callee is None else callee.user
    if user is None or not user.written:
        return False
    return user.is_followed or not isinstance(line, ir.Assign | ir.Update | ir.Return)
