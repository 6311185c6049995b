"""Back through loops: the gradients that trips carry exist in full and belong to themselves at both ends."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.branches import Branches
from tangentish.adjoint.gradients import Grad, gradient_of
from tangentish.algebra.expressions import mentions_name
from tangentish.algebra.ranges import (
    first_trips_reversed,
    is_list_outside,
    items_reversed,
    reversed_range,
)
from tangentish.algebra.useful import Useful
from tangentish.analysis.measured import values_read
from tangentish.infer import is_keyed_dict, is_range
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.ir import Slot
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import NO_BUFFERS, Kind, Num, buffers_of, replace, scalar, sites_of_buffers

_MAKING_LISTS = (gast.List, gast.Dict, gast.ListComp, gast.DictComp)


@dataclass
class ReverseLoops(Branches):
    """The part of the walk back that takes loops back."""

    trips: dict[ir.Statement, str] = field(default_factory=dict)
    # loops of the function, by what the loops that take them back run over; None for several
    taken_back_by: dict[Any, ir.For | ir.While | None] = field(default_factory=dict)

    def block(self, block: ir.Block) -> ir.Block:
        raise NotImplementedError

    def loop(self, statement: ir.For | ir.While) -> None:
        carried = Useful(self.facts, self.kind).carried(statement, self.state)
        head = self.facts.heads[statement]
        copies = self.prepare_loop(sorted(carried), head)
        entry = dict(self.state)
        # one after the other: versions of what is known that take turns are made anew each time
        heads, ends, before = (
            {value: known.get(value) for value in carried}
            for known in (head, self.facts.ends[statement], self.facts.before[statement])
        )
        for value in carried:
            grad = self.state[value]
            self.state[value] = self.as_long_as(grad, value, heads[value], ends[value])
        body = list(self.block(statement.body))
        self.forget_bound(statement)
        for value in sorted(entry):
            if value not in self.state:
                body += self.collected(partial(self.zero, value, head.get(value)))
            elif value in carried:
                body += self.collected(partial(self.make_full, value, head.get(value)))
                lines = self.collected(partial(self.make_own, value))
                copies |= dict.fromkeys(lines, value)
                body += lines
        for value in sorted(carried):
            end = self.state[value].kind
            loses = entry[value].kind.contiguous and not end.contiguous and end.array
            if loses and _passes_view_call(body, gradient_of(value)):
                body += self.collected(partial(self.make_contiguous, value))
        self.state = {
            value: self.after_loop(value, entry[value], grad, heads[value], before[value])
            if value in carried
            else grad
            for value, grad in self.state.items()
            if value in entry
        }
        body = self.without_idle_copies(body, copies)
        back = self.backwards(statement, tuple(body))
        self.taken_back_by[back.iter] = None if back.iter in self.taken_back_by else statement
        self.out.append(back)
        self.out += map(ir.Restore, self.saves.around(statement))

    def as_long_as(self, grad: Grad, value: str, head: Kind | None, there: Kind | None) -> Grad:
        """A full gradient that a loop carries, of the lengths that its value has before the loop, or after a trip."""
        shape, known = grad.kind.shape, there.shape if isinstance(there, Num) else None
        full = self.full_kind(value, head).shape
        if shape is None or known is None or shape != full or len(known) != len(shape):
            return grad
        return grad._replace(kind=replace(grad.kind, shape=known))

    def forget_bound(self, statement: ir.Statement) -> None:
        """The items of a loop, and what a manager gives, have none of the gradients of what had their names before."""
        for value in ir.defined_names(statement):
            self.state.pop(value, None)

    def prepare_loop(
        self, carried: Sequence[str], head: Mapping[str, Kind]
    ) -> dict[ir.Statement, str]:
        """The gradients that a loop carries exist in full; the copies made in case it adds to them in place."""
        copies: dict[ir.Statement, str] = {}
        for value in carried:
            kind = head.get(value)
            if value not in self.state:
                self.zero(value, kind)
            else:
                self.make_full(value, kind)
                before = len(self.out)
                self.make_own(value)
                copies |= dict.fromkeys(self.out[before:], value)
        return copies

    def without_idle_copies(
        self, body: list[ir.Statement], copies: dict[ir.Statement, str]
    ) -> list[ir.Statement]:
        """The body, and the lines before it, without the copies of what no trip changes in place."""
        idle = {
            s for s, value in copies.items() if not _is_changed_in_place(body, gradient_of(value))
        }
        self.out = [s for s in self.out if s not in idle]
        for value in {copies[s] for s in idle}:
            self.state[value] = Grad(self.state[value].kind, False)
        return [s for s in body if s not in idle]

    def after_loop(
        self, value: str, entry: Grad, end: Grad, kind: Kind | None, before: Kind | None
    ) -> Grad:
        if self.is_list(value):
            return entry
        dtype = entry.kind.dtype if entry.kind.has_dtype_of(end.kind) else None
        weak = entry.kind.weak and end.kind.weak
        contiguous = entry.kind.contiguous and end.kind.contiguous
        full = replace(self.full_kind(value, kind), dtype=dtype, weak=weak, contiguous=contiguous)
        return self.as_long_as(Grad(full, end.owned), value, kind, before)

    def made_on_each_trip(self, back: ir.For) -> frozenset[Hashable]:
        """The memory that trips of the loop that `back` takes back make, and that none before them reads."""
        loop = self.taken_back_by.get(back.iter)
        return frozenset() if loop is None else self.saves.made.gone(loop)

    def backwards(self, statement: ir.For | ir.While, body: ir.Block) -> ir.For:
        if isinstance(statement, ir.While):
            return self.counted(statement, (), body)
        iterator = self.iterator_backwards(statement)
        ends = self.saves.at_end_of_trip(statement, iterator is None)
        if iterator is None:
            return self.counted(statement, ends, body)
        if ends and isinstance(statement.target, gast.Name):
            return ir.For(ir.name("_"), iterator, (*map(ir.Restore, ends), *body), None, NOWHERE)
        body = (*map(ir.Restore, ends), *body)
        return ir.For(statement.target, iterator, body, None, NOWHERE)

    def counted(self, statement: ir.Statement, ends: Sequence[Slot], body: ir.Block) -> ir.For:
        """As many trips as there were, each getting back what the loop variables held."""
        trips = quote("range({n})", n=self.trip_count(statement))
        return ir.For(ir.name("_"), trips, (*map(ir.Restore, ends), *body), None, NOWHERE)

    def iterator_backwards(self, statement: ir.For) -> Any | None:
        """What gives the trips' items from the last to the first; None where they have to be kept."""
        if is_range(statement.iter, self.facts):
            bounds = [self.bound(b, statement) for b in self.facts.callees[statement.iter].args]
            if statement.stop is None:
                return reversed_range(bounds)
            return first_trips_reversed(bounds, self.trip_count(statement))
        if statement.stop is not None:
            return None
        return items_reversed(statement.iter, self.facts, lambda n: self.stays(n, statement))

    def stays(self, node: Any, loop: ir.For) -> bool:
        """Whether an expression gives after a loop what it gave before it."""
        if isinstance(node, gast.Name) and is_keyed_dict(self.kind(node)):
            return self.has_the_same_keys(node.id, loop)
        if is_list_outside(node, self.facts) and CHANGED_OUTSIDE in self.walk.rebound:
            return False
        if self.makes_what_changes(node, loop):
            return False
        block, read = (loop,), values_read(node, self.facts)
        keeps = (self.saves.comes_back(n, block, self.is_cheap, measured) for n, measured in read)
        return self.is_cheap(node) and all(keeps)

    def makes_what_changes(self, node: Any, loop: ir.For) -> bool:
        """Whether it makes lists anew that the loop changes: `for a in [[], [1.0]]: a.append(x[0])`."""
        made = (n for n in ir.walk(node) if n is not node and isinstance(n, _MAKING_LISTS))
        memory = sites_of_buffers(NO_BUFFERS.union(*(buffers_of(self.kind(n)) for n in made)))
        return bool(memory) and bool(memory & self.saves.changed_in((loop,))[1])

    def has_the_same_keys(self, d: str, loop: ir.For) -> bool:
        """Whether a dict that a loop runs over has its keys in the same order after it; it gets none in the loop."""
        bound, _ = self.saves.changed_in((loop,))
        return d not in bound and not self.facts.sites(d) & self.facts.reordered

    def trip_count(self, statement: ir.Statement) -> Any:
        if statement not in self.trips:
            self.trips[statement] = self.made_forward("trips")
        return self.named(self.trips[statement], scalar(int))

    def bound(self, node: Any, loop: ir.For) -> Any:
        return node if self.stays(node, loop) else self.hoist(node, "n")


