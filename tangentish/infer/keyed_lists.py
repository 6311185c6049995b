"""Dicts whose keys are computed, and whose values are lists that grow.

d.setdefault(key, []).append(v)     ->    if key not in d: d[key] = []; d[key].append(v)
d[key].append(v)                    ->    the same, of a defaultdict(list)

Such a dict is one of numbers until something that varies is put into what stands under a key.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeGuard

import gast

from tangentish import ir
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import ListMethod
from tangentish.infer.list_stores import ListStores
from tangentish.kinds import Buffer, Kind, Num, Seq, Tup, scalar
from tangentish.language.placed import all_at

VALUES = (
    "a dict whose keys are computed holds differentiated numbers, or arrays of one shape, or lists of these, "
    "and nothing else"
)


class KeyedLists(ListStores):
    """The part of the walk that knows lists under keys that are computed."""

    def check_list(self, value: Kind, node: Any) -> None:
        """A list is stored under a key: it is one that changes, of numbers or arrays."""
        if isinstance(value, Tup):
            self.demand(value, node)
            return
        assert isinstance(value, Seq)
        if not (value.item is None or _is_element(value.item)):
            self.refuse(VALUES, node)

    def note_lists(self, d: Seq, value: Kind, node: Any) -> None:
        """Start again with a dict of lists, where it was not known to be one."""
        if is_listed(value) and d.item is None:
            self.start_with_lists({buffer.site for buffer in d.buffers})
        elif d.item is not None and is_listed(d.item) != is_listed(value):
            self.refuse(VALUES, node)

    def start_with_lists(self, sites: set[Hashable]) -> None:
        marks = set(map(lists_mark, sites))
        if not marks <= self.dynamic:
            self.start_again(marks)

    def holds_lists(self, buffers: frozenset[Buffer]) -> bool:
        return any(lists_mark(buffer.site) in self.dynamic for buffer in buffers)

    def first_item(self, d: Seq) -> Kind:
        """What a dict that holds nothing so far is taken to hold."""
        return Seq(None) if self.holds_lists(d.buffers) else scalar()

    def is_key_run_over(self, entry: Any) -> bool:
        """Whether d[key] stands in a loop over the keys of this very dict."""
        for loop in self.around:
            if _runs_over(loop, entry):
                lines = ir.walk_statements(loop.body)
                return not any(entry.slice.id in ir.defined_names(line) for line in lines)
        generators = (g for node in self.listing for g in node.generators)
        return any(_runs_over(generator, entry) for generator in generators)

    def entry_changed(self, receiver: Any, node: Any) -> Any | None:
        """The entry d[key] that d.setdefault(key, []).append(v) puts something into, on a line of its own."""
        asked = self.facts.callees.get(receiver)
        if asked is None or asked.function != ListMethod("setdefault") or self.cached:
            return None
        match self.statement:
            case ir.Do(gast.Expr(value=value)) if value is node:
                return self.made_once((receiver, "entry"), lambda: entry_of(asked), receiver)
        return None


def _runs_over(loop: Any, entry: Any) -> bool:
    """Whether a loop, or a part of a comprehension, runs over the keys of a dict, and the entry is that of a key."""
    match entry:
        case gast.Subscript(value=gast.Name(id=d), slice=gast.Name(id=key)):
            same = isinstance(loop.iter, gast.Name) and loop.iter.id == d
            return same and isinstance(loop.target, gast.Name) and bool(loop.target.id == key)
    return False


def entry_of(asked: Callee) -> Any:
    """The entry that d.setdefault(key, v) gives."""
    d, key = asked.args[:2]
    entry = all_at(gast.Subscript(ir.duplicate(d), ir.duplicate(key), gast.Load()), d)
    entry.is_there = True
    return entry


def is_listed(kind: Kind | None) -> bool:
    """Whether a value is a list for sure."""
    if isinstance(kind, Tup):
        return kind.is_list and not kind.optional
    return isinstance(kind, Seq) and not (kind.keyed or kind.is_tuple or kind.optional)


def is_list_entry(kind: Kind) -> TypeGuard[Seq]:
    """Whether it is a dict of lists whose keys are computed."""
    return isinstance(kind, Seq) and kind.keyed and isinstance(kind.item, Seq)


def lists_mark(site: Any) -> Any:
    """What stands for a dict of lists that is made somewhere, among the containers that change."""
    return ("lists", site)


def _is_element(kind: Kind) -> bool:
    """Whether it is a number or an array, or a tuple of these."""
    if isinstance(kind, Tup):
        return kind.keys is None and not kind.is_list and all(map(_is_element, kind.items))
    return not isinstance(kind, Seq) and (not kind.active or isinstance(kind, Num))
