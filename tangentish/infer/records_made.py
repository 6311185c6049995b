"""Lists of dicts or objects that carry a derivative: how they are found out, and where they are made.

The first dict or object that goes into an empty list makes it one of lists (language/records.py): where it is made, or
right after the call that gave it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.facts import RecordsWanted
from tangentish.infer.forms import holds_keys
from tangentish.infer.in_loops import seek_loop, seek_loop_for, seek_name, seek_name_for
from tangentish.infer.starting_again import (
    EmptiedHere,
    FilledHere,
    GivenAsRecords,
    OneByOne,
    RecordsNeeded,
)
from tangentish.infer.walk import Walk
from tangentish.ir.origins import origin_of
from tangentish.kinds import REFUSED, Buffer, Cell, Kind, Seq, Tup, buffers_of, records_of
from tangentish.kinds.held_functions import holds_records
from tangentish.kinds.plain_containers import DICTS
from tangentish.language.lifted import is_element
from tangentish.language.records import Lent, RecordsDisplay, captured_in
from tangentish.language.ways import Way, binds, way_of

WHOLE = "a list of dicts or objects is used as a whole here: loop over it, or index it"
KEPT = "an element of a list is kept under another name or given back: reach it through the list"
WHOLE_DICT = "a dict in a list is used as a whole here: ask it for its entries, or give it to a function of yours"
_ANOTHER = "a call puts another list in the place of one whose elements have names: do that after"
_ANOTHER_ELEMENT = (
    "a call puts another one in the place of an element that may have a name: do that after"
)
_UPDATED = (
    "a call puts another dict or object in the place of one that this line updates: give what the call gives a name "
    "first"
)
_GROWS = "a list of dicts or objects grows while a loop runs over it: put the new ones into another list first"


def is_record(kind: Kind | None) -> bool:
    """Whether this is a dict or an object by its entries, of which a list may be made."""
    if not (isinstance(kind, Tup) and (kind.is_mapping or kind.is_object)) or kind.is_records:
        return False
    return bool(kind.keys) and all(isinstance(key, str) for key in kind.keys or ())


class RecordsMade(Walk):
    """The part of the walk that finds lists of dicts and objects."""

    def seek_records(self, kind: Seq, item: Kind | None) -> None:
        """A list that is made here gets dicts or objects: start again, with lists of their entries."""
        if is_record(item) and isinstance(item, Tup) and item.active and not self.cached:
            self.demand_records(kind, item.type or dict, item.keys or ())

    def seek_records_by_key(self, kind: Seq, value: Kind, line: ir.Statement | None) -> None:
        """The same of a dict whose keys are computed, where this function makes it and gives it a name."""
        if not (isinstance(value, Tup) and value.type is not None) or self.cached:
            return
        if value.is_closed and not value.is_records:
            self.demand_apart(value, line)  # it holds nothing that varies, so far
        keys = value.keys or ()
        if is_record(value) and not any(hasattr(dict, str(key)) for key in keys):
            sites = [buffer.site for buffer in kind.buffers]
            for made in ir.walk_statements(self.function.body):
                if isinstance(made, ir.Assign) and sites == [id(made.value)]:
                    self.make_by_key(made, value)

    def make_by_key(self, line: ir.Assign, value: Tup) -> None:
        """Start again with a dict of dicts, which is filled in lines of its own."""
        display, of = line.value, value.type or dict
        if isinstance(display, gast.DictComp) or getattr(display, "keys", None):
            raise FilledHere(line, display, False)
        if isinstance(display, gast.Dict) and getattr(display, "default", None) is None:
            raise RecordsNeeded(id(display), of, value.keys or (), keyed=True)

    def seek_records_told_apart(self, kind: Tup) -> None:
        """A list whose dicts or objects, all of one form, had names one by one changes, or is indexed: the same."""
        records = [item for item in kind.items if isinstance(item, Tup) and is_record(item)]
        forms = {(item.type or dict, item.keys or ()) for item in records}
        for item in kind.items:
            if len(forms) == 1 and isinstance(item, Tup) and item.is_closed:
                self.demand_apart(item, self.statement)
        if kind.is_list and len(records) == len(kind.items) and len(forms) == 1 and not self.cached:
            self.demand_records(kind, *next(iter(forms)))

    def demand_records(self, kind: Kind, of: type, keys: Sequence[Hashable]) -> None:
        """Start again, where a list is known to be empty when it is made: here, or by a function around or inside."""
        sites = _made_at(kind)
        of = dict if of in DICTS else of
        if len(sites) == 1:
            self.demand_records_around(kind, sites[0], of, keys)
        lines = [s for s in ir.walk_statements(self.function.body) if isinstance(s, ir.Assign)]
        self.part(lines, sites)
        held = [s for s in lines if way_of(s.target) is not None]
        for line, display in ((s, part) for s in held for part in _displays_in(s.value)):
            if sites == [id(display)] and isinstance(display, gast.List):
                if not display.elts:
                    raise RecordsNeeded(id(display), of, keys)
                self.fill_here(line, display)
        for made, node in self.instead.items():
            if sites == [id(node)] and isinstance(made, tuple):
                self.empty_here(id(made[0]), id(node))

    def demand_records_around(
        self, kind: Kind, site: Hashable, of: type, keys: Sequence[Hashable]
    ) -> None:
        """The same of a list that is made by a call, or was given."""
        match site:
            case Made(call=call):
                self.empty_here(call, site)
            case ("display", str(value)) if not self.outermost:
                raise RecordsWanted(value, of, keys)
            case ("argument", int(position), *path) if not self.outermost:
                raise RecordsWanted(self.value_at(position, path), of, keys)
            case ("display", _) if isinstance(kind, Tup) and kind.items:
                self.make_anew(kind, site)

    def make_anew(self, kind: Tup, site: Hashable) -> None:
        """A list that was given is one of lists of entries, made first, where all its elements are alike."""
        way = max(self.given_at(site), key=lambda way: len(way.steps), default=None)
        if way is None or way.root in captured_in(self.function):
            return
        elements = [item for item in kind.items if isinstance(item, Tup) and _is_of_values(item)]
        again = any(binds(s, way) for s in ir.walk_statements(self.function.body))
        node = origin_of(self.statement).node if self.statement is not None else None
        if len(elements) == len(kind.items) and not again and _are_alike(elements):
            raise GivenAsRecords(way, self.env.kinds[way.root], elements, node)

    def given_at(self, site: Hashable) -> Iterator[Way]:
        """The ways from what was given to a list that is made of what was given."""
        for name, kind in self.env.kinds.items():
            if isinstance(kind, Tup) and ("display", name) in kind.sites:
                ways = parts_in(Way(name), kind)
                yield from (way for way, part in ways if site in _made_at(part))

    def part(self, lines: list[ir.Assign], sites: list[Hashable]) -> None:
        """Start again with a line of its own for a list that is made together with something else."""
        for line in lines:
            values = line.value.elts if isinstance(line.value, gast.Tuple) else ()
            made = any(sites == [id(value)] for value in values)
            if made and is_one_by_one(self.function, line.target, values):
                raise OneByOne(line, values)

    def fill_here(self, line: ir.Assign, display: Any) -> None:
        """A list that is made with elements in it is made empty first; it has a name of its own there."""
        if ir.has_star(display.elts):
            return
        if (line.value is display and isinstance(line.target, gast.Name)) or id(
            display
        ) in self.lists_unrolled:
            raise FilledHere(line, display, id(display) in self.lists_unrolled)
        seek_name_for(line, display)

    def empty_here(self, call: int, site: Hashable) -> None:
        """A call has made a list that was empty then, and is reached in one way."""
        found = [
            way
            for name, kind in self.env.kinds.items()
            for way, part in parts_in(Way(name), kind)
            if site in _made_at(part)
        ]
        lines = [*lines_that_call(self.function.body, call)]
        if len(found) != 1 or len(lines) != 1 or found[0].root not in ir.mentioned(lines[0][0]):
            return
        line, node = lines[0]
        given = [self.kind(node), *(handed.kind for handed in self.facts.handed.get(node, ()))]
        parts = [part for kind in given for _, part in parts_in(Way(""), kind)]
        if all(_is_empty(part) for part in parts if site in _made_at(part)):
            raise EmptiedHere(line, found[0])

    def check_growth(self, grown: frozenset[Buffer], node: Any) -> None:
        """A list must not grow while a loop runs over the indices of its elements."""
        for loop in self.around:
            for over in ir.walk(loop.iter):
                records = isinstance(over, gast.Subscript) and self.facts.kinds.get(over.value)
                if (
                    isinstance(records, Tup)
                    and records.is_records
                    and buffers_of(self.facts.kinds[over]) & grown
                ):
                    self.refuse(_GROWS, node)

    def check_replaced(self, replaced: frozenset[Buffer], node: Any) -> None:
        """A call puts another dict or object in the place of one that may have a name."""
        if replaced and (self.scope or self.listing):
            self.refuse(_ANOTHER_ELEMENT, node)
            return
        origin = getattr(self.statement, "origin", None)
        named = {way for way, line in self.elements_named if line == origin} if replaced else set()
        for root in {way.root for way in named}:
            for way, kind in lists_in(Way(root), self.env.kinds.get(root)):
                if way in named and buffers_of(kind) & replaced:
                    self.refuse(_ANOTHER_ELEMENT, node)
        self.check_updated(replaced, node)

    def check_updated(self, replaced: frozenset[Buffer], node: Any) -> None:
        """`ps[0].x += f()`: the element that gets the sum is the one that stood there before the call."""
        line = self.statement
        root = ir.owner_of(line.target) if isinstance(line, ir.Update) else None
        if not (replaced and isinstance(root, gast.Name)):
            return
        lists = lists_in(Way(root.id), self.env.kinds.get(root.id))
        if any(buffers_of(kind) & replaced for _, kind in lists):
            self.refuse(_UPDATED, node)

    def check_named(self, owner: Any, key: Hashable, value: Kind, node: Any) -> None:
        """A call puts another list in the place of one whose elements have names, or puts it in order."""
        list_of_records = self.kind(owner)
        if isinstance(list_of_records, Tup) and list_of_records.is_records:
            self.check_replaced(buffers_of(list_of_records), node)
        holder, origin = way_of(owner), getattr(self.statement, "origin", None)
        if holder is None or not holds_records(value):
            return
        named = (way for way, line in self.elements_named if line == origin)
        if any(way.leads_through(holder, key) for way in named):
            self.refuse(_ANOTHER, node)

    def records_display(self, node: Any) -> Tup:
        """The kind of the empty lists that stand for an empty list of dicts or objects."""
        items = tuple(map(self.expression, node.values))
        keys = tuple(key.value for key in node.keys)
        self.kept.append(node)
        self.records_known = True
        sites = frozenset({id(node)})
        return Tup(items, False, sites, keys, records_of(node.of), True, True)

    def records_at(self, node: Any, kind: Tup) -> Kind:
        """Such a list as the value of an expression: a name, or what makes it; it stands in nothing else."""
        known = way_of(node) is not None or isinstance(node, RecordsDisplay)
        if known or self.cached:
            return kind
        if isinstance(node, gast.Call):
            match self.statement:
                case ir.Assign(gast.Name(), value) if value is node:
                    return kind
                case ir.Assign(target, value) if value is node:
                    if all(map(is_element, ir.target_names(target))):
                        return kind  # it is taken apart by now
            seek_name(self, node)
        self.refuse(WHOLE, node)
        return REFUSED

    def meet_as_records(self, a: Kind, b: Kind) -> None:
        """Where such a list meets one that is empty so far, or holds the same objects: that is one, too."""
        for one, other in ((a, b), (b, a)):
            if not (isinstance(one, Tup) and one.is_records and isinstance(other, (Tup, Seq))):
                continue
            empty = isinstance(other, Seq) and other.item is None and not other.keyed
            if empty or (isinstance(other, Tup) and other.is_list and not other.items):
                assert one.type is not None
                self.demand_records(other, one.type.of, one.keys or ())  # type: ignore[attr-defined]
            elif not self.cached:
                self.seek_records_made_one_by_one(one, other)

    def seek_records_made_one_by_one(self, records: Tup, kind: Tup | Seq) -> None:
        """A list of constant objects is one of values, and one that was written down here is such a list, too."""
        items = kind.items if isinstance(kind, Tup) else (kind.item,)
        for item in items:
            same = isinstance(item, Tup) and records_of(item.type or dict) is records.type
            if (
                same
                and isinstance(item, Tup)
                and not item.active
                and not item.sites <= self.dynamic
            ):
                self.demand_apart(item, self.statement)
        if isinstance(kind, Tup) and all(isinstance(site, int) for site in kind.sites):
            self.seek_records_told_apart(kind)

    def seek_loop_of_records(self, node: Any, item: Kind) -> None:
        """A comprehension that gives dicts or objects is a loop that appends them, where it can be one."""
        if is_record(item) and item.active and isinstance(node, gast.ListComp):
            seek_loop(self)
            if isinstance(node.elt, Lent):
                self.refuse(KEPT, node)

    def seek_loop_around(self, use: Any, expression: Any) -> None:
        """Of what stands in a comprehension, as `b.length(nodes)`, a loop tells what is called."""
        comprehensions = (gast.ListComp, gast.GeneratorExp)
        around = (n for n in ir.walk(expression) if isinstance(n, comprehensions))
        outermost = next((n for n in around if any(part is use for part in ir.walk(n))), None)
        if outermost is not None:
            seek_loop_for(self, outermost)


def is_one_by_one(function: ir.Function, target: Any, values: Sequence[Any]) -> bool:
    """Whether nothing sees that values that are assigned together get their names in turn."""
    if not (isinstance(target, gast.Tuple) and len(target.elts) == len(values)):
        return False
    bound = {*ir.target_names(target)}
    seen = captured_in(function).union(*map(ir.names_in, values))
    guarded = any(isinstance(s, ir.Try) for s in ir.walk_statements(function.body))
    names = all(isinstance(t, gast.Name) for t in target.elts) and len(bound) == len(values)
    return names and not guarded and bound.isdisjoint(seen)


def lists_in(way: Way, kind: Kind | None) -> Iterator[tuple[Way, Tup]]:
    """The lists of dicts or objects that are a value, or stand in it, and the ways to them."""
    for to, part in parts_in(way, kind):
        if isinstance(part, Tup) and part.is_records:
            yield replace(to, keyed=part.is_keyed_records), part


def parts_in(way: Way, kind: Kind | None) -> Iterator[tuple[Way, Kind]]:
    """A value and what stands in it under keys and names, and the ways there."""
    if kind is None:
        return
    yield way, kind
    if not isinstance(kind, Tup) or kind.keys is None or kind.type is Cell:
        return
    if not kind.is_function:
        form = "attr" if kind.is_object else "key"
        for key, item in zip(kind.keys, kind.items, strict=True):
            yield from parts_in(way.to(form, key, kind.keys), item)


def _displays_in(value: Any) -> Iterator[Any]:
    """A value, and what stands in it where it is a dict, or is given where it is a call."""
    yield value
    match value:
        case gast.Dict(values=parts) | RecordsDisplay(values=parts) | gast.Call(args=parts):
            for part in parts:
                yield from _displays_in(part)


def _made_at(kind: Kind) -> list[Hashable]:
    """Where a list may have been made."""
    match kind:
        case Seq(buffers=buffers, keyed=False):
            return [buffer.site for buffer in buffers]
        case Tup(is_list=True, sites=sites):
            return [*sites]
    return []


def _is_of_values(kind: Kind) -> bool:
    """Whether this is a dict or an object whose entries are values, lists of such, or again dicts or objects."""
    if not (isinstance(kind, Tup) and is_record(kind)):
        return False
    return all(_is_of_values(item) or not holds_keys(item) for item in kind.items)


def _are_alike(elements: Sequence[Tup]) -> bool:
    """Whether all have the same entries, and so have those that are dicts or objects themselves."""
    forms = {(element.type or dict, element.keys) for element in elements}
    columns = zip(*(element.items for element in elements), strict=True) if len(forms) == 1 else ()
    for column in columns:
        inner = [item for item in column if isinstance(item, Tup) and is_record(item)]
        if inner and (len(inner) < len(column) or not _are_alike(inner)):
            return False
    return len(forms) == 1


def _is_empty(kind: Kind) -> bool:
    """Whether nothing is in a list so far."""
    return (isinstance(kind, Seq) and kind.item is None) or (
        isinstance(kind, Tup) and not kind.items
    )


def lines_that_call(block: ir.Block, call: int) -> Iterator[tuple[ir.Assign | ir.Do, Any]]:
    """The lines, each on its own, on which there is a call, and the call."""
    for line in ir.walk_statements(block):
        if isinstance(line, (ir.Assign, ir.Do)):
            yield from ((line, node) for node in ir.nodes_in(line) if id(node) == call)
