"""An index of places that a line uses more than once is named first.

x[x > 1] = x[x > 1] ** 2    ->    mask = x > 1; x[mask] = x[mask] ** 2
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Facts, has_rule
from tangentish.ir.quote import quote
from tangentish.kinds import Num, Tup, is_array
from tangentish.language.nested import Closure
from tangentish.language.webs import map_nodes, names_instead


def with_named_indices(
    statement: ir.Assign | ir.Update, facts: Facts, fresh: Callable[[str], str]
) -> tuple[ir.Statement, ...] | None:
    """The lines that name indices, and the statement with their names; None where none needs one."""
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for part in _indices(statement, facts):
        groups[ir.dump(part)].append(part)
    lines: list[ir.Statement] = []
    names: dict[Any, str] = {}
    for parts in groups.values():
        first = parts[0]
        if len(parts) > 1 or _is_list(first, facts):
            name = fresh(index_name(facts.kind(first)))
            value = quote("np.array({x})", x=first) if _is_list(first, facts) else first
            target = gast.copy_location(ir.name(name), first)
            lines.append(ir.Assign(target, gast.copy_location(value, first), statement.origin))
            names |= dict.fromkeys(parts, name)
    if not names:
        return None
    return *lines, map_nodes(statement, names_instead(names))


def _indices(statement: ir.Statement, facts: Facts) -> Iterator[Any]:
    """The masks and arrays that index what carries a derivative, written out in place."""
    for expression in ir.expressions_of(statement):
        for part in _parts(expression, facts):
            if _is_computed(part, facts) or _is_list(part, facts):
                yield part


def computed_indices(statement: ir.Statement, facts: Facts) -> Iterator[Any]:
    """Those of them that are computed there, of names and numbers by operators; what is stored there may vary, too."""
    expressions = ir.expressions_of(statement)
    if not any(map(_places, expressions)):
        return
    if any(isinstance(node, gast.NamedExpr) for e in expressions for node in ir.walk(e)):
        return
    parts = [part for expression in expressions for part in _parts(expression, facts)]
    match statement:
        case ir.Assign(gast.Subscript() as target, value) | ir.Update(
            gast.Subscript() as target, _, value
        ) if facts.kind(value).active and not facts.kind(target.value).active:
            parts += ir.parts_of(target.slice)
    for part in parts:
        if _is_computed(part, facts) and all(isinstance(n, _OPERATIONS) for n in ir.walk(part)):
            yield part


def _parts(expression: Any, facts: Facts) -> Iterator[Any]:
    for node in _places(expression):
        if facts.kind(node.value).active:
            yield from ir.parts_of(node.slice)


def _places(expression: Any) -> list[Any]:
    nodes = ir.walk(expression)
    places = [node for node in nodes if node.__class__ is gast.Subscript]
    if not places or _OWN_NAMES.isdisjoint(map(type, nodes)):
        return places
    return [node for node in _evaluated_there(expression) if node.__class__ is gast.Subscript]


def _evaluated_there(expression: Any) -> Iterator[Any]:
    """The nodes of an expression outside of comprehensions, whose names are their own, and which become loops."""
    stack = [expression]
    while stack:
        node = stack.pop()
        if node.__class__ not in _OWN_NAMES:
            yield node
            stack += ir.children(node)[::-1]


_OWN_NAMES = frozenset(
    (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda, Closure)
)

_OPERATIONS = (
    gast.BinOp, gast.UnaryOp, gast.Compare, gast.Name, gast.Constant,
    gast.operator, gast.unaryop, gast.cmpop, gast.expr_context,
)  # fmt: skip


def _is_list(part: Any, facts: Facts) -> bool:
    """Whether a name stands for a list, which may be another one when the adjoint reads it."""
    kind = facts.kind(part)
    named = isinstance(part, gast.Name)
    return named and isinstance(kind, Tup) and kind.is_list and bool(kind.items)


def _is_computed(part: Any, facts: Facts) -> bool:
    kind = facts.kind(part)
    plain = isinstance(part, (gast.Name, gast.Constant, gast.Slice))
    return not plain and is_array(kind) and _is_pure(part, facts)


def _is_pure(part: Any, facts: Facts) -> bool:
    """Whether an expression gives the same again: no draws, nothing that is not known."""
    calls = (node for node in ir.walk(part) if isinstance(node, gast.Call))
    callees = (facts.callees.get(call) for call in calls)
    return all(callee is not None and has_rule(callee.function) for callee in callees)


def index_name(kind: object) -> str:
    """What an array that indexes others is called."""
    match kind:
        case Num(array=True, dtype=dtype):
            return "mask" if dtype == np.dtype(bool) else "index"
        case Tup():
            return "index"
    return "t"
