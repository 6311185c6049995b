"""Refused: what the adjoint reads of a list, a dict or an object that was changed since the forward pass read it.

Lists that are followed are put back on the way back (analysis/list_changes.py); the changes looked at here are not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.changed_elsewhere import changes_elsewhere
from tangentish.adjoint.changed_inside import (
    changes_inside,
    may_be_copy,
    may_lie_anywhere,
    operands_of,
    written_after_it_was_lent,
)
from tangentish.errors import Refusal, refuse
from tangentish.infer import Facts
from tangentish.infer.changes import may_be
from tangentish.kinds import Seq, is_unknown

_MESSAGE = "the gradient reads what this changes as it was before: change a copy, or read what is needed of it first"


def check_containers(
    adjoint: ir.Block,
    function: ir.Function,
    facts: Facts,
    made: Mapping[Any, str],
    calls: Sequence[Any],
    source: Any,
    copies: Collection[Any],
) -> frozenset[str]:
    """Raise NotDifferentiable where the adjoint reads what may have been changed, unless a copy of it will do.

    The names of what is to be copied come back. made: the names that the forward pass gives to what the adjoint
    reads; calls: of functions that keep containers for their adjoints; copies: what of `made` is copied anyway.
    """
    lent = written_after_it_was_lent(function, facts)
    if not (facts.changes or lent):
        return frozenset()
    new = {name for node, name in made.items() if _is_new(node) or node in copies}
    behind = {name: [*filter(ir.is_value, ir.names_in(node))] for node, name in made.items()}

    def comes_first(change: Any, name: str) -> bool:
        return all(_comes_first(change, n, function, facts) for n in behind.get(name, (name,)))

    read = [
        (name.id, facts.container_sites(name, function.parameters))
        for name in (*_read(adjoint, facts), *_given(calls, facts))
        if name.id in facts.web_kinds or not ir.is_value(name.id)  # else a gradient
        if name.id not in new
    ]
    refusals = [
        Refusal(_MESSAGE, node)
        for node, changed in facts.changes.items()
        if any(may_be(changed, sites) and not comes_first(node, name) for name, sites in read)
    ]
    added = _added(adjoint, facts)
    given_away = [n for n in _mentioned(adjoint) if facts.sites(n) & facts.let_out]
    inside = changes_inside(function, facts) if added or given_away else ()
    elsewhere = changes_elsewhere(facts, inside, source) if given_away else ()
    lasting = [
        (n, node)
        for node in (*inside, *elsewhere)
        for n in (
            *(added if node not in elsewhere else ()),
            *(n for n in given_away if n not in taken_back(node, facts)),
        )
        if not comes_first(node, n)
    ]
    lasting += [(n, node) for node in lent for n in _lying_anywhere(adjoint, function, facts)]
    lasting = [(n, node) for n, node in lasting if n not in new]
    refusals += [
        Refusal(_MESSAGE, node)
        for n, node in lasting
        if n not in behind and not may_be_copy(n, (*inside, *elsewhere, *lent), function)
    ]
    if refusals:
        raise refuse(refusals, source.filename, source.lines)
    return frozenset(n for n, _ in lasting)


def _is_new(node: Any) -> bool:
    """Whether what this gives is held by the name alone that the forward pass gives to it."""
    negated = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
    return negated or isinstance(node, gast.Compare)


def _added(block: ir.Block, facts: Facts) -> list[str]:
    """The names that are added or multiplied, and of which nothing is known."""
    names = {
        operand.id: None
        for part in ir.nodes_in(*ir.walk_statements(block))
        for operand in operands_of(part)
        if type(operand) is gast.Name and ir.is_value(operand.id)
    }
    return [name for name in names if is_unknown(facts.web_kinds.get(name))]


def _lying_anywhere(block: ir.Block, function: ir.Function, facts: Facts) -> Iterator[str]:
    """The names that the adjoint reads of what may lie in memory that others hold."""
    made: dict[str, Any] = {}
    for s in ir.walk_statements(function.body):
        match s:
            case ir.Assign(gast.Name(id=name), value):
                made[name] = value
            case ir.For(target, iterator):
                made |= dict.fromkeys(ir.target_names(target), iterator)
    for name in _mentioned(block):
        if name in made and may_lie_anywhere(name, made[name], facts):
            yield name


def taken_back(change: Any, facts: Facts) -> tuple[str, ...]:
    """The arrays that a change is known to write to, which are taken back on the way back."""
    for statement, names in facts.writes.items():
        if any(node is change for node in ir.nodes_in(statement)):
            return names
    return ()


def _mentioned(block: ir.Block) -> dict[str, None]:
    return dict.fromkeys(n for s in ir.walk_statements(block) for n in ir.mentioned(s))


def _comes_first(change: Any, name: str, function: ir.Function, facts: Facts) -> bool:
    """Whether a change, and the loop around it, is over before a value of the user's is read."""
    if name not in function.parameters and not any(
        name in ir.defined_names(s) for s in ir.walk_statements(function.body)
    ):
        return False
    for statement in function.body:
        nodes = [*_nodes_in(statement)]
        if any(node is change for node in nodes):
            own = _read_by_change(change, statement, facts)
            return not any(
                type(n) is gast.Name and n.id == name and id(n) not in own for n in nodes
            )
        if any(type(n) is gast.Name and n.id == name for n in nodes):
            return False
    return False


