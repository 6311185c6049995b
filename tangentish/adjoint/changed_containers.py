"""Refused: what the adjoint reads of a list, a dict or an object that was changed since the forward pass read it.

Lists that are followed are put back on the way back (analysis/list_changes.py); the changes looked at here are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal, refuse
from tangentish.infer import Facts
from tangentish.infer.changes import may_be

__all__ = ["check_containers"]

_MESSAGE = "the gradient reads what this changes as it was before: change a copy, or read what is needed of it first"


def check_containers(
    adjoint: ir.Block,
    function: ir.Function,
    facts: Facts,
    made: Mapping[Any, str],
    calls: Sequence[Any],
    source: Any,
) -> None:
    """Raise NotDifferentiable where the adjoint reads what may have been changed.

    made: the names that the forward pass gives to what the adjoint reads; calls: of functions that keep containers
    for their adjoints.
    """
    if not facts.changes:
        return
    read = [
        (name.id, facts.container_sites(name, function.parameters))
        for name in (*_read(adjoint), *_given(calls, facts))
        if name.id in facts.web_kinds or not ir.is_value(name.id)  # else a gradient
    ]
    behind = {name: [*filter(ir.is_value, ir.names_in(node))] for node, name in made.items()}
    refusals = [
        Refusal(_MESSAGE, node)
        for node, changed in facts.changes.items()
        if any(
            may_be(changed, sites)
            and not all(_comes_first(node, n, function) for n in behind.get(name, (name,)))
            for name, sites in read
        )
    ]
    if refusals:
        raise refuse(refusals, source.filename, source.lines)


def _comes_first(change: Any, name: str, function: ir.Function) -> bool:
    """Whether a change, made once, is over before a value of the user's is read."""
    if name not in function.parameters and not any(
        name in ir.defined_names(s) for s in ir.walk_statements(function.body)
    ):
        return False
    for statement in function.body:
        nodes = [node for e in ir.expressions_of(statement) for node in ir.walk(e)]
        if any(node is change for node in nodes):
            own = set(map(id, ir.walk(change)))
            return not any(
                type(n) is gast.Name and n.id == name and id(n) not in own for n in nodes
            )
        inside = ir.walk_statements((statement,))
        if any(name in ir.names_in(e) for s in inside for e in ir.expressions_of(s)):
            return False
    return False


def _read(block: ir.Block) -> Iterator[Any]:
    """The names that are asked for what they hold: what is added or multiplied is a number, or an array."""
    found: dict[str, Any] = {}
    for statement in ir.walk_statements(block):
        bound = set(ir.target_names(statement.target)) if isinstance(statement, ir.For) else set()
        for expression in ir.expressions_of(statement):
            parts = list(ir.walk(expression))
            operands = {id(e) for part in parts for e in _operands(part)}
            for node in parts:
                if type(node) is gast.Name and id(node) not in operands and node.id not in bound:
                    found.setdefault(node.id, node)
    return (node for name, node in found.items() if name[0] != "$")


def _given(calls: Sequence[Any], facts: Facts) -> Iterator[Any]:
    """The names in the arguments of calls of the user's functions."""
    for call in calls:
        user = facts.callees[call].user
        for argument in filter(None, user.arguments if user is not None else ()):
            yield from (n for n in ir.walk(argument) if type(n) is gast.Name and n.id[0] != "$")


def _operands(node: Any) -> tuple[Any, ...]:
    match node:
        case gast.BinOp(left=left, right=right):
            return left, right
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return (operand,)
    return ()
