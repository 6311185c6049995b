"""A place of a gradient is copied only where it changes while the copy is read.

g = du[1:-1].copy()              ->      g = du[1:-1]
dr += g @ t                              dr += g @ t
du[2:] += g * r                          du[2:] += g * r      (not here: g is read while du changes)

Nor is all of a gradient that others gave, where it does not change at all.

dy = dy.copy()                   ->      dt = dy[1:] * h
dt = dy[1:] * h
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.fresh import makes_array


def read_uncopied(
    lines: Sequence[ir.Statement], reads: Mapping[str, int], is_array: Callable[[str], bool]
) -> list[ir.Statement]:
    """The lines of a block of the adjoint; reads: how often what is set once is read in all of it."""
    out = list(lines)
    for position, line in enumerate(out):
        found = _copied(line, reads)
        if found is None or not isinstance(line, ir.Assign) or not is_array(found[1]):
            continue
        name, array, value = found
        if _is_read_before_changes(out[position + 1 :], name, array, reads):
            out[position] = ir.Assign(line.target, value, line.origin)
    return out


def unchanged_as_given(block: ir.Block, given: Set[str], results: Sequence[Any]) -> ir.Block:
    """The adjoint without copies of given gradients that it only computes with."""
    copied = {name for line in block if (name := _copied_whole(line))} & given
    copied.difference_update(name for result in results for name in ir.names_in(result))
    if not copied:
        return block
    rest = tuple(s for s in block if _copied_whole(s) not in copied and not _is_default(s))
    for line in ir.walk_statements(rest):
        found = copied.intersection((*ir.mentioned(line), *ir.stored_names(line)))
        copied -= {name for name in found if not only_computes(line, {name})}
    return tuple(line for line in block if _copied_whole(line) not in copied)


def _is_default(line: ir.Statement) -> bool:
    """Whether a gradient that nobody gave is set: `if dy is None: dy = np.ones_like(y)`."""
    match line:
        case ir.If(gast.Compare(left=gast.Name(id=name), ops=[gast.Is()]), body):
            return all(isinstance(s, ir.Assign) and ir.is_name(s.target, name) for s in body)
        case ir.Assign(gast.Name(), gast.Call(func=gast.Name(id="$head_like"))):
            return True
    return False


def _copied_whole(line: ir.Statement) -> str | None:
    """The gradient of which a copy takes the place."""
    match line:
        case ir.Assign(
            gast.Name(id=name),
            gast.Call(
                func=gast.Attribute(value=gast.Name(id=copied), attr="copy"), args=[], keywords=[]
            ),
        ) if name == copied:
            return str(name)
    return None


def stores_through_views(block: ir.Block) -> bool:
    """Whether something is stored through a function that gives a view only of arrays in the usual layout."""
    return any(
        ir.has_view_call(s.target)
        for s in ir.walk_statements(block)
        if isinstance(s, (ir.Assign, ir.Update)) and isinstance(s.target, gast.Subscript)
    )


def _copied(line: ir.Statement, reads: Mapping[str, int]) -> tuple[str, str, Any] | None:
    """The name that gets the copy of a place of an array, or a view of it; the array, and what it is without copy."""
    match line:
        case ir.Assign(gast.Name(id=name), value) if "~" in name and name in reads:
            pass
        case _:
            return None
    links: list[Any] = []
    while True:
        match value:
            case gast.Call(
                func=gast.Attribute(
                    value=gast.Subscript(value=gast.Name(id=array)) as place, attr="copy"
                ),
                args=[],
                keywords=[],
            ) if "~" in array:
                return name, array, _within(links, place)
            case gast.Call(
                func=gast.Attribute(
                    value=gast.Call(
                        func=gast.Name(id="$unbroadcast"), args=[gast.Name(id=array), _]
                    ) as whole,
                    attr="copy",
                ),
                args=[],
                keywords=[],
            ) if "~" in array:
                return name, array, _within(links, whole)
            case gast.Subscript(value=inner, slice=index):
                if ir.names_in(index):
                    return None
                links.append(value)
                value = inner
            case gast.Call(func=gast.Name(id="$unbroadcast"), args=[inner, _], keywords=[]):
                links.append(value)
                value = inner
            case _:
                return None


def _within(links: Sequence[Any], place: Any) -> Any:
    for link in reversed(links):
        if isinstance(link, gast.Subscript):
            place = gast.Subscript(place, link.slice, link.ctx)
        else:
            place = gast.Call(link.func, [place, *link.args[1:]], [])
    return place


def _is_read_before_changes(
    lines: Sequence[ir.Statement], name: str, array: str, reads: Mapping[str, int]
) -> bool:
    """Whether all that reads a name comes before the array changes, and keeps no view of it.

    What stores to an array that is set once may read the name last.
    """
    left = reads[name]
    for line in lines:
        for statement in ir.walk_statements((line,)):
            if {name, array}.intersection(ir.stored_names(statement)):
                last = statement is line and ir.mentioned(line).count(name) == left
                return last and array in reads and reads_first(line, name, array)
            mentions = ir.mentioned(statement)
            if name in mentions or array in mentions:
                if not only_computes(statement, {name, array}):
                    return False
                left -= mentions.count(name)
        if left == 0:
            return True
    return False


def reads_first(line: ir.Statement, name: str, array: str) -> bool:
    """Whether a store to a place of an array has all that it reads of it computed before."""
    match line:
        case ir.Update(gast.Subscript(value=gast.Name(id=stored), slice=index), _, value):
            there = stored == array and {name, array}.isdisjoint(ir.names_in(index))
            return there and _is_new(value, {name, array})
    return False


def only_computes(statement: ir.Statement, names: set[str]) -> bool:
    """Whether a statement makes new values of arrays, or adds them to others, and hands none of them on."""
    match statement:
        case ir.Assign(gast.Name() | gast.Subscript() as target, value):
            return _is_new(value, names) and names.isdisjoint(ir.names_in(target))
        case ir.Update(target, gast.Add() | gast.Sub(), value):
            plain = isinstance(value, gast.Name) or _is_new(value, names)
            return plain and names.isdisjoint(ir.names_in(target))
    return False


def _is_new(e: Any, names: set[str]) -> bool:
    """Whether all of these names are operands, in an expression, of what gives new arrays."""
    match e:
        case gast.Name(id=name):
            return name not in names
        case gast.BinOp(left=left, right=right):
            return all(_is_operand(part, names) for part in (left, right))
        case gast.UnaryOp(operand=operand):
            return _is_operand(operand, names)
        case gast.Call() if makes_array(e):
            return all(_is_operand(part, names) for part in ir.given_to(e))
        case gast.Call(args=args, keywords=keywords):
            parts = (e.func, *args, *(k.value for k in keywords))
            return all(_is_new(part, names) for part in parts)
    return names.isdisjoint(ir.names_in(e))


def _is_operand(e: Any, names: set[str]) -> bool:
    """A view of an array is as good as itself, where an operation reads it."""
    match e:
        case gast.Name():
            return True
        case gast.Subscript(value=inner, slice=index):
            return _is_operand(inner, names) and names.isdisjoint(ir.names_in(index))
        case (
            gast.Attribute(value=inner)
            | gast.Call(func=gast.Attribute(value=inner, attr="copy"), args=[])
        ):
            return _is_operand(inner, names)
        case gast.Call(func=gast.Name(id="$unbroadcast"), args=[inner, like], keywords=[]):
            return _is_operand(inner, names) and names.isdisjoint(ir.names_in(like))
    return _is_new(e, names)