def _nodes_in(statement: ir.Statement) -> Iterator[Any]:
    for s in ir.walk_statements((statement,)):
        for e in ir.expressions_of(s):
            yield from ir.walk(e)


def _read_by_change(change: Any, statement: ir.Statement, facts: Facts) -> set[int]:
    """What the change itself reads or binds: the adjoint does not ask for it as it was before."""
    once = not isinstance(statement, ir.For | ir.While)
    if (
        not once and change in facts.callees
    ):  # whose adjoint, of one trip, may read what the next one changes
        return set()
    own = set(map(id, ir.walk(change)))
    if isinstance(statement, ir.Assign) and isinstance(statement.target, gast.Name):
        own.add(id(statement.target))  # which is bound when the change is over
    return own


def _read(block: ir.Block, facts: Facts) -> Iterator[Any]:
    """The names that are asked for what they hold: no number or array that is added, and no key of a dict."""
    found: dict[str, Any] = {}
    for statement in ir.walk_statements(block):
        bound = set(ir.target_names(statement.target)) if isinstance(statement, ir.For) else set()
        for expression in ir.expressions_of(statement):
            parts = list(ir.walk(expression))
            others = {id(e) for part in parts for e in (*operands_of(part), *_keys_in(part, facts))}
            for node in parts:
                if type(node) is gast.Name and id(node) not in others and node.id not in bound:
                    found.setdefault(node.id, node)
    return (node for name, node in found.items() if name[0] != "$")


def _keys_in(node: Any, facts: Facts) -> Iterator[Any]:
    """The keys by which a dict of differentiated values is asked, which stay what they are: it would not find them."""
    match node:
        case gast.Subscript(value=gast.Name(id=name), slice=key):
            pass
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=[key, *_]
        ) if attr in _BY_KEY:
            pass
        case _:
            return
    kind = facts.web_kinds.get(name)
    if isinstance(kind, Seq) and kind.keyed:
        yield from ir.parts_of(key)


_BY_KEY = {"get", "pop", "setdefault"}


def _given(calls: Sequence[Any], facts: Facts) -> Iterator[Any]:
    """The names in the arguments of calls of the user's functions."""
    for call in calls:
        user = facts.callees[call].user
        for argument in filter(None, user.arguments if user is not None else ()):
            yield from (n for n in ir.walk(argument) if type(n) is gast.Name and n.id[0] != "$")
