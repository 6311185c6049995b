"""Branches and loops: what their ways bring is joined, to a fixed point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.callee_changes import RUN_OVER
from tangentish.infer.entry_lines import entries_made
from tangentish.infer.environment import Environment, join_environments
from tangentish.infer.forms import differ_in_form
from tangentish.infer.literals import literal_of
from tangentish.infer.none_first import Pair, gets_a_form, gets_keys
from tangentish.infer.resized_lists import resized_lists
from tangentish.infer.run_over_once import has_first_item
from tangentish.infer.same_again import SameAgain
from tangentish.infer.slice_lengths import place_in
from tangentish.ir.origins import position_of
from tangentish.kinds import REFUSED, UNKNOWN, Kind, Known, Num, depth, own_memory, replace
from tangentish.kinds.lengths import Dim

TRIPS_TO_NEST = 3  # on which what a name holds may become deeper
MOST_TRIPS = (
    200  # kinds only become less known, but a name may get its own from the next one, trip by trip
)

_NESTED = (
    "'{}' holds what it held on the trip before, and so nests deeper on each: "
    "keep the values in a list (values.append(v)), and run over it"
)
_RESTLESS = "what this loop binds is of another kind on each of its trips: bind it to other names"


class Trips(SameAgain):
    """The part of the walk that follows branches and trips."""

    def branch(self, statement: ir.If) -> None:
        known = self.truth(self.test(statement.test))
        if known is not None:
            self.facts.branches[statement] = known
            self.block(statement.body if known else statement.orelse)
            return
        self.facts.branches.pop(statement, None)
        self.facts.new_entries.update(entries_made(statement))
        start = self.env
        self.env = start.copy()
        self.learn(statement.test, True)
        self.block(statement.body)
        body = self.env
        self.env = start.copy()
        self.learn(statement.test, False)
        self.block(statement.orelse)
        self.end_unread(statement, body, self.env)
        self.env = join_environments(body, self.env, self.met)

    def end_unread(self, branch: ir.If, body: Environment, orelse: Environment) -> None:
        """What got another form on one way than on the other is over where nothing reads it again: no form is asked."""
        for name in self.ends.get(branch, ()):
            kinds = [way.kinds.get(name, UNKNOWN) for way in (body, orelse)]
            if differ_in_form(*kinds):
                body.bind(name, UNKNOWN)
                orelse.bind(name, UNKNOWN)

    def for_loop(self, statement: ir.For) -> None:
        self.write_out_where_forms_differ(statement)
        item = self.item_of(statement.iter)
        if is_made_range(statement.iter):
            self.facts.counters |= set(ir.target_names(statement.target))
        filled = self.filled_by(statement)
        self.around.append(statement)
        self.loop(statement, item)
        self.around.pop()
        self.measure(filled, statement)
        if self.facts.items[statement.iter].active:
            self.check_length_stays(statement)

    def check_length_stays(self, loop: ir.For) -> None:
        """A list that is run over must not grow or shrink meanwhile."""
        lists = self.lists_run_over(loop)
        for statement in ir.walk_statements(loop.body):
            for changed in resized_lists(statement, self.facts):
                if own_memory(self.kind(changed)) & lists:
                    self.refuse(RUN_OVER, changed)

    def loop(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        """Trips until nothing new is found."""
        outer, self.symbols = self.symbols, set()
        start = self.env.copy()
        before = self.changes.get(statement)
        if before is not None and start.is_entered_like(before):
            self.env = start.joined_with(before, self.met)
            self.measure_each_trip(statement, self.env, self.env.kinds.differences(start.kinds))
        self.loops_around += 1
        first_around = self.on_first_trip
        deeper: Counter[str] = Counter()
        for trip in range(MOST_TRIPS):
            self.begin_trip(first_around or trip == 0)
            head = self.env.copy()
            self.facts.heads[statement] = head.kinds
            if isinstance(statement, ir.For) and self.has_changed(statement, start):
                item = self.met(item or UNKNOWN, self.item_of(statement.iter))
                self.facts.items[statement.iter] = item
            self.trip(statement, item)
            end = self.env
            self.facts.ends[statement] = end.kinds
            following = end.next_trip(self.symbols)
            handed_on = following.kinds.differences(head.kinds)
            if gets_keys(handed_on.values()) and has_first_item(statement, self.kind):
                self.facts.none_first.add(
                    position_of(statement)
                )  # before they meet, which may begin all anew
            merged = join_environments(head, following, self.met)
            changed = merged.kinds.differences(head.kinds)
            formed = gets_a_form(handed_on[n] for n in changed)
            if formed and has_first_item(statement, self.kind):
                self.facts.none_first.add(position_of(statement))
            self.measure_each_trip(statement, merged, changed)
            self.refuse_nested(statement, merged, changed, deeper)
            if (
                (first_around or not self.left_open)
                and all(merged.kinds.get(name) == old for name, (_, old) in changed.items())
                and merged.stale == head.stale
                and merged.paths == head.paths
            ):
                break
            self.env = merged
        else:
            self.refuse(_RESTLESS, statement)
        self.on_first_trip = first_around
        self.loops_around -= 1
        if self.loops_around and not end.dead:
            names = _values_in(statement) if before is None else before.entered
            self.changes[statement] = following.changes_since(start, names)
        outer |= self.symbols
        self.symbols = outer
        self.env = join_environments(head, end, self.met)  # names bound inside it, too
        if isinstance(statement, ir.For) and self.has_trips(statement.iter):
            for name in [*self.env.maybe.differences(end.maybe)]:
                self.env.maybe.discard(name)

    def measure_each_trip(
        self, loop: ir.For | ir.While, merged: Environment, changed: Iterable[str]
    ) -> None:
        """The lengths of arrays that trips make shorter, or longer, are known to equal themselves within a trip."""
        for name in changed:
            kind = merged.kinds.get(name)
            if isinstance(kind, Num) and kind.array and kind.shape and None in kind.shape:
                self.symbols.add(id(loop))
                shape = tuple(
                    Dim(("new", id(loop), name, axis)) if n is None else n
                    for axis, n in enumerate(kind.shape)
                )
                merged.bind(name, replace(kind, shape=shape))

    def refuse_nested(
        self, loop: ir.For | ir.While, merged: Environment, changed: Mapping[str, Pair], deeper: Counter[str]
    ) -> None:  # fmt: skip
        """What holds itself as it was before, like nodes that hold the next one, would get deeper without end."""
        for name, (_, before) in changed.items():
            deeper[name] += depth(merged.kinds.get(name)) > depth(before)
            if deeper[name] > TRIPS_TO_NEST:
                lines = (s for s in ir.walk_statements(loop.body) if name in ir.defined_names(s))
                self.refuse(_NESTED.format(ir.base_name(name)), next(lines, loop))
                merged.bind(name, REFUSED)

    def has_trips(self, over: Any) -> bool:
        """Whether what is written out is run over at least once: what a trip binds has a value after the loop."""
        match over:
            case gast.List(elts=[first, *_]) | gast.Tuple(elts=[first, *_]):
                return not isinstance(first, gast.Starred)
            case gast.Call(func=gast.Name() as func, args=args, keywords=[]):
                bounds = list(map(literal_of, args))
                numbers = 0 < len(bounds) < 4 and all(type(n) is int for n in bounds)
                made = is_made_range(over) or self.kind(func) == Known(range)
                return made and numbers and 0 not in bounds[2:] and len(range(*bounds)) > 0  # type: ignore[call-overload]
        return False

    def has_changed(self, loop: ir.For, start: Environment) -> bool:
        """Whether the trips of a loop change what it runs over; what they bind anew is something else."""
        names = ir.values_in(loop.iter)
        bound = ir.bound_within((loop,)) & names if names else names
        if bound and self.facts.items[loop.iter].active:
            inside = ir.walk_statements((loop,))
            if any(n in bound for s in inside for n in self.facts.writes.get(s, ())):
                self.refuse(
                    "what is run over is written to and bound anew: give that another name",
                    loop.iter,
                )
        return any(self.env.kinds.get(n) != start.kinds.get(n) for n in names - bound)

    def trip(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        self.statement = statement
        if isinstance(statement, ir.While):
            self.truth(self.test(statement.test))
            self.learn(statement.test, True)
        else:
            place = place_in(statement, self.facts)
            if place is not None and isinstance(item, Num):
                self.symbols.add(id(statement.target))
                item = replace(item, value=place)
            self.assign(statement.target, item or UNKNOWN, None)
        self.block(statement.body)
        if statement.stop is not None and not self.env.dead:
            self.expression(statement.stop)


def _values_in(loop: ir.Statement) -> set[str]:
    """The values that a loop mentions."""
    inside = ir.walk_statements((loop,))
    return {name for s in inside for name in ir.mentioned(s) if ir.is_value(name)}


def is_made_range(node: Any) -> bool:
    """Whether a loop was made to run over the indices of what it reads."""
    match node:
        case gast.Call(func=gast.Name(id="$range")):
            return True
    return False