def _passes_view_call(block: Sequence[ir.Statement], name: str) -> bool:
    """Whether a place of a gradient is reached through a function that gives a view of contiguous arrays only."""
    return any(
        ir.has_view_call(node) and ir.is_name(ir.root_of(node), name)
        for statement in ir.walk_statements(tuple(block))
        for e in ir.expressions_of(statement)
        for node in ir.walk(e)
        if isinstance(node, gast.Call | gast.Subscript)
    )


def _is_changed_in_place(block: Sequence[ir.Statement], name: str) -> bool:
    """Whether the array of a gradient is written to, or handed to a function that does."""
    for statement in ir.walk_statements(tuple(block)):
        match statement:
            case ir.Update(target) if ir.root_of(target).id == name:
                return True
            case ir.Assign(gast.Tuple(elts=names)) if any(ir.is_name(n, name) for n in names):
                return True  # it has the array of another then, which may be written to
            case ir.Assign(target, value):
                if any(
                    ir.root_of(t).id == name
                    for t in ir.store_targets(target)
                    if isinstance(ir.root_of(t), gast.Name)
                ):
                    return True
                if (
                    isinstance(value, gast.Call)
                    and isinstance(value.func, gast.Name)
                    and value.func.id != "$unbroadcast"
                    and mentions_name(value, name)
                ):
                    return True
    return False
