"""What a method of a list does to the list, and the call that takes it back."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Callee, Facts, ListMethod, is_keyed_dict, literal_of
from tangentish.ir import Slot
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, own_memory

TAKING = {"$take_last", "$take_out"}  # helpers that change a list, and give what they took out
SAVED = "$saved"  # stands for what was saved, in what takes a change back


def list_change(statement: ir.Statement, facts: Facts, stable: Callable[[Any], Any]) -> Slot | None:
    """The slot for a statement that is a method of a list; None for any other."""
    callee = list_method(statement, facts)
    if callee is None:
        return None
    node = _called(statement)
    if node not in facts.writes and statement not in facts.writes:
        return None
    receiver, *args = callee.args
    root = ir.root_of(receiver)
    keyed = is_keyed_dict(facts.kind(receiver))
    if callee.function.name == "pop" and keyed and _is_given_on(facts.kind(receiver), facts):
        return whole_list(receiver, of_elements=False)  # in the order in which others have seen it
    if callee.function.name == "pop" and keyed:
        entry = stable(_item(receiver, *args))
        return Slot(root.id, entry, content=True, sites=own_sites(facts.kind(receiver)))
    xs = stable(receiver) if isinstance(receiver, gast.Subscript) else receiver
    undo, saved = _undone(callee.function.name, xs, args, stable)
    target = xs if saved is None else saved
    sites = own_sites(facts.kind(receiver))
    return Slot(root.id, target, content=True, undo=undo, saved=saved, sites=sites)


def to_the_end(place: Any, kind: Kind) -> Any:
    """The part of a list that moves where another number of elements is stored to a slice: all from there on."""
    is_list = isinstance(kind, Seq) or (isinstance(kind, Tup) and kind.is_list)
    is_list = is_list or (isinstance(kind, Opaque) and kind.type is list)
    match place:
        case gast.Subscript(value=xs, slice=gast.Slice(lower=lower, step=None)) if is_list:
            first = literal_of(lower)
            counted = isinstance(first, int) and 0 <= first <= _least_length(kind)
            part = gast.Slice(lower if counted else None, None, None)
            return gast.Subscript(xs, part, place.ctx)
    return place


def _least_length(kind: Kind) -> int:
    """How many elements a list has at least: what is stored beyond its end, or before its first, stands elsewhere."""
    length = len(kind.items) if isinstance(kind, Tup) else getattr(kind, "length", None)
    return length if isinstance(length, int) else 0


def list_method(statement: ir.Statement, facts: Facts) -> Callee | None:
    """The method of a list that a statement calls, if it calls one."""
    callee = facts.callees.get(_called(statement))
    return callee if callee is not None and isinstance(callee.function, ListMethod) else None


def whole_list(xs: Any, of_elements: bool) -> Slot:
    """The slot for a list that is changed in ways that nobody knows: all of it is saved.

    of_elements: arrays in the list may be written to.
    """
    saved = quote("contents({xs})" if of_elements else "{xs}.copy()", xs=xs)
    undo = quote(
        "set_contents({xs}, {v})" if of_elements else "set_items({xs}, {v})",
        xs=xs,
        v=ir.name(SAVED),
    )
    return Slot(xs.id, xs, content=True, undo=undo, saved=saved)


def item_slot(xs: str, item: Any, kind: Kind) -> Slot:
    """The slot for an element of a list that is changed in place, if it is an array."""
    if isinstance(kind, Num) and kind.array:
        every = gast.Slice(None, None, None) if kind.rank else constant(...)
        inside = gast.Subscript(item, every, gast.Load())
        return Slot(xs, inside, content=True, saved=quote("{x}.copy()", x=item))
    undo = quote("set_item({xs}, {k}, {v})", xs=item.value, k=item.slice, v=ir.name(SAVED))
    return Slot(xs, item, content=True, undo=undo, saved=quote("np.copy({x})", x=item))


def entry_slot(d: str, entry: Any, kind: Kind, new: bool) -> Slot:
    """The slot for an entry of a dict, under a key that may be new, or is."""
    d_, k = entry.value, entry.slice
    if new:
        undo = quote("{d}.pop({k})", d=d_, k=k)
        return Slot(d, entry, content=True, undo=undo, sites=own_sites(kind))
    undo = quote("put_entry({d}, {k}, {v})", d=d_, k=k, v=ir.name(SAVED))
    saved = quote("{d}.get({k})", d=d_, k=k)
    return Slot(d, entry, content=True, undo=undo, saved=saved, sites=own_sites(kind))


def _is_given_on(kind: Kind, facts: Facts) -> bool:
    """Whether a function of the user's is given a dict, which its adjoint may run over again."""
    given = (callee.user.kinds for callee in facts.callees.values() if callee.user is not None)
    sites = own_sites(kind)
    return any(sites & own_sites(other) for kinds in given for other in kinds)


def own_sites(kind: Kind) -> frozenset[Hashable]:
    """Where a list itself may have been made, not its elements."""
    own = frozenset(buffer.site for buffer in own_memory(kind))
    return own | kind.sites if isinstance(kind, Tup) and not kind.active else own


def _undone(method: str, xs: Any, args: list[Any], stable: Callable[[Any], Any]) -> tuple[Any, Any]:
    """The call that takes a method back, and what has to be saved for it."""
    saved = ir.name(SAVED)
    match method, args:
        case "append", _:
            return quote("{xs}.pop()", xs=xs), None
        case "insert", [position, _]:
            k = stable(_item(xs, position)).slice
            return taken_out(xs, k), None
        case "pop", []:
            return quote("{xs}.append({v})", xs=xs, v=saved), quote("{xs}[-1]", xs=xs)
        case "pop", [position]:
            k = stable(_item(xs, position)).slice
            return put_back(xs, k, saved), quote("{xs}[{k}]", xs=xs, k=k)
        case "extend", [gast.List(elts=elements) | gast.Tuple(elts=elements)]:
            return quote("take_last({xs}, {n})", xs=xs, n=constant(len(elements))), None
        case "reverse", _:
            return quote("{xs}.reverse()", xs=xs), None
        case ir.EXCHANGE, places:
            return ir.exchange(xs, *(stable(_item(xs, k)).slice for k in places)), None
    return quote("set_items({xs}, {v})", xs=xs, v=saved), quote("{xs}.copy()", xs=xs)


def _item(xs: Any, position: Any) -> Any:
    return gast.Subscript(xs, position, gast.Load())


def taken_out(xs: Any, k: Any) -> Any:
    """The call that takes out what `xs.insert(k, v)` put in; `insert` takes any k, beyond the ends, too."""
    return quote("{xs}.pop(0)" if literal_of(k) == 0 else "take_out({xs}, {k})", xs=xs, k=k)


def put_back(xs: Any, k: Any, v: Any) -> Any:
    """The call that puts `v` where `xs.pop(k)` took it from."""
    literal = literal_of(k)
    from_start = isinstance(literal, int) and literal >= 0
    text = "{xs}.insert({k}, {v})" if from_start else "put_back({xs}, {k}, {v})"
    return quote(text, xs=xs, k=k, v=v)


def _called(statement: ir.Statement) -> Any:
    match statement:
        case ir.Assign(_, value):
            return value
        case ir.Do(gast.Expr(value=value)):
            return value
    return statement
