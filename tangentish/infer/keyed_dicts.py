"""Dicts whose keys are computed: a gradient beside them, under the same keys.

A dict starts as one whose entries are values of their own. The first key that is not known makes it a `Seq` that is
keyed, as the first index that is not known makes a list one that changes. Where such a dict may stand is listed here;
all else is refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.facts import Callee, KeyedNeeded
from tangentish.infer.keyed_lists import VALUES, KeyedLists, is_listed, lists_mark
from tangentish.infer.keyed_records import are_of_one_form, seek_records_stored
from tangentish.infer.known_functions import DictView
from tangentish.infer.lists_kept import holds_changed
from tangentish.infer.records_made import is_one_by_one
from tangentish.infer.starting_again import OneByOne
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, UNKNOWN, Buffer, Kind, Num, Opaque, Seq, Tup, replace, scalar
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.numbers import is_number
from tangentish.kinds.plain_containers import DICTS
from tangentish.kinds.sites import is_from_outside
from tangentish.language.comprehensions import Filled
from tangentish.language.lifted import Instance
from tangentish.language.placed import all_at
from tangentish.language.records import RecordsDisplay
from tangentish.language.ways import way_of

_WHOLE = (
    "a dict of differentiated values whose keys are computed is used here as a whole: "
    "read its entries, d[key], and run over d.items()"
)
_SHAPES = (
    "a dict whose keys are computed holds arrays of one shape, and these may be of several: make them of lengths that "
    "are known to be equal, as np.ones(len(A)) is beside A @ v, or keep them in a list"
)
_UNTOLD = (
    "a dict whose keys are computed holds differentiated numbers, or arrays of one shape, and of this it is not known "
    "whether it is a number: float(v) of what it is made of says so"
)
_KEYS_VARY = (
    "keys of this dict carry a derivative themselves, which is lost where they are read again or handed on: keep what "
    "the keys are computed from beside it"
)


def is_keyed_dict(kind: Kind) -> bool:
    return isinstance(kind, Seq) and kind.keyed


def is_dict(kind: Kind) -> bool:
    return is_keyed_dict(kind) or getattr(kind, "type", None) in DICTS


class KeyedDicts(KeyedLists):
    """The part of the walk that follows dicts whose keys are computed."""

    # -- which dicts these are

    def demand_keyed(self, kind: Tup, owner: Any, key: Any) -> None:
        """A key of this dict is not known: start again, with a dict whose keys are computed.

        A flag or a string that is an argument is looked at first: what is refused is generated for that very value.
        """
        if self.is_flag(key) and kind.items:
            return
        if way_of(owner) is not None:
            self.start_keyed([kind])

    def start_keyed(self, kinds: Sequence[Kind]) -> None:
        """Start again with dicts whose keys are computed, if that is what all of these may be."""
        marks: set[Hashable] = set()
        self.ask_for_keyed(kinds)
        for kind in kinds:
            if isinstance(kind, Seq) and kind.keyed:
                continue
            made_here = isinstance(kind, Tup) and kind.is_dict and bool(kind.sites)
            if not made_here or not isinstance(kind, Tup):
                return
            if not all(isinstance(site, int) for site in kind.sites) or kind.optional:
                return
            listed = bool(kind.items) and all(map(is_listed, kind.items))
            numbers = all(isinstance(item, Num) for item in kind.items)
            if not (listed or numbers or are_of_one_form(kind.items)):
                return
            written = [e for e, display in self.instead.items() if id(display) in kind.sites]
            marks |= {dict_mark(site) for site in (*kind.sites, *map(id, written))}
            marks |= {lists_mark(site) for site in kind.sites if listed}
        if not marks <= self.dynamic:
            self.start_again(marks)

    def ask_for_keyed(self, kinds: Sequence[Kind]) -> None:
        """Have the caller give such a dict."""
        for kind in kinds:
            if isinstance(kind, Tup) and kind.is_dict and len(kind.sites) == 1:
                (site,) = kind.sites
                value = self.value_given(site)
                if value is not None and all(isinstance(item, Num) for item in kind.items):
                    raise KeyedNeeded(value)

    def value_given(self, site: Hashable) -> str | None:
        """The value of this function that is a dict which its caller gives."""
        match site:
            case ("display", str(value)):
                return value
            case ("argument", int(position), *path):
                return self.value_at(position, path)
        return None

    def refuse_forms(self, a: Kind, b: Kind) -> None:
        """Dicts with other keys on one path than on another have keys that are computed."""
        self.start_keyed([a, b])
        super().refuse_forms(a, b)

    def met(self, a: Kind, b: Kind) -> Kind:
        """A dict that meets one whose keys are computed is such a one."""
        for one, other in ((a, b), (b, a)):
            if is_keyed_dict(other) and isinstance(one, Tup) and one.is_dict:
                self.start_keyed([one])
        return super().met(a, b)

    def is_flag(self, key: Any) -> bool:
        """Whether a name is an argument that is True, False or a string."""
        if not (isinstance(key, gast.Name) and self.own_signature):
            return False
        kind = self.kind(key)
        of_flag = kind == Opaque(str) or (isinstance(kind, Num) and kind.dtype == np.dtype(bool))
        return of_flag and key.id in self.function.parameters

    def keyed_display(self, node: Any, kinds: tuple[Kind, ...]) -> Seq | None:
        """{} or {"a": x}, of a dict that gets keys that are not known."""
        marked = dict_mark(id(node)) in self.dynamic or getattr(node, "is_keyed", False)
        if not marked and not isinstance(node, Filled):
            return None
        self.facts.keyed.add(node)
        default = self.default_held(node)
        self.made_plain(node, kinds)
        kind = as_sequence(Tup(kinds, False, frozenset({id(node)}), type=dict))
        for k, item in enumerate(kinds):
            self.check_value(item, node)
            self.put_beside(item, kinds[:k])
        self.kept.append(node)
        return replace(kind, buffers=self.fresh(node), default=default)

    def default_held(self, node: Any) -> tuple[str, str] | None:
        """What a dict that is made here holds under keys that it does not have."""
        default = getattr(node, "default", None)
        if default is None:
            return None
        value, method = default
        if isinstance(value, list):
            self.dynamic.add(lists_mark(id(node)))
        return repr(value), method

    # -- where they stand

    def check_whole(self, node: Any, kind: Kind) -> Kind | None:
        """A dict whose keys are computed stands where nobody knows what is done to it."""
        match node, self.statement:
            case gast.Name(), _ if node in self.facts.as_dicts:
                return None
            case ((gast.Attribute() | gast.Subscript()), _) if self.is_asked_at_its_way(node):
                return None
            case gast.Name(), ir.Return(values=values) if node in values:
                self.check_keys(kind, node)
                return None
            case gast.Dict(), ir.Assign(target, value) if way_of(target) is not None and node in (
                value,
                self.facts.answers.get(value),
                self.facts.as_arrays.get(value),
            ):
                return None
            case _ if isinstance(self.facts.as_arrays.get(node), gast.Dict):
                return None  # the display that stands for it has been looked at
            case ((gast.Dict() | gast.DictComp()), _) if node in self.facts.filled:
                return None
            case gast.Call(), _ if node in self.facts.answers or self.is_followed_call(node):
                return None
            case gast.Dict(), _ if node in self.parts_told_apart():
                return None
            case gast.Dict(), _:
                self.seek_line_of_its_own(node)
                self.facts.filled.add(node)  # it gets a name first
                return None
        self.seek_line_of_its_own(node)
        self.refuse(_WHOLE, node)
        return REFUSED if not self.cached else None

    def is_asked_at_its_way(self, node: Any) -> bool:
        """Whether a dict is asked where a way leads to it: it has a name once what holds it is taken apart."""
        if node not in self.facts.as_dicts and self.at_hand_target() is not node:
            return False
        self.facts.late.append(Refusal(_WHOLE, node))
        return True

    def at_hand_target(self) -> Any:
        """What the line at hand stores to."""
        return getattr(self.statement, "target", None)

    def parts_told_apart(self) -> Iterator[Any]:
        """What is made inside of a dict or an object that gets a name: it has one once that is taken apart."""
        line = self.statement
        if not isinstance(line, ir.Assign):
            return
        pairs = [(line.target, line.value)]
        if isinstance(line.target, gast.Tuple) and len(_values_of(line)) == len(line.target.elts):
            pairs = list(zip(line.target.elts, _values_of(line), strict=True))
        left = [self.facts.made.get(v, v) for target, v in pairs if way_of(target) is not None]
        while left:
            whole = left.pop()
            if isinstance(whole, (gast.Dict, Instance, RecordsDisplay)):
                left += whole.values
                yield whole

    def seek_line_of_its_own(self, node: Any) -> None:
        """`d, e = dict(c), dict(c)`: each is made in its own line."""
        line = self.statement
        if node in _values_of(line):
            self.seek_lines_of_their_own(line)

    def seek_lines_of_their_own(self, line: ir.Statement | None) -> None:
        """`d, e = v, w` as `d = v`, `e = w`, where that is the same."""
        values = _values_of(line)
        if not values or not isinstance(line, ir.Assign) or self.cached:
            return
        if is_one_by_one(self.function, line.target, values):
            raise OneByOne(line, values)

    def is_followed_call(self, node: Any) -> bool:
        return self.facts.user_of(node) is not None

    def change_list(self, receiver: Any, kind: Seq, item: Kind | None) -> None:
        if receiver not in self.facts.filled:  # else it gets a name first
            super().change_list(receiver, kind, item)

    # -- entries

    def check_value(self, value: Kind, node: Any) -> None:
        if self.env.dead:  # a recursion that has not come back yet
            return
        if is_listed(value):
            self.check_list(value, node)
            return
        if isinstance(value, Tup):
            seek_records_stored(self, value, node)
        number = isinstance(value, Num) and value.known and not value.optional
        if not number or not isinstance(value, Num) or None in (value.shape or ()):
            self.demand_counts(self.value_stored(node))
            self.seek_literals(node)
            array = isinstance(value, Num) and not value.optional and value.array
            self.refuse(_SHAPES if array else _UNTOLD if array is None else VALUES, node)

    def value_stored(self, node: Any) -> Any:
        """What the line at hand stores there, or the display itself."""
        match self.statement:
            case ir.Assign(target, value) | ir.Update(target, _, value) if target is node:
                return value
        return node

    def check_key(self, node: Any) -> None:
        if isinstance(node, gast.Slice):
            self.refuse("a slice is no key", node)

    def store_item(self, target: Any, value: Kind) -> None:
        kind = self.kind(target.value)
        if not (isinstance(kind, Seq) and kind.keyed):
            super().store_item(target, value)
            return
        self.note_key(self.index(target.slice), kind.buffers, target)
        self.check_key(target.slice)
        self.note_replaced(kind)
        if not kind.active and not value.active:
            self.let_be_plain(kind, value)
        self.check_value(value, target)
        if self.env.dead:
            return
        self.note_lists(kind, value, target)
        if kind.item is not None and isinstance(value, Num) and isinstance(kind.item, Num):
            self.check_value(self.met(kind.item, value), target)
        self.facts.kinds[target] = value
        self.put_beside(value, [kind.item])
        self.change_list(target.value, kind, value)

    def item_of_list(self, node: Any, base: Seq, index: Kind) -> Kind:
        if not base.keyed:
            return super().item_of_list(node, base, index)
        self.check_key(node.slice)
        default = self.held_by_default(base)
        asked = isinstance(node.ctx, gast.Load) and not getattr(node, "is_there", self.cached)
        if default is not None and asked and not self.is_key_run_over(node):
            self.have_one_default(base, node)
            return self.entry_by_default(node, default)
        return self.any_entry(base, node)

    def any_entry(self, base: Seq, node: Any) -> Kind:
        """The kind of what stands under some key."""
        item = base.item
        if item is None:  # nothing so far: what the first trip of a loop takes it for
            return self.first_item(base)
        return replace(item, value=None) if isinstance(item, Num) else self.taken(item, node)

    # -- keys that carry a derivative

    def note_key(self, key: Kind, buffers: frozenset[Buffer], node: Any) -> None:
        """Something is stored under a key that varies: it is only looked up, nobody reads it again."""
        if not key.active or self.cached:
            return
        sites = {buffer.site for buffer in buffers}
        marks = {_varying(site) for site in sites}
        if any(map(is_from_outside, sites)):
            self.refuse(_KEYS_VARY, node)
        elif not marks <= self.dynamic:
            self.start_again(marks)

    def check_keys(self, kind: Kind, node: Any) -> None:
        """The keys of a dict are read, or are from here on."""
        d = kind if isinstance(kind, Seq) and kind.keyed else None
        if d is not None and {_varying(buffer.site) for buffer in d.buffers} & self.dynamic:
            self.refuse(_KEYS_VARY, node)

    # -- views

    def note_views(self, function: Any, args: list[Any]) -> None:
        """`d.values()` may stay what it is where numbers are added up, or a list is made of it."""
        match args:
            case [gast.Call(func=gast.Attribute(value=gast.Name(id=d))) as view, *_]:
                kind = self.env.kinds.get(d)
                numbers = isinstance(kind, Seq) and is_number(kind.item or scalar())
                if function in (list, tuple) or (function is sum and numbers):
                    self.facts.plain_views.add(view)

    def is_viewed(self, d: Any, view: Any) -> bool:
        """Whether what d.values() gives is known: of a dict that holds nothing that varies where it is added up."""
        kind = self.kind(d)
        known = is_keyed_dict(kind) and view in self.facts.plain_views
        return kind.active or known or holds_changed(kind)

    def keyed_view(self, view: DictView, receiver: Any, node: Any) -> Kind:
        """d.keys(), d.values() or d.items(), where no loop runs over it"""
        d = self.kind(receiver)
        assert isinstance(d, Seq)
        if not isinstance(receiver, gast.Name):  # which gets one first
            return Seq(self.any_entry(d, node), self.fresh(node))
        if node not in self.eaten:
            self.refuse(f"d.{view.name}() that is kept is not followed: make it a list", node)
            return REFUSED
        if view.name == "items":
            return self.answered_by(node, lambda: self.entries_listed(receiver, node))
        if view.name == "values" and {reordered(b.site) for b in d.buffers} & self.dynamic:
            return self.answered_by(node, lambda: self.values_listed(receiver, node))
        if view.name == "values" and node not in self.facts.plain_views:
            return self.listed_view(node)
        self.facts.callees[node] = Callee(view, (receiver,), {})
        return Seq(UNKNOWN if view.name == "keys" else self.any_entry(d, node), self.fresh(node))

    def listed_view(self, view: Any) -> Kind:
        """list(d.values())"""
        again = self.made_once((view, "again"), lambda: ir.duplicate(view), view)
        self.eaten.add(again)
        self.facts.plain_views.add(again)
        made = self.made_once((view, "list"), lambda: quote("list({x})", x=again), view)
        self.facts.answers[view] = made
        return self.expression(made)

    def values_listed(self, d: Any, node: Any) -> Any:
        """[d[k] for k in d], which keeps the keys in their order"""
        k = ir.name(self.unused("k"))
        entry = gast.Subscript(d, k, gast.Load())
        return all_at(gast.ListComp(entry, [gast.comprehension(k, d, [], 0)]), node)

    def entries_listed(self, d: Any, node: Any) -> Any:
        """[(k, d[k]) for k in d]"""
        k = ir.name(self.unused("k"))
        pair = gast.Tuple([k, gast.Subscript(d, k, gast.Load())], gast.Load())
        return all_at(gast.ListComp(pair, [gast.comprehension(k, d, [], 0)]), node)


def _values_of(line: ir.Statement | None) -> list[Any]:
    """What `d, e = v, w` gives names."""
    several = isinstance(line, ir.Assign) and isinstance(line.value, gast.Tuple)
    return list(line.value.elts) if several and isinstance(line, ir.Assign) else []


def reordered(site: Any) -> Any:
    """What stands for a dict of which entries are deleted: keys that are put back stand at the end."""
    return ("reordered", site)


def is_fromkeys(function: Any) -> bool:
    """Whether a function is dict.fromkeys."""
    return getattr(function, "__self__", None) is dict and function.__name__ == "fromkeys"


def _varying(site: Any) -> Any:
    """What stands for a dict of which a key carries a derivative."""
    return ("varying keys", site)


def dict_mark(site: Any) -> Any:
    """What stands for a dict that is made somewhere, among the containers that change."""
    return ("keyed", site)
