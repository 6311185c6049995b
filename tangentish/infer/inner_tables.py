"""A dict in a dict or an object, asked by computed keys: a dict of its own has a name before.

for cam, u in seen:                        cams = {"left": params["cams"]["left"], "right": params["cams"]["right"]}
    c = params["cams"][cam]        ->      for cam, u in seen:
                                               c = cams[cam]

The line stands before the outermost loop in which nothing but entries of what holds it is read, or before the line
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.starting_again import InnerTable
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Tup
from tangentish.language.nested import Closure

MOST_ENTRIES = 64


def seek_inner_table(walk: Walk, base: Tup, owner: Any) -> None:
    """Start again with a name for the dict `owner`, if it stays as it is from that line on to where it is asked."""
    root, line = _root(owner), walk.statement
    if walk.cached or line is None or root is None or isinstance(owner, gast.Name):
        return
    if not (base.items and len(base.items) <= MOST_ENTRIES and _are_alike(base)):
        return
    if _is_captured(walk.function, root) or not _is_quiet(walk, line, root):
        return
    before = line
    for loop in reversed(_loops_around(walk.function.body, line)):
        if not all(_is_quiet(walk, inside, root) for inside in ir.walk_statements((loop,))):
            break
        before = loop
    raise InnerTable(before, owner, base.keys or ())


def _are_alike(base: Tup) -> bool:
    """Whether the entries are numbers, or arrays of one shape."""
    numbers = [item for item in base.items if isinstance(item, Num) and item.known]
    return len(numbers) == len(base.items) and len({item.shape for item in numbers}) == 1


def _root(path: Any) -> str | None:
    """The name of a value from which names and keys lead to a container."""
    while isinstance(path, (gast.Attribute, gast.Subscript)):
        path = path.value
    return path.id if ir.is_own_name(path) else None


def _is_captured(function: ir.Function, root: str) -> bool:
    parts = ir.nodes_in(*ir.walk_statements(function.body))
    return any(
        root in {name.id for name in part.captured} for part in parts if isinstance(part, Closure)
    )


def _loops_around(block: ir.Block, line: ir.Statement) -> list[ir.Statement]:
    """The loops around a line, the outermost first."""
    for statement in block:
        if statement is line:
            return []
        if line in ir.walk_statements((statement,)):
            loop = [statement] if isinstance(statement, (ir.For, ir.While)) else []
            inner = (b for b in ir.blocks_of(statement) if line in ir.walk_statements(b))
            return [*loop, *_loops_around(next(inner, ()), line)]
    return []


def _is_quiet(walk: Walk, line: ir.Statement, root: str) -> bool:
    """Whether a line changes no dict and no object for sure, seen from its text: whatever names these have."""
    bound = ir.defined_names(line)
    if root in bound or any("@" in name for name in bound):
        return False
    if isinstance(line, ir.Do) and not isinstance(line.node, gast.Expr):
        return False
    target = getattr(line, "target", None)
    stored = [] if target is None else [p for p in ir.walk(target) if isinstance(p, _PLACES)]
    if isinstance(line, ir.Update) or stored:
        names = [_root(place) for place in stored or [target]]
        if not all(name is not None and _has_no_entries(walk, name) for name in names):
            return False
    return all(_only_reads(walk, expression) for expression in ir.expressions_of(line))


_PLACES = (gast.Attribute, gast.Subscript)


def _only_reads(walk: Walk, expression: Any) -> bool:
    """Whether an expression does no more with dicts and objects than read numbers and arrays of them."""
    read = {id(name) for name in _only_read(walk, expression)}
    parts = ir.walk(expression)
    names = (p for p in parts if isinstance(p, gast.Name) and _is_bound(walk, p.id))
    calls = (p for p in parts if isinstance(p, gast.Call))
    return all(id(n) in read or _has_no_entries(walk, n.id) for n in names) and all(
        _is_quiet_call(walk, call, read) for call in calls
    )


def _is_quiet_call(walk: Walk, call: Any, read: Set[int]) -> bool:
    """Whether a call is one of a function outside, or of a method of an array or a list, and of what is known."""
    func = call.func
    while isinstance(func, _PLACES):
        func = func.value
    if not isinstance(func, gast.Name):
        return False
    if ir.is_value(func.id) and not (id(func) in read or _has_no_entries(walk, func.id)):
        return False
    given = (n for a in (*call.args, *call.keywords) for n in ir.names_in(a) if ir.is_value(n))
    return all(_is_bound(walk, name) for name in given)


def _is_bound(walk: Walk, name: str) -> bool:
    """Whether it is known so far what a name stands for."""
    return name in walk.scope or name in walk.env.kinds


def _has_no_entries(walk: Walk, name: str) -> bool:
    """Whether a name stands for numbers, arrays, lists of these, or texts, and for no dict and no object."""
    return _is_plain(walk.scope.get(name, walk.env.kinds.get(name)))


def _is_plain(kind: Kind | None) -> bool:
    match kind:
        case Tup(items=items):
            return kind.is_counted and all(map(_is_plain, items))
        case Seq(item=item, keyed=keyed):
            return not keyed and (item is None or _is_plain(item))
        case Num() | Known() | Opaque():
            return True
    return False


def _only_read(walk: Walk, expression: Any) -> Iterator[Any]:
    """The names from which the ways lead to numbers and arrays, or to dicts of these that are asked."""
    for part in ir.walk(expression):
        match part:
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[whole]):
                read = _is_of_numbers(walk, whole)
            case gast.Call(func=gast.Attribute(value=whole, attr="get")):
                read = _is_of_numbers(walk, whole)
            case gast.Subscript(value=whole):
                read = isinstance(walk.place_in_container(part), Num) or _is_of_numbers(walk, whole)
            case gast.Attribute(value=whole):
                read = isinstance(walk.place_in_container(part), Num)
            case _:
                continue
        while isinstance(whole, (gast.Attribute, gast.Subscript)):
            whole = whole.value
        if read:
            yield whole


def _is_of_numbers(walk: Walk, node: Any) -> bool:
    kind = walk.place_in_container(node)
    if isinstance(kind, Seq):
        return kind.keyed and isinstance(kind.item, Num)
    return isinstance(kind, Tup) and kind.is_mapping and all(isinstance(i, Num) for i in kind.items)
