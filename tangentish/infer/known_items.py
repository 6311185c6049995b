"""Loops whose items are known one by one: over keys, over lists of dicts and objects, over what is written down.

Where a trip needs to know which item it has (`d[key]`, an object among objects of other forms), the loop is written out
(analysis/unrolled.py): a statement has one meaning in a derivative, and the trips of such a loop have several.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NoReturn

import gast

from tangentish import ir
from tangentish.infer.arrays_run_over import items_apart, trips_apart
from tangentish.infer.constants_apart import are_apart
from tangentish.infer.forms import holds_keys, texts_among_numbers
from tangentish.infer.in_loops import seek_loop, seek_name_for
from tangentish.infer.item_expressions import (
    MOST_TRIPS_WRITTEN,
    VIEWS,
    is_named,
    literals_in,
    parts_of_item,
    taken_line,
)
from tangentish.infer.literals import literal_of
from tangentish.infer.literals_outside import are_alike
from tangentish.infer.records_made import parts_in
from tangentish.infer.starting_again import NameFirst, StartAgain, StartAnew, Unroll
from tangentish.infer.ways_to_items import WaysToItems
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Opaque, Seq, Tup, may_be_none
from tangentish.kinds.joins import join
from tangentish.language.taken_first import copied_first
from tangentish.language.taken_for import TakenFor
from tangentish.language.ways import Way
from tangentish.language.written_out import written_out
from tangentish.rules.rule import ABSENT


@dataclass
class KnownItems(WaysToItems):
    """The part of the walk that knows the items of loops."""

    # the comprehensions around what is looked at whose elements are written down
    displays: list[Any] = field(default_factory=list)

    def write_out_for(self, index: Any, is_called: bool = False) -> None:
        """Start again with the loop written out that says which key or position an index is, if there is one."""
        if is_called:
            self.seek_loop_for_each(index)
        loop, names = self.loop_that_says(index)
        if loop is not None and not self.in_vain(loop, names):
            called = is_called and _called_of(index) in ir.target_names(loop.target)
            beside = self.items_beside_arrays(loop.iter) if called else (None, ())
            self.write_out(loop, *beside)

    def loop_that_says(self, index: Any) -> tuple[ir.For | None, set[str]]:
        """The loop around the line at hand that an index depends on, and the names that it does."""
        names = set(filter(ir.is_value, ir.names_in(index)))
        for loop in reversed(self.around):
            names |= _read_for(names, loop)
            if not names.isdisjoint(ir.target_names(loop.target)):
                return loop, names
        return None, names

    def in_vain(self, loop: ir.For, names: set[str]) -> bool:
        """Whether it would not be known which keys these are, were the loop written out: they are data."""
        items = self.known_items(loop.iter)
        rows = (_bound_apart(loop.target, item) for item in (items or ())[:1])
        parts = (e for row in rows for name, e in row.items() if name in names)
        return any(literal_of(e) is ABSENT and _is_data(self.expression(e)) for e in parts)

    def write_out_where_forms_differ(self, loop: ir.For) -> None:
        """A loop over dicts or objects that carry a derivative is written out: each may be another."""
        if (
            loop.origin in self.written_first
            or trips_apart(self, loop)
            or any(map(self.is_of_forms, self.iterated(loop.iter)))
        ):
            self.name_beside(loop)
            items, longer = self.items_beside_arrays(loop.iter)
            if items is not None:
                self.name_copied(loop)
            self.write_out(loop, items, longer)

    def name_copied(self, loop: ir.For) -> None:
        """The items of a list that the loop may change, and that are taken before it, get names."""
        copies = [s for n in ir.walk(loop.iter) if (s := copied_first(n)) is not None]
        for source in copies if not self.cached else ():
            items = self.known_items(source)
            if items and not isinstance(source, gast.Tuple):
                raise NameFirst(loop, source, len(items))

    def name_beside(self, loop: ir.For) -> None:
        """What a loop over dicts or objects runs along beside them gets a name: each trip asks it for an element."""
        if self.cached or self.iterator_name(loop.iter) not in ("zip", "enumerate"):
            return
        bound = ir.bound_within((loop,))
        for node in self.beside(loop.iter):
            stays = is_named(node) and bound.isdisjoint(ir.names_in(node))
            if not stays and self.known_items(node) is None and self.has_elements(node):
                seek_name_for(loop, node)

    def write_out(
        self, loop: ir.For, items: list[Any] | None = None, longer: Sequence[Any] = ()
    ) -> None:
        items = self.known_items(loop.iter) if items is None else items
        if items is None and loop.origin in self.told_by_literals:
            items = self.items_of_literals(loop.iter)
        if self.cached:
            return
        bound = ir.bound_within((loop,))
        acting = any(map(self.changes_something, ir.walk(loop.iter)))  # once, before all trips
        if items is None or acting or not bound.isdisjoint(ir.names_in(loop.iter)):
            for node in self.iterated(loop.iter):
                listed = isinstance(self.facts.answers.get(node, node), (gast.Tuple, gast.List))
                display = node if listed else _dict_viewed(node)
                if display is not None:
                    raise NameFirst(loop, display)
            return
        if len(items) > MOST_TRIPS_WRITTEN:
            self.refuse(
                f"each trip of this loop has keys or objects of its own, and there are {len(items)}: "
                "use an array or a list of arrays",
                loop.iter,
            )
            return
        self.name_what_leads(loop)
        self.note_written(loop)
        self.freeze(loop)
        self.note_ways(loop)
        over = [self.kind(node) for node in self.iterated(loop.iter)]
        self.lists_unrolled |= {s for kind in over if isinstance(kind, Tup) for s in kind.sites}
        parts = [part for item in items for part in parts_of_item(item)]
        stable = frozenset(
            part
            for part in parts
            if loop.origin not in self.named_on_trips
            and bound.isdisjoint(ir.names_in(part))
            and _is_of_keys(self.expression(part))
        )
        taken = self.taken_for(loop, items)
        raise Unroll(loop, items, stable, taken, longer, self.lasting(loop, items))

    def note_written(self, loop: ir.For) -> None:
        """A loop inside, written out for what a container held, is so anew: each trip may find something else there."""
        lines = {origin_of(statement) for statement in ir.walk_statements(loop.body)} - {NOWHERE}
        others = [found for found in self.lines_written.values() if loop.origin not in found]
        if any(lines & found for found in others):
            self.written_first.add(loop.origin)
            raise StartAnew
        kinds = [self.env.kinds.get(name) for name in ir.names_in(loop.iter) if ir.is_value(name)]
        if any(isinstance(kind, Tup) for kind in kinds):
            self.lines_written[loop.origin] = lines | {loop.origin}
            parts = (part for kind in kinds for _, part in parts_in(Way(""), kind))
            self.written_for |= {s for part in parts if isinstance(part, Tup) for s in part.sites}

    def taken_for(self, loop: ir.For, items: Sequence[Any]) -> ir.Block:
        """A line that says what a loop in other loops is taken to run over, where that may change."""
        outer = self.loops_around - any(one is loop for one in self.around)
        if not (outer and any(map(ir.is_value, ir.names_in(loop.iter)))):
            return ()
        return (taken_line(loop, items),)

    def lasting(self, loop: ir.For, items: Sequence[Any]) -> ir.Block:
        """The same after each trip, where a list that is run over may get longer or shorter and stay told apart."""
        lists = (self.kind(node) for node in self.iterated(loop.iter))
        lives = any(isinstance(kind, Tup) and kind.is_list for kind in lists)
        return (taken_line(loop, items),) if lives and self.arrays_run_over.apart else ()

    def check_taken(self, taken: TakenFor) -> None:
        """On every trip around it, a loop that was written out has to run over what it was taken to run over."""
        self.takes_for = True
        items, _ = self.items_beside_arrays(taken.over)
        if items is not None and literals_in(items) == taken.items:
            return
        self.take_anew(taken.over)

    def take_anew(self, node: Any) -> None:
        """What was known on the first trip of a loop is not so on another: that loop is written out before."""
        for loop in reversed(self.around):
            if loop.origin not in self.written_first:
                self.written_first.add(loop.origin)
                raise StartAnew
        self.refuse(
            "this runs over something else on another trip of the loop around it: which keys or numbers these are "
            "has to be known beforehand",
            node,
        )

    def start_again(self, marks: Set[Hashable]) -> NoReturn:
        """Start again with containers that change, or whose keys are computed.

        Anew, where a loop was written out for what one of them held, or may have been.
        """
        self.dynamic |= marks
        sites = {mark[-1] if isinstance(mark, tuple) else mark for mark in marks} | marks
        anew = sites & self.written_for or (self.written_first and sites != marks)
        if anew:
            self.written_first.clear()
        raise StartAnew if anew else StartAgain

    def freeze(self, loop: ir.For) -> None:
        """The lines of a loop over dicts are known as such when they are written out."""
        places = self.places_run_over(loop)
        for statement in ir.walk_statements(loop.body) if places else ():
            origin = origin_of(statement)
            self.frozen[origin] = self.frozen.get(origin, frozenset()) | places

    def places_run_over(self, loop: ir.For) -> frozenset[Hashable]:
        """The places of the dicts that a loop runs over."""
        found: set[Hashable] = set()
        for node in self.iterated(loop.iter):
            match node:
                case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[]) if (
                    name in VIEWS
                ):
                    kind = self.kind(owner)
                case _:
                    kind = self.kind(node)
            if isinstance(kind, Tup) and kind.is_mapping:
                found |= kind.sites
        return frozenset(found)

    def is_of_forms(self, node: Any) -> bool:
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                kind = self.place_in_container(owner)
                if not (isinstance(kind, Tup) and kind.is_mapping):
                    return False
                return any(map(holds_keys, kind.items)) or texts_among_numbers(kind.items)
            case (
                gast.Tuple()
                | gast.List()
                | gast.Subscript(slice=gast.Slice())
                | gast.BinOp(op=gast.Add())
            ):
                kind = self.expression(node)
            case gast.Call() if self.iterator_name(node) == "list":
                kind = self.expression(node)
            case _:
                kind = self.place_in_container(node)
        if not (isinstance(kind, Tup) and kind.active):
            return False
        differ = any(map(holds_keys, kind.items)) or texts_among_numbers(kind.items)
        return kind.is_mapping or (kind.is_counted and differ)

    # -- comprehensions

    def written_display(self, node: Any) -> Kind | None:
        """The kind of a comprehension over known items, written out where each of them is something else."""
        if not self.must_be_written(node):
            return None
        known = node in self.instead
        if not known or self.loops_around:
            literal = getattr(self.statement, "origin", None) in self.told_by_literals
            rows = self.rows(
                node.generators, {}, literal or any(map(self.asks_unlike, ir.walk(node)))
            )
            if rows is None:
                self.seek_loop_over_forms(node)
            if rows is None or len(rows) > MOST_TRIPS_WRITTEN:
                if known:
                    self.take_anew(node)
                return None
            display = _display(node, rows)
            if known and gast.dump(display) != gast.dump(self.instead[node]):
                self.take_anew(node)
                return None
        if not known:
            if isinstance(node, gast.DictComp) and not self.has_known_keys(display):
                return None
            self.instead[node] = display
        self.facts.as_arrays[node] = self.instead[node]
        if self.is_demanded(node):
            self.instead[node].is_keyed = True
        self.displays.append(node)
        kind = self.expression(self.instead[node])
        self.displays.pop()
        return kind

    def seek_loop_for_written(self) -> None:
        """A comprehension that was written out is a loop, where what it calls changes what has no other line."""
        for node in self.displays[:1]:
            self.listing.append(node)
            seek_loop(self)
            self.listing.pop()

    def seek_loop_over_forms(self, node: Any) -> None:
        """`sum(b.m * f for b, f in zip(bodies, forces))` is a loop, as far as an array reaches."""
        if any(map(self.is_of_forms, self.run_over_beforehand(node.generators))):
            self.listing.append(node)
            seek_loop(self)
            self.listing.pop()

    def seek_loop_for_each(self, func: Any) -> None:
        """`sum(t.energy(x) for t in terms)` is a loop, which is written out, where it is known what the terms are."""
        names = set(ir.names_in(func))
        for generator in (g for node in self.listing for g in node.generators):
            if not names.isdisjoint(ir.target_names(generator.target)):
                if self.items_beside_arrays(generator.iter)[0]:
                    seek_loop(self)
                return

    def has_known_keys(self, display: Any) -> bool:
        """Whether it is known which keys these are, and that they differ."""
        for key in display.keys:
            self.expression(key)
        keys = list(map(self.known_key, display.keys))
        return ABSENT not in keys and len(set(keys)) == len(keys)

    def must_be_written(self, node: Any) -> bool:
        if isinstance(node, gast.DictComp):
            names = {n for g in node.generators for n in ir.names_in(g.iter) if ir.is_value(n)}
            names |= {n for e in (node.key, node.value) for n in ir.names_in(e) if ir.is_value(n)}
            return any(self.env.kinds.get(n, UNKNOWN).active for n in names) or are_apart(self)
        over = [*self.run_over_beforehand(node.generators)]
        if any(self.is_of_forms(node) or self.is_of_several_kinds(node) for node in over):
            return True
        if items_apart(self, node, over):
            return True
        return any(map(self.is_keyed, ir.walk(node.elt)))

    def run_over_beforehand(self, generators: Sequence[Any]) -> Iterator[Any]:
        """What the generators of a comprehension run over that is there before it."""
        own: set[str] = set()
        for generator in generators:
            if own.isdisjoint(ir.names_in(generator.iter)):
                yield from self.iterated(generator.iter)
            own |= set(ir.target_names(generator.target))

    def is_of_several_kinds(self, node: Any) -> bool:
        """Whether these are numbers, arrays and lists of which no single kind tells what each of them is."""
        named = isinstance(node, gast.Name)
        if not (named or isinstance(node, (gast.Tuple, gast.List))):
            return False
        kind = self.place_in_container(node) if named else self.expression(node)
        if not (isinstance(kind, Tup) and kind.active and kind.is_counted):
            return False
        if named and kind.is_list:
            return False  # it may change
        numbers = [item for item in kind.items if _is_known_number(item)]
        lists = [item for item in kind.items if isinstance(item, (Tup, Seq)) and _is_list(item)]
        literals = [item for item in kind.items if isinstance(item, Known) and lists]
        if len(numbers) + len(lists) + len(literals) < len(kind.items) or not numbers:
            return False
        if lists or named:
            return bool(lists)
        one = functools.reduce(join, kind.items)
        return (
            not _is_known_number(one)
            or len({item.dtype for item in numbers if isinstance(item, Num)}) > 1
        )

    def is_keyed(self, node: Any) -> bool:
        """Whether an expression asks a container that carries a derivative for what a variable names."""
        if not _has_open_key(node):
            return False
        kind = self.place_in_container(node.value)
        if not (isinstance(kind, Tup) and kind.active):
            return False
        return kind.is_mapping or any(map(holds_keys, kind.items))

    def asks_unlike(self, node: Any) -> bool:
        """Whether an expression asks a dict for one of several things that are not alike."""
        if not _has_open_key(node):
            return False
        kind = self.place_in_container(node.value)
        return isinstance(kind, Tup) and kind.is_mapping and not are_alike(kind.items)

    def rows(
        self, generators: Sequence[Any], given: dict[str, Any], literal: bool = False
    ) -> list[dict[str, Any]] | None:
        """What stands for the variables of a comprehension in each of its elements; `literal`: of literals outside."""
        if not generators:
            return [given]
        first, *others = generators
        over = written_out(first.iter, given)
        items = self.items_of_literals(over) if literal else self.known_items(over)
        if items is None:
            return None
        found: list[dict[str, Any]] = []
        for item in items:
            inner = _bound(first.target, item)
            if inner is None:
                return None
            inner = {**given, **inner}
            truths = [self.truth(self.expression(written_out(t, inner))) for t in first.ifs]
            if None in truths:
                return None
            more = self.rows(others, inner, literal) if all(truths) else []
            if more is None:
                return None
            found += more
        return found


def _has_open_key(node: Any) -> bool:
    return isinstance(node, gast.Subscript) and literal_of(node.slice) is ABSENT


def _called_of(func: Any) -> str | None:
    """The name of what is called, or whose method is."""
    owner = func.value if isinstance(func, gast.Attribute) else func
    return owner.id if isinstance(owner, gast.Name) else None


def _is_data(kind: Kind) -> bool:
    """Whether it is not known what text or number a value of this kind is."""
    return isinstance(kind, Num) or kind == Opaque(str)


def _is_list(kind: Tup | Seq) -> bool:
    """Whether this is a list or a tuple for sure, which goes by its elements alone."""
    return not may_be_none(kind) and (
        not kind.keyed if isinstance(kind, Seq) else kind.keys is None
    )


def _is_known_number(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.known and kind.dtype is not None


def _bound(target: Any, item: Any) -> dict[str, Any] | None:
    """The variables of a target, and what stands for them."""
    if isinstance(target, gast.Name):
        return {target.id: item}
    if not (isinstance(item, gast.Tuple) and len(item.elts) == len(target.elts)):
        return None
    parts = [_bound(t, part) for t, part in zip(target.elts, item.elts, strict=True)]
    if any(part is None for part in parts):
        return None
    return {name: e for part in parts for name, e in (part or {}).items()}


def _bound_apart(target: Any, item: Any) -> dict[str, Any]:
    """The same, where a name may stand for a part of what an item is: item[0], item[1]."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return {target.id: item} if isinstance(target, gast.Name) else {}
    parts = item.elts if isinstance(item, gast.Tuple) else None
    found: dict[str, Any] = {}
    for k, inner in enumerate(target.elts):
        part = (
            gast.Subscript(item, gast.Constant(k, None), gast.Load()) if parts is None else parts[k]
        )
        found |= _bound_apart(inner, part)
    return found


