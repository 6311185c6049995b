"""Which statements change the length of a list."""

from __future__ import annotations

from typing import Any

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.known_functions import ListMethod
from tangentish.infer.list_lines import RESIZING

GROWING = {"append", "extend", "insert", "pop", "clear"}  # change the length


def is_taken_out(node: Any, facts: Facts) -> bool:
    """Whether an expression is `xs.pop()`, of a list that may change."""
    return bool(facts.function_of(node) == ListMethod("pop"))


def resized_lists(statement: ir.Statement, facts: Facts) -> list[Any]:
    """The lists whose length a statement changes."""
    if facts.lowered.get(statement) in RESIZING:
        return [facts.callees[statement].args[0].value]
    nodes = [statement, *ir.nodes_in(statement)]
    callees = [facts.callees[node] for node in nodes if node in facts.callees]
    methods = [callee for callee in callees if isinstance(callee.function, ListMethod)]
    return [callee.args[0] for callee in methods if callee.function.name in GROWING]
