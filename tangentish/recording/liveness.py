"""What is read later in an adjoint: dead restores go together with their saves, and with them what nobody needs.

The walk goes backwards over the adjoint. It knows names and memory apart, and of memory single places
(analysis/regions.py): an element `y[i + c]` that a loop wrote need not be restored where the rest of the
walk back only reads elements `y[i + d]` with d < c; nor need its gradient be set to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.changed import SHAPE_ATTRIBUTES
from tangentish.algebra.expressions import indices_of, is_whole
from tangentish.analysis.list_changes import TAKING
from tangentish.analysis.regions import (
    KindOf,
    Loops,
    Region,
    Trips,
    on_later_trips,
    outside,
    region,
    trips_of,
)
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import Kind, Num, Seq
from tangentish.recording.live import Live, Reads
from tangentish.recording.made_on_each_trip import HandedOn, OfTrip

LIKE_THE_SECOND = {
    "$unbroadcast", "$full", "$spread", "$cast", "$cumsum_adjoint", "$diff_adjoint", "$take_adjoint",
    "$take_along_axis_adjoint", "$diagonal_adjoint", "$tile_adjoint", "$repeat_adjoint", "$pad_adjoint",
}  # fmt: skip
SHAPE_ARGUMENT = {"$count": 0, "len": 0} | dict.fromkeys(LIKE_THE_SECOND, 1)
SHAPE_FUNCTIONS = {"zeros_like", "full_like", "empty_like", "ones_like", "shape", "size", "ndim"}

NOTHING = Reads()
Sites = Callable[[str], frozenset[Hashable]]


@dataclass
class _Reads:
    """What expressions read."""

    sites: Sites
    is_list: Callable[[str], bool]  # whose length changes with what it holds
    is_whole: Callable[[str], bool]
    kind_of: KindOf
    carriers: Mapping[Hashable, Set[str]]  # the names of what earlier trips made at these sites

    def of(self, expression: Any, loops: Loops) -> Reads:
        names: set[str] = set()
        rows: set[Region] = set()
        stack = [expression]
        while stack:
            node = stack.pop()
            match node:
                case gast.Name(id=name):
                    if ir.is_value(name):
                        names.add(name)
                        rows.update(map(Region, self.memory(name)))
                case gast.Constant():
                    pass
                case gast.Attribute(
                    value=gast.Name(id=name) | gast.Attribute(value=gast.Name(id=name), attr="T"),
                    attr=attr,
                ) if attr in SHAPE_ATTRIBUTES:
                    names.add(name)
                case gast.Attribute(value=gast.Subscript() as part, attr=attr) if (
                    attr in SHAPE_ATTRIBUTES and self.is_in_array(part)
                ):
                    names.add(ir.root_of(part).id)
                    stack += indices_of(part)
                case gast.Subscript(value=gast.Name(id=name), slice=index):
                    names.add(name)
                    rows |= self.places(name, index, loops)
                    stack.append(index)
                case gast.Call():
                    stack += self.of_call(node, names)
                case _:
                    stack.extend(ir.children(node))
        return Reads(frozenset(n for n in names if ir.is_value(n)), frozenset(rows))

    def of_call(self, call: Any, names: set[str]) -> list[Any]:
        """What a call reads in full; of an array whose shape is all it reads, only name and indices count."""
        position = _shape_argument(call.func)
        shape_only = [a for k, a in enumerate(call.args) if k == position and self.is_in_array(a)]
        names.update(ir.root_of(a).id for a in shape_only)
        indices = [index for a in shape_only for index in indices_of(a)]
        others = [a for a in call.args if not any(a is b for b in shape_only)]
        return [*others, *indices, call.func, *(keyword.value for keyword in call.keywords)]

    def is_in_array(self, node: Any) -> bool:
        """Whether this is an array by name, or elements of one: their shape is that of the array and the indices."""
        whole = node
        while isinstance(node, gast.Subscript):
            node = node.value
        if not isinstance(node, gast.Name) or self.is_list(node.id):
            return False
        return whole is node or _holds_numbers(self.kind_of(node.id))

    def places(self, name: str, index: Any, loops: Loops) -> set[Region]:
        """What an index names: of a list, where items move when it grows and shrinks, and of a view, anything."""
        sites = self.memory(name)
        moves = self.is_list(name) and not _is_keyed(name, self.kind_of)
        if moves or not self.is_whole(name):
            return set(map(Region, sites))
        return {_region(site, name, index, loops, self.kind_of) for site in sites}

    def memory(self, name: str) -> frozenset[Hashable]:
        """Where a value lies; a gradient lies where no other value does."""
        sites = self.sites(name) or frozenset({name})
        if self.carriers.keys().isdisjoint(sites):
            return sites
        mine = (s for s in sites if s in self.carriers and name not in self.carriers[s])
        return sites.union(map(OfTrip, mine))


def _holds_numbers(kind: Kind | None) -> bool:
    """Whether elements have no length of their own, as texts in an array have."""
    return isinstance(kind, Num) and (kind.dtype is None or kind.dtype.kind in "biufc")


def _is_keyed(name: str, kind_of: KindOf) -> bool:
    """Whether it is a dict, whose entries stay under their keys."""
    kind = kind_of(name)
    return isinstance(kind, Seq) and kind.keyed


def _region(site: Hashable, name: str, index: Any, loops: Loops, kind_of: KindOf) -> Region:
    """The places of a named array that an index names."""
    kind = kind_of(name)
    shape = kind.shape if isinstance(kind, Num) and kind.array else None
    return region(site, index, loops, kind_of, shape)


CHANGES = {"pop", "append", "insert", "reverse", ir.EXCHANGE}
CHANGING = TAKING | {"$put_back"}


def _changed_list(value: Any) -> str | None:
    """The gradient of a list that a call changes."""
    match value:
        case gast.Call(func=gast.Attribute(value=xs, attr=attr)) if attr in CHANGES:
            root = ir.root_of(xs)
        case gast.Call(func=gast.Name(id=name), args=[xs, *_]) if name in CHANGING:
            root = ir.root_of(xs)
        case _:
            return None
    return root.id if isinstance(root, gast.Name) else None


def _shape_argument(function: Any) -> int | None:
    match function:
        case gast.Name(id=name):
            return SHAPE_ARGUMENT.get(name)
        case gast.Attribute(value=gast.Name(id="$np"), attr=attr) if attr in SHAPE_FUNCTIONS:
            return 0
    return None


def contents_read(
    lines: Sequence[ir.Statement], sites: Sites, kind_of: KindOf
) -> frozenset[Hashable]:
    """The memory of which lines read more than the shape, whether they set it before or not."""
    reader = _Reads(
        sites, lambda name: not isinstance(kind_of(name), Num), lambda _: False, kind_of, {}
    )
    read = (e for line in ir.walk_statements(tuple(lines)) for e in _read_by(line))
    return frozenset(row.site for e in read for row in reader.of(e, {}).rows)


def _read_by(line: ir.Statement) -> Iterator[Any]:
    """What a line evaluates, but for the arrays of the places that it sets."""
    if isinstance(line, ir.Assign):
        yield line.value
        yield from _read_by_target(line.target)
    else:
        yield from ir.expressions_of(line)


def _read_by_target(target: Any) -> Iterator[Any]:
    match target:
        case gast.Name():
            pass
        case gast.Subscript(value=gast.Name(), slice=index):
            yield index
        case gast.Tuple(elts=elements):
            for element in elements:
                yield from _read_by_target(element)
        case _:
            yield target


def prune_adjoint(
    block: ir.Block,
    after: frozenset[str],
    sites: Sites,
    own: Sites,
    is_list: Callable[[str], bool],
    is_whole: Callable[[str], bool],
    kind_of: KindOf,
    made_on_each_trip: Callable[[ir.For], frozenset[Hashable]],
    handed_on: Mapping[Hashable, HandedOn],
) -> tuple[ir.Block, frozenset[str], set[ir.Slot]]:
    """The adjoint without what nobody reads, the names that it reads of the forward pass, and the slots that stay."""
    walk = _Adjoint(sites, own, is_list, is_whole, kind_of, made_on_each_trip, handed_on)
    results = Reads(after, frozenset(map(Region, after)))
    pruned, live = walk.block(block, Live().reading(results))
    slots = {s.slot for s in ir.walk_statements(pruned) if isinstance(s, ir.Restore)}
    return pruned, frozenset(live.names), slots


@dataclass
class _Adjoint:
    sites: Sites
    own: Sites  # memory that only this name ever stands for, always the same
    is_list: Callable[[str], bool]
    is_whole: Callable[[str], bool]  # no view: all names that are count places as the memory does
    kind_of: KindOf  # of a gradient that of its value
    made_on_each_trip: Callable[[ir.For], frozenset[Hashable]]  # memory that no trip before knows
    handed_on: Mapping[Hashable, HandedOn]  # the arrays that trips make and finish, by site
    loops: Loops = field(default_factory=dict)
    at_end: dict[ir.For, Live] = field(default_factory=dict)  # of the trips of loops walked before
    # what expressions read in the loops at hand: every statement is passed several times
    read: dict[Any, tuple[Loops, Reads]] = field(default_factory=dict)
    # the places that are written to there, by site, name and index
    written: dict[tuple[Hashable, str, Any], tuple[Loops, Region]] = field(default_factory=dict)

    @cached_property
    def carriers(self) -> Mapping[Hashable, Set[str]]:
        return {site: array.carriers for site, array in self.handed_on.items()}

    @cached_property
    def reader(self) -> _Reads:
        return _Reads(self.sites, self.is_list, self.is_whole, self.kind_of, self.carriers)

    def reads(self, expression: Any) -> Reads:
        loops, reads = self.read.get(expression, (None, NOTHING))
        if loops != self.loops:
            reads = self.reader.of(expression, self.loops)
            self.read[expression] = self.loops, reads
        return reads

    def place(self, site: Hashable, name: str, index: Any) -> Region:
        """The places of an array that are written to, in the loops at hand."""
        known = self.written.get((site, name, index))
        if known is None or known[0] != self.loops:
            known = self.loops, _region(site, name, index, self.loops, self.kind_of)
            self.written[site, name, index] = known
        return known[1]

    def is_idle_zero(self, target: Any, value: Any, live: Live) -> bool:
        """Whether a place of a gradient is set to zero that nobody reads any more."""
        match target, value:
            case gast.Subscript(value=gast.Name(id=name), slice=index), gast.Constant(value=0):
                own = "~" in name and not self.sites(name)
                return own and not live.reads(self.place(name, name, index), self.loops)
        return False

    def block(self, block: ir.Block, live: Live) -> tuple[ir.Block, Live]:
        kept: list[ir.Statement] = []
        for statement in reversed(block):
            new, live = self.statement(statement, live)
            if new is not None:
                kept.append(new)
        return without_idle_comments(tuple(reversed(kept))), live

    def statement(self, statement: ir.Statement, live: Live) -> tuple[ir.Statement | None, Live]:
        match statement:
            case ir.Assign(gast.Name(id=name), gast.Name(id=same)) if name == same:
                return None, live
            case ir.Assign(target, value):
                names = ir.defined_names(statement)
                roots = _roots(target)
                if not any(n in live.names for n in (*names, *roots)):
                    return self.effect(statement, value, live)
                if self.is_idle_zero(target, value, live):
                    return None, live
                live = live.without(names)
                return statement, live.reading(self.reads(value), *self.target_reads(target))
            case ir.Update(target, _, value):
                root = ir.root_of(target)
                if root.id not in live.names:
                    return None, live
                return statement, live.reading(self.reads(value), self.reads(target))
            case ir.Do(gast.Expr(value=value)):
                return self.effect(statement, value, live)
            case ir.Restore(slot):
                return self.restore(statement, slot, live)
            case ir.If() | ir.For() | ir.With():
                return self.compound(statement, live)
        return statement, live

    def compound(
        self, statement: ir.If | ir.For | ir.With, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        match statement:
            case ir.If(test, body, orelse, origin):
                new_body, live_a = self.block(body, live)
                new_orelse, live_b = self.block(orelse, live)
                if not new_body and not new_orelse:
                    return None, live
                new = ir.If(test, new_body, new_orelse, origin)
                return new, live_a.joined(live_b).reading(self.reads(test))
            case ir.With(items, body, origin):
                body, live = self.block(body, live)
                return (ir.With(items, body, origin) if body else None), live
        return self.loop(statement, live)

    def effect(
        self, statement: ir.Statement, value: Any, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        """A line that is only needed for what it does to the gradient of a list, if at all."""
        changed = _changed_list(value)
        if changed is None and isinstance(statement, ir.Do):
            return statement, live.reading(self.reads(value))
        if changed not in live.names:
            return None, live
        return ir.Do(gast.Expr(value), NOWHERE), live.reading(self.reads(value))

    def target_reads(self, target: Any) -> list[Reads]:
        match target:
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                return [Reads(frozenset({name})), self.reads(index)]
            case gast.Subscript():
                return [self.reads(target)]
            case gast.Tuple(elts=elements):
                return [reads for element in elements for reads in self.target_reads(element)]
        return []

    def restore(
        self, statement: ir.Statement, slot: ir.Slot, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        if not slot.content:
            if slot.name not in live.names:
                return None, live
            live = live.without((slot.name,))
            return statement, live.without_memory(self.own(slot.name)) if slot.copy else live
        target = slot.target
        element = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
        named = slot.undo is None and not self.is_list(slot.name)
        stays = named or _is_keyed(slot.name, self.kind_of)
        direct = element and stays and self.is_whole(slot.name)
        written = {
            self.place(site, target.value.id, target.slice) if direct else Region(site)
            for site in self.written_by(slot)
        }
        if not any(live.reads(place, self.loops) for place in written):
            return None, live
        if is_whole(target):
            live = live.without_memory(self.own(slot.name))
        names = self.reads(target).names | {slot.name}
        if slot.undo is not None:
            names |= self.reads(slot.undo).names
        index = self.reads(target.slice) if isinstance(target, gast.Subscript) else NOTHING
        rows = index.rows
        holds_all = slot.undo is not None and ir.is_name(
            getattr(slot.undo, "func", None), "$set_items"
        )
        if self.is_list(slot.name) and not (
            direct or holds_all
        ):  # its items are found where they stood then
            rows |= {Region(site) for site in self.sites(slot.name)}
        return statement, live.reading(Reads(names, rows))

    def written_by(self, slot: ir.Slot) -> frozenset[Hashable]:
        """The memory that is set to what it held."""
        sites = self.sites(slot.name) if slot.sites is None else slot.sites
        made = [site for site in sites if site in self.handed_on]
        if len(sites) == 1 and made and self.handed_on[made[0]].name == slot.name:
            return frozenset(map(OfTrip, made))
        return sites

    def loop(self, loop: ir.For, after: Live) -> tuple[ir.Statement | None, Live]:
        outer, variable = self.loops, loop.target.id if isinstance(loop.target, gast.Name) else ""
        trips = self.trips(loop, variable)
        if trips is not None:
            self.loops = {**outer, variable: trips}
        live = after.joined(self.at_end[loop]) if loop in self.at_end else after
        mine = self.made_on_each_trip(loop)
        while True:
            body, start = self.block(loop.body, live)
            start = start.without(ir.target_names(loop.target)).without_memory(mine)
            more = live.joined(start, lambda row: on_later_trips(row, variable, trips))
            if more is live:
                break
            live = more
        self.loops, self.at_end[loop] = outer, live
        if not body:
            return None, after
        new = ir.For(loop.target, loop.iter, body, loop.stop, loop.origin)
        before = after.joined(start, lambda row: outside(row, variable, trips))
        return new, before.reading(self.reads(loop.iter))

    def trips(self, loop: ir.For, variable: str) -> Trips | None:
        """What is known of a loop's variable, where it is a variable of this loop alone."""
        bound = ir.bound_within(loop.body)
        if not variable or variable in bound or variable in self.loops:
            return None
        return trips_of(loop.iter, self.loops, self.kind_of)


def _roots(target: Any) -> list[str]:
    match target:
        case gast.Subscript():
            owner = ir.owner_of(target)  # o of o.a[0], too, which is no array and has no adjoint
            return [owner.id] if isinstance(owner, gast.Name) else []
        case gast.Tuple(elts=elements):
            return [name for element in elements for name in _roots(element)]
    return []


def without_idle_comments(
    block: Sequence[ir.Statement], end: ir.Statement | None = None
) -> ir.Block:
    """The block, which `end` follows, without the comments of lines of the user's of which nothing is left."""
    kept: list[ir.Statement] = []
    for statement in reversed(block):
        if statement.__class__ is ir.Comment and not statement.alone:
            following = kept[-1] if kept else end
            if following is None or isinstance(following, ir.Comment):
                continue
        kept.append(statement)
    return tuple(reversed(kept))
