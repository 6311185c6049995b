"""Entries of the dicts or objects in a dict that is given, by computed keys: a dict of these entries has a name first.

mats[name].E ** 2    ->    mats_E = {"steel": mats["steel"].E, "alu": mats["alu"].E}; mats_E[name] ** 2

The function must do nothing else with the dict than read entries of what is in it, so that they stay what they are.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.elements_with_names import elements_with_names
from tangentish.infer.literals import literal_of
from tangentish.infer.starting_again import Tabled
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Num, Opaque, Tup
from tangentish.rules.rule import ABSENT


def seek_table(walk: Walk, base: Tup, owner: Any) -> None:
    """Start again with such dicts, where a key of the dict `owner` is not known, if nothing else is done with it."""
    if walk.cached or not (isinstance(owner, gast.Name) and walk.facts.is_given(owner.id)):
        return
    lines = list(ir.walk_statements(walk.function.body))
    named = elements_with_names(walk.function, owner.id)
    parts = [part for line in lines for e in _read_by(line) for part in ir.walk(e)]
    found = ((part, _entry_of(part, owner.id, named)) for part in parts)
    entries = {part: key for part, key in found if key is not None}
    asked = {part for part in parts if _asks_for_keys(part, owner.id)}
    names = [n for line in lines for e in ir.expressions_of(line) for n in ir.names_in(e)]
    mentions = sum(map(names.count, (owner.id, *named)))
    if len(entries) + len(asked) + 2 * len(named) < mentions:  # each is bound, to an element
        return
    computed = {e: key for e, key in entries.items() if _is_computed(e)}
    kinds = {key: _kinds_of(base, key) for key in entries.values()}
    if all(kinds.values()) and all(_are_alike(kinds[key]) for key in computed.values()):
        raise Tabled(owner, base.keys or (), computed, named)


def _is_computed(entry: Any) -> bool:
    return isinstance(entry.value, gast.Name) or literal_of(entry.value.slice) is ABSENT


def _read_by(line: ir.Statement) -> Iterator[Any]:
    """What a statement reads, and does not store to, run as a method, or delete."""
    targets = {id(getattr(line, "target", None))}
    if isinstance(line, ir.Do) and not isinstance(line.node, (gast.Expr, gast.Assert)):
        return
    for e in ir.expressions_of(line):
        if id(e) not in targets:
            yield e


def _entry_of(node: Any, owner: str, named: Container[str]) -> str | None:
    """The name or literal key of what d[k].x, or d[k]["x"], reads of an element of a dict; of `m.x`, if m is one."""
    match node:
        case gast.Attribute(value=element, attr=key):
            pass
        case gast.Subscript(value=element, slice=gast.Constant(value=str() as key)):
            pass
        case _:
            return None
    match element:
        case gast.Subscript(value=gast.Name(id=name)) if name == owner:
            return str(key)
        case gast.Name(id=name) if name in named:
            return str(key)
    return None


def _asks_for_keys(node: Any, owner: str) -> bool:
    """`k in d`, len(d)"""
    match node:
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[gast.Name(id=name)]):
            return bool(name == owner)
        case gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=name)]):
            return bool(name == owner)
    return False


def _kinds_of(base: Tup, key: str) -> list[Kind]:
    """What the elements of a dict have under a key, or as an attribute; nothing where one of them has none."""
    places = [(item, item.position(key)) for item in base.items if isinstance(item, Tup)]
    known = [item.items[place] for item, place in places if item.keys and place is not None]
    return known if len(known) == len(base.items) else []


def _are_alike(kinds: list[Kind]) -> bool:
    """Whether these are numbers, or arrays of one shape, or all of them texts."""
    numbers = [kind for kind in kinds if isinstance(kind, Num) and kind.known]
    alike = len(numbers) == len(kinds) and len({kind.shape for kind in numbers}) == 1
    return alike or all(kind == Opaque(str) for kind in kinds)
