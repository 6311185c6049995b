"""What the forward pass overwrites, and where it would have to be saved and restored.

Two ways: before an overwrite (a value that lives across it, or elements of an array); at the end of the block that
defines a value anew on every trip. recording/liveness.py deletes what nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.list_changes import (
    entry_slot,
    item_slot,
    list_change,
    own_sites,
    to_the_end,
    whole_list,
)
from tangentish.analysis.measured import values_read
from tangentish.infer import Facts, is_keyed_dict
from tangentish.ir import Slot
from tangentish.ir.names_live import NamesLive
from tangentish.kinds import UNKNOWN, Num, Seq, Sites, Tup, buffers_of, held_by, is_number
from tangentish.recording.elsewhere import Elsewhere
from tangentish.recording.made_on_each_trip import MadeOnEachTrip
from tangentish.recording.written_places import (
    everything,
    is_view,
    only_reads_places,
    sites_at,
    sites_before,
    slots_in_place,
    written_by_calls,
)


@dataclass
class _Definition:
    statement: ir.Statement
    loops: tuple[ir.Statement, ...]
    blocks: tuple[ir.Block, ...]
    may_exist: bool  # an earlier value of the same block may be there
    must_exist: bool


@dataclass
class Saves:
    """The places of one function's forward pass where something is overwritten."""

    function: ir.Function
    facts: Facts
    live_at_head: dict[ir.Statement, frozenset[str]] = field(default_factory=dict)
    loops_around: dict[ir.Statement, tuple[ir.Statement, ...]] = field(default_factory=dict)
    definitions: dict[str, list[_Definition]] = field(default_factory=dict)
    definition: dict[tuple[str, ir.Statement], _Definition] = field(default_factory=dict)
    slots_before: dict[ir.Statement, list[Slot]] = field(default_factory=dict)
    block_slots: dict[ir.Block, list[Slot]] = field(default_factory=dict)
    # their names may have no value yet
    unset: dict[ir.Block, list[Slot]] = field(default_factory=dict)
    end_slots: dict[ir.Statement, list[Slot]] = field(default_factory=dict)
    _loop_blocks: dict[ir.Block, bool] = field(default_factory=dict)
    _changed: dict[ir.Block, tuple[frozenset[str], frozenset[Hashable]]] = field(
        default_factory=dict
    )
    _whole: dict[str, bool] = field(default_factory=dict)
    _ends: dict[ir.Block, frozenset[str]] = field(default_factory=dict)
    occurrences: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    found_before: dict[ir.Statement, tuple[frozenset[str], frozenset[str]]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        NamesLive(self.live_at_head).block(self.function.body, frozenset())
        defined = frozenset(self.function.parameters)
        self.scan(self.function.body, (), (self.function.body,), defined, defined)
        for name in self.definitions:
            self.place_block_slot(name)

    # -- questions

    def in_loop(self, statement: ir.Statement) -> bool:
        return bool(self.loops_around.get(statement))

    def is_persistent(self, name: str) -> bool:
        """Whether a value, once set, keeps its binding and its contents, the item of a loop for the whole trip."""
        if name in self.function.parameters and self.keeps_contents(name):
            return name not in self.definitions
        match self.definitions.get(name):
            case [_Definition(ir.For() as loop, loops=[*_, last])] if loop is last:
                places = self.occurrences[name]  # one is that in the line of the loop
                within = sum(any(part is loop for part in place) for place in places)
                return within == len(places) - 1 and self.keeps_contents(name)
            case [_Definition(loops=())]:
                return self.keeps_contents(name)
        return False

    def stays_in_block(self, name: str) -> bool:
        """Whether a value that a block sets keeps its binding and its contents there, and nothing else reads it."""
        match self.definitions.get(name):
            case [_Definition(ir.Assign(), blocks=blocks)] if blocks[-1] is self.block_of(name):
                return self.keeps_contents(name)
        return False

    def keeps_contents(self, name: str) -> bool:
        written = {buffer.site for buffer in self.facts.written}
        return not (self.facts.sites(name) & written or self.may_be_changed(name))

    def repeatable(self, name: str, is_cheap: Callable[[Any], bool]) -> ir.Assign | None:
        """The only definition of a value, where it can be executed again: `v = x[i]`, x as it was.

        On the walk back over a block, what the block does not change is again what it was at its end.
        """
        definitions = self.definitions.get(name, [])
        if len(definitions) != 1 or definitions[0].blocks[-1] is not self.block_of(name):
            return None
        statement, block = definitions[0].statement, definitions[0].blocks[-1]
        match statement:
            case ir.Assign(target, value) if self.may_be_found_again(name, value) and (
                is_cheap(value) or self.is_entry(value, is_cheap)
            ):
                bound = tuple(ir.target_names(target))
                once = all(len(self.definitions.get(n, ())) == 1 for n in bound)
                read = values_read(value, self.facts)
                if bound and once and all(self.comes_back(n, block, is_cheap, m) for n, m in read):
                    return ir.Assign(target, value, statement.origin)
        return None

    def may_be_found_again(self, name: str, value: Any) -> bool:
        """Whether a value is a place of an array, or several of them, or an integer that is made of others."""
        computed = isinstance(value, (gast.BinOp, gast.UnaryOp)) and self.facts.is_integer(name)
        return computed or only_reads_places(value)

    def is_entry(self, value: Any, is_cheap: Callable[[Any], bool]) -> bool:
        """Whether a value is an entry of a dict whose keys are computed."""
        match value:
            case gast.Subscript(value=gast.Name(id=d), slice=gast.Name() as key):
                return is_keyed_dict(self.facts.web_kinds.get(d, UNKNOWN)) and is_cheap(key)
        return False

    def comes_back(
        self, name: str, block: ir.Block, is_cheap: Callable[[Any], bool], shape_only: bool
    ) -> bool:
        """Whether a value is on the walk back over a block what it was in it."""
        bound, written = self.changed_in(block)
        if not shape_only and self.facts.sites(name) & written:
            return False
        if self.may_be_changed(name):
            return False
        return name not in bound or self.repeatable(name, is_cheap) is not None

    def may_be_changed(self, name: str) -> bool:
        """Whether a list, a dict or an object without a derivative is changed."""
        return self.facts.may_be_changed(ir.name(name), self.function.parameters)

    def reads_changing(self, node: Any) -> bool:
        """Whether an expression reads such a container, or a name outside that may be one."""
        names = (sub for sub in ir.walk(node) if type(sub) is gast.Name and sub.id[0] != "$")
        return any(self.facts.may_be_changed(sub, self.function.parameters) for sub in names)

    def changed_in(self, block: ir.Block) -> tuple[frozenset[str], frozenset[Hashable]]:
        """The values that a block binds, and the memory that it writes to."""
        if block not in self._changed:
            statements = list(ir.walk_statements(block))
            bound = frozenset(n for s in statements for n in ir.defined_names(s))
            writers = {n for s in statements for n in self.facts.writes.get(s, ())}
            self._changed[block] = bound, frozenset().union(*map(self.facts.sites, writers))
        return self._changed[block]

    def own_memory(self, name: str) -> frozenset[Any]:
        """The memory that only this name stands for, if that is one array all the time."""
        sites = self.facts.sites(name)
        bound_once = all(not d.loops for d in self.definitions.get(name, []))
        alone = all(self.holders.get(site) == {name} for site in sites)
        return sites if len(sites) == 1 and bound_once and alone else frozenset()

    def is_whole(self, name: str) -> bool:
        """Whether the indices of a value count the places of its memory: it is no view, or no other name knows that."""
        if name not in self._whole:
            definitions = self.definitions.get(name, [])
            assigned = [d.statement for d in definitions if not isinstance(d.statement, ir.Update)]
            sites = self.facts.sites(name)
            alone = len(assigned) <= 1 and all(self.holders.get(s) == {name} for s in sites)
            self._whole[name] = alone or all(_binds_new(self.facts, line) for line in assigned)
        return self._whole[name]

    @cached_property
    def holders(self) -> dict[Any, set[str]]:
        """Which values may lie in the memory of a site."""
        found: dict[Any, set[str]] = {}
        for name in self.facts.web_kinds:
            for site in self.facts.sites(name):
                found.setdefault(site, set()).add(name)
        return found

    @cached_property
    def made(self) -> MadeOnEachTrip:
        new = partial(_binds_new, self.facts)
        return MadeOnEachTrip(self.function, self.facts, self.live_at_head, self.holders, new)

    # -- slots

    def before(self, statement: ir.Statement, stable: Callable[[Any], Any]) -> list[Slot]:
        """The slots for what one simple statement overwrites."""
        if statement not in self.slots_before:
            slots = [*self.slots_of_names(statement), *self.slots_of_memory(statement, stable)]
            self.slots_before[statement] = slots
        return self.slots_before[statement]

    def slots_of_names(self, statement: ir.Statement) -> Iterator[Slot]:
        """The slots for the names that a statement binds or updates."""
        tape = self.in_loop(statement)
        for name in ir.defined_names(statement):
            definition = self.definition[name, statement]
            kind = self.facts.before[statement].get(name)
            number = is_number(kind)
            in_place = isinstance(statement, ir.Update) and not number
            if isinstance(kind, Seq) and in_place:
                continue  # it grows: analysis/list_changes.py
            if in_place:
                yield from slots_in_place(name, statement, self.facts, tape)
            elif definition.may_exist:
                slot = Slot(name, ir.name(name), tape=tape)
                if not definition.must_exist:
                    self.unset.setdefault(self.block_of(name), []).append(slot)
                yield slot

    def slots_of_memory(
        self, statement: ir.Statement, stable: Callable[[Any], Any]
    ) -> Iterator[Slot]:
        """The slots for the places that a statement stores to, and for the arrays that its calls write to."""
        tape = self.in_loop(statement)
        change = list_change(statement, self.facts, stable)
        if change is not None:
            yield replace(change, tape=tape)
            return
        stored = statement.target if isinstance(statement, (ir.Assign, ir.Update)) else None
        called = written_by_calls(statement, self.facts)
        pairs = ((target, ir.root_of(target)) for target in ir.store_targets(stored))
        roots = [(t, root) for t, root in pairs if not called & sites_at(root, self.facts)]
        for target, root in roots:
            if ir.is_own_name(root):
                if self.is_changed_inside(statement, target):
                    yield replace(
                        item_slot(root.id, stable(target), self.facts.kind(target)), tape=tape
                    )
                    continue
                replaced = self.is_replaced(statement, target)
                if replaced and self.may_be_new_key(statement, target):
                    slot = entry_slot(
                        root.id,
                        stable(target),
                        self.facts.kind(target.value),
                        target in self.facts.new_entries,
                    )
                    yield replace(slot, tape=tape)
                    continue
                written = sites_before(statement, root.id, self.facts)
                sites = own_sites(self.facts.kind(target.value)) if replaced else written
                copy = is_view(target, self.facts) and not replaced
                place = to_the_end(stable(target), self.facts.kind(target.value))
                yield Slot(root.id, place, True, tape, copy, sites=sites)
        direct = {root.id for _, root in roots if isinstance(root, gast.Name)}
        updated = ir.defined_names(statement) if isinstance(statement, ir.Update) else ()
        for name in self.facts.writes.get(statement, ()):
            if name not in direct and name not in updated:
                here = sites_before(statement, name, self.facts)
                yield replace(self.slot_of_everything(name, here), tape=tape)

    def slot_of_everything(self, name: str, here: Sites = None) -> Slot:
        """The slot for an array, or a list, to which a callee writes."""
        kind = self.facts.web_kinds.get(name)
        if isinstance(kind, Seq):
            inside = {b.site for b in held_by(kind)} & {b.site for b in self.facts.written}
            slot = whole_list(ir.name(name), of_elements=bool(inside))
            return slot if inside else replace(slot, sites=own_sites(kind))
        if isinstance(kind, Num) and kind.optional:  # None holds nothing
            return replace(whole_list(ir.name(name), of_elements=True), sites=here)
        return Slot(name, everything(name), content=True, copy=True, sites=here)

    def is_changed_inside(self, statement: ir.Statement, target: Any) -> bool:
        """Whether `xs[i] += v`, or `rows[i][1] += v`, changes an array in a list, or may: others may know it."""
        if not isinstance(statement, ir.Update) or not isinstance(target, gast.Subscript):
            return False
        of_list = isinstance(self.facts.kinds.get(target.value), (Seq, Tup))
        return of_list and not self.is_replaced(statement, target)

    def is_replaced(self, statement: ir.Statement, target: Any) -> bool:
        """Whether a store to a list puts another object there, so that the old one stays as it is."""
        of_list = isinstance(self.facts.kinds.get(target.value), (Seq, Tup))
        kind = self.facts.kinds.get(target)
        in_place = isinstance(kind, Num) and kind.array is not False
        return of_list and not (isinstance(statement, ir.Update) and in_place)

    def may_be_new_key(self, statement: ir.Statement, target: Any) -> bool:
        """Whether a store to a dict may be the first under its key."""
        kind = self.facts.kinds.get(target.value)
        return isinstance(kind, Seq) and kind.keyed and not isinstance(statement, ir.Update)

    def around(self, statement: ir.For | ir.While | ir.Try | ir.With) -> list[Slot]:
        """The slots for what a compound statement changes and nothing in it restores.

        These are the variable of a loop, whose value before it no trip restores, and what the body of a try changes
        before an exception.
        """
        if statement not in self.slots_before:
            may, must = self.found_before[statement]
            tape = self.in_loop(statement)
            names = dict.fromkeys((*ir.defined_names(statement), *self.changed_early(statement)))
            slots = [Slot(n, ir.name(n), tape=tape) for n in names if n in may]
            for slot in slots:
                if slot.name not in must:
                    self.unset.setdefault(self.block_of(slot.name), []).append(slot)
            written = [n for n in self.written_early(statement) if n in may]
            contents = [replace(self.slot_of_everything(n), tape=tape) for n in written]
            self.slots_before[statement] = [*slots, *contents]
        return self.slots_before[statement]

    def is_caught(self, statement: ir.Statement) -> bool:
        """Whether the function goes on after an exception in a try."""
        handlers = statement.handlers if isinstance(statement, ir.Try) else ()
        return any(self.facts.ways_out.get(handler) for handler in handlers)

    def changed_early(self, statement: Any) -> Iterator[str]:
        if self.is_caught(statement):
            yield from (n for s in ir.early(statement.body) for n in ir.defined_names(s))

    def written_early(self, statement: Any) -> Iterator[str]:
        """The arrays that the body of a try writes to before an exception may come."""
        if self.is_caught(statement):
            early = set(ir.early(statement.body))
            for inner in ir.walk_statements(statement.body):
                direct = ir.stored_names(inner) if inner not in early else ()
                called = written_by_calls(inner, self.facts)
                names = self.facts.writes.get(inner, ())
                yield from (n for n in names if n not in direct or self.facts.sites(n) & called)

    def at_end_of_trip(self, loop: ir.For, every: bool) -> list[Slot]:
        """What a trip leaves in the loop variables is saved: those that the body binds itself, or every one."""
        if loop not in self.end_slots:
            inside = ir.bound_within(loop.body)
            names = ir.target_names(loop.target)
            saved = [Slot(n, ir.name(n), tape=True) for n in names if every or n in inside]
            self.end_slots[loop] = saved
        return self.end_slots[loop]

    def place_block_slot(self, name: str) -> None:
        """A value that is set anew on every trip is saved at the end of its block."""
        block = self.block_of(name)
        if not self.inside_loop(block):
            return
        slot = Slot(name, ir.name(name), tape=True)
        self.block_slots.setdefault(block, []).append(slot)
        if not self.is_set_at_end(name, block):
            self.unset.setdefault(block, []).append(slot)

    def inside_loop(self, block: ir.Block) -> bool:
        return self._loop_blocks.get(block, False)

    def is_set_at_end(self, name: str, block: ir.Block) -> bool:
        return name in self._ends.get(block, frozenset())

    def block_of(self, name: str) -> ir.Block:
        """The innermost block that all definitions and uses of a value lie in, outside the loops that carry it."""
        places = self.occurrences[name]
        depth = 0
        shortest = min(len(p) for p in places)
        while depth < shortest and len({id(p[depth]) for p in places}) == 1:
            depth += 1
        blocks = [b for b in places[0][:depth] if isinstance(b, tuple)]
        chain = places[0][:depth]
        for k, item in enumerate(chain):
            if not isinstance(item, tuple) and name in self.live_at_head.get(item, frozenset()):
                blocks = [b for b in chain[:k] if isinstance(b, tuple)]
                break
        return blocks[-1]

    # -- the scan: which definitions meet an earlier value

    def scan(
        self, block: ir.Block, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> tuple[frozenset[str], frozenset[str]]:  # fmt: skip
        self._loop_blocks[block] = bool(loops)
        for statement in block:
            self.loops_around[statement] = loops
            for name in ir.mentioned(statement):
                if ir.is_value(name):
                    self.occurrences.setdefault(name, []).append(path)
            may, must = self.scan_statement(statement, loops, path, may, must)
        self._ends[block] = must
        return may, must

    def scan_statement(
        self, statement: ir.Statement, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> tuple[frozenset[str], frozenset[str]]:  # fmt: skip
        if statement.__class__ in ir.LINES:
            may, must = self.define_all(statement, loops, path, may, must)
            raises = isinstance(statement, ir.Do) and isinstance(statement.node, gast.Raise)
            return may, must | frozenset(self.definitions) if raises else must
        match statement:
            case ir.If(_, body, orelse):
                may_a, must_a = self.scan(body, loops, (*path, body), may, must)
                may_b, must_b = self.scan(orelse, loops, (*path, orelse), may, must)
                return may_a | may_b, must_a & must_b
            case ir.For() | ir.While():
                return self.scan_loop(statement, loops, path, may, must)
            case ir.Try():
                return self.scan_attempt(statement, loops, path, may, must)
            case ir.Finally(body, final):
                may, must = self.scan(body, loops, (*path, body), may, must)
                return self.scan(final, loops, (*path, final), may, must)
            case ir.With(_, body):
                self.found_before[statement] = (may, must)
                may, must = self.define_all(statement, loops, path, may, must)
                return self.scan(body, loops, (*path, body), may, must)
        raise AssertionError(f"{type(statement).__name__} is no statement")

    def define_all(
        self, statement: ir.Statement, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> tuple[frozenset[str], frozenset[str]]:  # fmt: skip
        for name in ir.defined_names(statement):
            self.define(name, statement, loops, path, may, must)
            may, must = may | {name}, must | {name}
        return may, must

    def scan_attempt(
        self, statement: ir.Try, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> tuple[frozenset[str], frozenset[str]]:  # fmt: skip
        self.found_before[statement] = (may, must)
        body_may, body_must = self.scan(statement.body, loops, (*path, statement.body), may, must)
        orelse = (*path, statement.orelse)
        end_may, end_must = self.scan(statement.orelse, loops, orelse, body_may, body_must)
        for handler in statement.handlers:
            inner_may, inner_must = may | body_may, must
            if handler.name is not None:
                name = handler.name.id
                self.define(name, statement, loops, path, inner_may, inner_must)
                inner_may, inner_must = inner_may | {name}, inner_must | {name}
            way = (*path, handler.body)
            may_h, must_h = self.scan(handler.body, loops, way, inner_may, inner_must)
            end_may, end_must = end_may | may_h, end_must & must_h
        return end_may, end_must

    def scan_loop(
        self, loop: ir.For | ir.While, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> tuple[frozenset[str], frozenset[str]]:  # fmt: skip
        self.found_before[loop] = (may, must)
        inside = ir.bound_within((loop,))
        carried = self.live_at_head.get(loop, frozenset()) | self.elsewhere.of(loop, inside)
        inner = (*loops, loop)
        inner_path = (*path, loop, loop.body)
        local = frozenset(n for n in inside if n not in carried)
        may_in = (may - local) | (inside & carried)
        must_in = must - local
        if isinstance(loop, ir.For):
            for name in ir.target_names(loop.target):
                self.define(name, loop, inner, path, may | (frozenset({name}) & carried), must)
                self.occurrences[name].append(inner_path)
                may_in, must_in = may_in | {name}, must_in | {name}
        if loop.stop is not None:
            self.occurrences.setdefault(loop.stop.id, []).append(inner_path)
        may_out, _ = self.scan(loop.body, inner, inner_path, may_in, must_in)
        return may | may_out, must

    @cached_property
    def elsewhere(self) -> Elsewhere:
        return Elsewhere(self.function)

    def define(
        self, name: str, statement: ir.Statement, loops: tuple[ir.Statement, ...], path: tuple[Any, ...],
        may: frozenset[str], must: frozenset[str],
    ) -> None:  # fmt: skip
        blocks = tuple(b for b in path if isinstance(b, tuple))
        definition = _Definition(statement, loops, blocks, name in may, name in must)
        self.definitions.setdefault(name, []).append(definition)
        self.definition.setdefault((name, statement), definition)


def _binds_new(facts: Facts, statement: ir.Statement) -> bool:
    """Whether all that a statement binds lies in memory that it makes."""
    if not isinstance(statement, ir.Assign):
        return False
    value = statement.value
    nodes = ir.parts_of(value)
    return all(
        b.site == id(node) or (isinstance(b.site, tuple) and b.site[:2] == ("result", id(node)))
        for node in nodes
        for b in buffers_of(facts.kind(node))
    )