def _display(node: Any, rows: Sequence[dict[str, Any]]) -> Any:
    """The elements of a comprehension, written down."""
    if isinstance(node, gast.DictComp):
        keys = [written_out(node.key, row) for row in rows]
        new: Any = gast.Dict(keys, [written_out(node.value, row) for row in rows])
    else:
        new = gast.List([written_out(node.elt, row) for row in rows], gast.Load())
    for part in ir.walk(new):
        gast.copy_location(part, node)
    return new


def _is_of_keys(kind: Kind) -> bool:
    """Whether a value is a dict or an object, or holds one that varies."""
    constant = isinstance(kind, Tup) and (kind.is_mapping or kind.is_object)
    return constant or holds_keys(kind)


def _read_for(names: set[str], loop: ir.For) -> set[str]:
    """What names depend on that a loop binds."""
    found = set(names)
    lines = [s for s in ir.walk_statements(loop.body) if isinstance(s, ir.Assign)]
    while True:
        reached = {
            n
            for s in lines
            if not found.isdisjoint(ir.defined_names(s))
            for n in ir.names_in(s.value)
            if ir.is_value(n)
        }
        if reached <= found:
            return found
        found |= reached


def _dict_viewed(node: Any) -> Any | None:
    """The display in `{**DEFAULTS, **given}.items()`."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Dict() as display, attr=name), args=[]) if (
            name in VIEWS
        ):
            return display
    return None
