"""A place of a gradient is copied only where it changes while the copy is read.

g = du[1:-1].copy()              ->      g = du[1:-1]
dr += g @ t                              dr += g @ t
du[2:] += g * r                          du[2:] += g * r      (not here: g is read while du changes)

g = dh[t + 1].copy()             ->      g = dh[t + 1]
dh[t] += g * r                           dh[t] += g * r       (another place)
dr += g @ h[t]                           dr += g @ h[t]

Nor is all of a gradient that others gave, where it does not change at all.

dy = dy.copy()                   ->      dt = dy[1:] * h
dt = dy[1:] * h
dws = copied(dws)                ->      return copied(dws)
return copied(dws)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.fresh import makes_array
from tangentish.folding.apart import Least, are_apart


def read_uncopied(
    lines: Sequence[ir.Statement],
    reads: Mapping[str, int],
    is_array: Callable[[str], bool],
    least: Least,
) -> list[ir.Statement]:
    """The lines of a block of the adjoint; reads: how often what is set once is read in all of it.

    least: the counters of the loops around them.
    """
    out = list(lines)
    for position, line in enumerate(out):
        found = _copied(line, reads)
        if found is None or not isinstance(line, ir.Assign) or not is_array(found.array):
            continue
        if _is_read_before_changes(out[position + 1 :], found, reads, least):
            out[position] = ir.Assign(line.target, found.value, line.origin)
    return out


class _Copied(NamedTuple):
    """The name that gets the copy of an array, of a place of it, or of a view of that; and what it is without copy."""

    name: str
    array: str
    index: Any  # of the place; None of the whole
    value: Any


def unchanged_as_given(block: ir.Block, given: Set[str], results: Sequence[Any]) -> ir.Block:
    """The adjoint without copies of given gradients that it only computes with."""
    copied = {name for line in block if (name := _copied_whole(line))} & given
    handed_out = (result for result in results if _name_copied(result) is None)
    copied.difference_update(name for result in handed_out for name in ir.names_in(result))
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
        case ir.Assign(gast.Name(id=name), value) if _name_copied(value) == name:
            return str(name)
    return None


def _name_copied(value: Any) -> str | None:
    """The name of the array, or the list of arrays, that is copied."""
    match value:
        case (
            gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[], keywords=[]
            )
            | gast.Call(func=gast.Name(id="$copied"), args=[gast.Name(id=name)], keywords=[])
        ):
            return str(name)
    return None


def stores_through_views(block: ir.Block) -> bool:
    """Whether something is stored through a function that gives a view only of arrays in the usual layout."""
    return any(
        ir.has_view_call(s.target)
        for s in ir.walk_statements(block)
        if isinstance(s, (ir.Assign, ir.Update)) and isinstance(s.target, gast.Subscript)
    )


def _copied(line: ir.Statement, reads: Mapping[str, int]) -> _Copied | None:
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
                    value=gast.Subscript(value=gast.Name(id=array), slice=index) as place,
                    attr="copy",
                ),
                args=[],
                keywords=[],
            ) if "~" in array:
                return _Copied(name, array, index, _within(links, place))
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
                return _Copied(name, array, None, _within(links, whole))
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
    lines: Sequence[ir.Statement], copied: _Copied, reads: Mapping[str, int], least: Least
) -> bool:
    """Whether all that reads a name comes before the place changes, and keeps no view of it.

    What stores to an array that is set once may read the name last.
    """
    name, array = copied.name, copied.array
    left = reads[name]
    for line in lines:
        for statement in ir.walk_statements((line,)):
            mentions = ir.mentioned(statement)
            if {name, array}.intersection(ir.stored_names(statement)):
                if not _stores_elsewhere(statement, copied, least):
                    last = statement is line and mentions.count(name) == left
                    return last and array in reads and reads_first(line, name, array)
                left -= mentions.count(name)
            elif name in mentions or array in mentions:
                if not only_computes(statement, {name, array}):
                    return False
                left -= mentions.count(name)
        if left == 0:
            return True
    return False


def _stores_elsewhere(line: ir.Statement, copied: _Copied, least: Least) -> bool:
    """Whether a line changes nothing but places that are apart from what was copied, by what it makes."""
    match line:
        case ir.Update(
            gast.Subscript(value=gast.Name(id=stored), slice=index), _, value
        ) | ir.Assign(gast.Subscript(value=gast.Name(id=stored), slice=index), value) if (
            copied.index is not None and stored == copied.array
        ):
            names = {copied.name, copied.array}
            place, changed = tuple(ir.parts_of(copied.index)), tuple(ir.parts_of(index))
            plain = isinstance(value, gast.Name) or is_new(value, names)
            return plain and are_apart(place, changed, least)
    return False


def reads_first(line: ir.Statement, name: str, array: str) -> bool:
    """Whether a store to a place of an array has all that it reads of it computed before."""
    match line:
        case ir.Update(
            gast.Subscript(value=gast.Name(id=stored), slice=index), _, value
        ) | ir.Assign(gast.Subscript(value=gast.Name(id=stored), slice=index), value):
            there = stored == array and {name, array}.isdisjoint(ir.names_in(index))
            return there and is_new(value, {name, array})
    return False


def only_computes(statement: ir.Statement, names: set[str]) -> bool:
    """Whether a statement makes new values of arrays, or adds them to others, and hands none of them on."""
    match statement:
        case ir.Assign(gast.Name() | gast.Subscript() as target, value):
            return is_new(value, names) and names.isdisjoint(ir.names_in(target))
        case ir.Update(target, gast.Add() | gast.Sub(), value):
            plain = isinstance(value, gast.Name) or is_new(value, names)
            return plain and names.isdisjoint(ir.names_in(target))
    return False


def is_new(e: Any, names: set[str]) -> bool:
    """Whether all of these names are operands, in an expression, of what gives new arrays."""
    match e:
        case gast.Name(id=name):
            return name not in names
        case gast.Call() if _name_copied(e) is not None:
            return True
        case gast.BinOp(left=left, right=right):
            return all(_is_operand(part, names) for part in (left, right))
        case gast.UnaryOp(operand=operand):
            return _is_operand(operand, names)
        case gast.Call() if makes_array(e):
            return all(_is_operand(part, names) for part in ir.given_to(e))
        case gast.Call(args=args, keywords=keywords):
            parts = (e.func, *args, *(k.value for k in keywords))
            return all(is_new(part, names) for part in parts)
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
    return is_new(e, names)
