"""Names for the items of what a call gives, where it is run over, or asked for an item of which it is not known which.

for v in pair(x)                         ->    a, b = pair(x); for v in (a, b)
p = pair(x); y = p[k]                    ->    a, b = pair(x); p = (a, b); y = p[k]
m = rows(x); y = m[j][k]                 ->    a, b = rows(x); m = ((a[0], a[1]), (b[0], b[1])); y = m[j][k]
"""

from __future__ import annotations

from typing import Any, TypeGuard

import gast

from tangentish import ir
from tangentish.infer.containers_given import containers_in
from tangentish.infer.in_loops import evaluated_before, evaluated_first
from tangentish.infer.items_made_late import comes_late
from tangentish.infer.records_made import is_one_by_one
from tangentish.infer.starting_again import Count, EarlyLine, NameFirst, OneByOne
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup


def seek_names(walk: Walk, kind: Tup, node: Any) -> None:
    """Ask for names for the items of what a call gave that is run over here, if it does not change meanwhile."""
    line = walk.statement
    if comes_late(node, walk.facts):
        return
    given = walk.dynamic.issuperset(kind.sites)
    if not given or walk.cached or not isinstance(line, EarlyLine):
        return
    root = ir.root_of(node)
    if isinstance(root, gast.Name) and not kind.is_list:
        _seek_line_of_its_own(walk, root)
        made, whole = _only_binding(walk.function, root), walk.kind(root)
        # a tuple is the same wherever it is put together
        if made is not None and _is_plain_tuple(whole):
            raise NameFirst(made, made.value, _count_of(whole))
    if not isinstance(node, (gast.Name, gast.Call)):
        return
    if isinstance(node, gast.Name) and kind.is_list and _mentions(line, node) > 1:
        return
    before = evaluated_before(node, evaluated_first(line))
    if before is not None:
        whole = walk.kind(node)
        count = _count_of(whole) if _is_plain_tuple(whole) else len(kind.items)
        raise NameFirst(line, node, count, before)


def seek_names_given(walk: Walk, kind: Tup, call: gast.Call) -> None:
    """The same, where a function asks an argument, or what that holds, for an item of which it is not known which."""
    for argument in (*call.args, *(k.value for k in call.keywords)):
        if kind in containers_in(walk.kind(argument)):
            seek_names(walk, kind, argument)


def seek_names_where_given(walk: Walk, kind: Tup) -> None:
    """The same, on the line that names a tuple which a call gives, where that meets a list or another tuple."""
    if walk.cached or not _is_plain_tuple(kind):
        return
    for line in ir.walk_statements(walk.function.body):
        match line:
            case ir.Assign(gast.Name(), gast.Call() as call) if walk.facts.kinds.get(call) == kind:
                raise NameFirst(line, call, _count_of(kind))


def _only_binding(function: ir.Function, name: Any) -> ir.Assign | None:
    """The line that binds a name to what a call gives, if no other line binds it."""
    lines = list(ir.walk_statements(function.body))
    bound = [s for s in lines if name.id in ir.defined_names(s)]
    if (
        len(bound) == 1
        and isinstance(bound[0], ir.Assign)
        and isinstance(bound[0].target, gast.Name)
    ):
        return bound[0] if isinstance(bound[0].value, gast.Call) else None
    return None


def _seek_line_of_its_own(walk: Walk, name: Any) -> None:
    """`m, s = rows(x), 0.0` as two lines, where that is the same."""
    for line in ir.walk_statements(walk.function.body):
        match line:
            case ir.Assign(gast.Tuple() as target, gast.Tuple(elts=values)) if (
                name.id in ir.target_names(target)
                and any(isinstance(value, gast.Call) for value in values)
                and is_one_by_one(walk.function, target, values)
            ):
                raise OneByOne(line, values)


def _count_of(kind: Tup) -> Count:
    """How many items a tuple has; where some of these are tuples as well, how many each of them has."""
    counts = tuple(_count_of(item) if _is_plain_tuple(item) else None for item in kind.items)
    return counts if any(counts) else len(counts)


def _is_plain_tuple(kind: Kind) -> TypeGuard[Tup]:
    return isinstance(kind, Tup) and kind.is_counted and not kind.is_list and kind.type is None


def _mentions(line: ir.Statement, name: Any) -> int:
    lines = ir.walk_statements((line,))
    return sum(ir.names_in(e).count(name.id) for s in lines for e in ir.expressions_of(s))
