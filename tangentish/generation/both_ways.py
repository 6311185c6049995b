"""One function's forward pass and adjoint: generated, pruned, folded, with slots lowered to tapes and locals."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.changed_containers import check_containers
from tangentish.adjoint.changed_inside import with_own_copies
from tangentish.adjoint.final_gradients import final_gradients
from tangentish.adjoint.function_objects import kept_with
from tangentish.adjoint.given_by_others import OfOthers, with_kept
from tangentish.adjoint.heads import Heads
from tangentish.adjoint.pair import Pair, PairOf, paired, saved_inside
from tangentish.adjoint.parts import Parts, Wanted, returned_where_computed
from tangentish.adjoint.read_by_places import called_in_loops
from tangentish.adjoint.record import Record
from tangentish.adjoint.reverse import Reverse
from tangentish.adjoint.structures import Structure
from tangentish.algebra.droppable import is_droppable
from tangentish.algebra.effects import has_no_effects
from tangentish.algebra.fresh import is_new
from tangentish.algebra.new_values import read_in_place
from tangentish.analysis.before_roots import clipped_before_roots
from tangentish.analysis.masks_as_numbers import masks_as_numbers
from tangentish.analysis.reached import Analysis
from tangentish.folding.computed_already import as_computed
from tangentish.folding.direct import add_directly
from tangentish.folding.divided_once import divided_once
from tangentish.folding.entries_there import added_where_there, only_asked
from tangentish.folding.equal_elements import as_one_number
from tangentish.folding.fold import fold
from tangentish.folding.gathered import gather
from tangentish.folding.kept_names import keep_names
from tangentish.folding.one_index import with_one_index
from tangentish.folding.owned import added_in_place, without_idle_copies
from tangentish.folding.quotients import by_quotients
from tangentish.folding.renamed import without_other_names
from tangentish.folding.same_ways import without_same_ways
from tangentish.folding.selected_once import selected_once
from tangentish.folding.set_places import set_first, set_places
from tangentish.folding.signs import signs_where_added
from tangentish.folding.stored_back import without_stored_back
from tangentish.folding.sugar import over_elements
from tangentish.folding.sunk import sink
from tangentish.folding.trip_by_trip import Apart, Questions, one_after_the_other, trip_by_trip
from tangentish.folding.uncopied import unchanged_as_given
from tangentish.folding.whole_trips import whole_trips
from tangentish.folding.zeroed_late import zeroed_late
from tangentish.generation.kept_values import kept_values
from tangentish.generation.saved_apart import check_apart, saved_apart
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.known_functions import is_in_tables
from tangentish.ir.needed import read_before_set
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import Known, Num, buffers_of, replace, sites_of_buffers
from tangentish.kinds.numbers import is_array, is_integer, is_number
from tangentish.recording.brought_back import brought_back, with_slots
from tangentish.recording.copied_views import copied, spared, views_to_copy
from tangentish.recording.entry_copies import copies_on_entry
from tangentish.recording.forward_liveness import prune_forward
from tangentish.recording.idle_saves import idle_slots, unread_slots, without_slots
from tangentish.recording.late_saves import saved_when_set
from tangentish.recording.liveness import prune_adjoint
from tangentish.recording.read_late import ReadLate
from tangentish.recording.same_saves import saved_once
from tangentish.recording.saved_around import saved_around
from tangentish.recording.saving import Saves
from tangentish.recording.taped import empty_tapes, taped
from tangentish.recording.unset import assigned, unsure_results, with_nothing
from tangentish.rules import Rule
from tangentish.rules.own import OwnRule

NO_NAMES: frozenset[Any] = frozenset()
NO_SLOTS: dict[ir.Slot, str] = {}


def build_parts(analysis: Analysis, wanted: Wanted, pair_of: PairOf, inside: bool = False) -> Parts:
    """Forward pass and adjoint of one function; `pair_of` names the functions of its callees.

    inside: they are differentiated in turn.
    """
    both = _BothWays(analysis, wanted, pair_of)
    both.walk()
    both.prune_adjoint()
    both.join_same_ways()
    both.bring_back()
    both.add_to_arrays()
    both.keep_results()
    if inside:
        both.keep_saved_apart()
    both.prune_forward()
    both.save_where_least()
    both.simplify()
    parts = both.lowered()
    return parts if wanted.structure is None else _as_structured(parts, wanted, wanted.structure)


@dataclass
class _BothWays:
    """Forward pass and adjoint of one function on their way: each step makes them anew.

    later: what the adjoint and the results read of the forward pass.
    """

    analysis: Analysis
    wanted: Wanted
    pair_of: PairOf
    pairs: dict[Any, Pair] = field(default_factory=dict)  # of calls, as the walk back asks for them
    forward: ir.Block = ()
    adjoint: ir.Block = ()
    gradients: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    slots: set[ir.Slot] = field(default_factory=set)
    later: frozenset[str] = frozenset()
    copies: frozenset[str] = NO_NAMES  # views that are copied where they are made

    def __post_init__(self) -> None:
        self.function, self.facts = self.analysis.function, self.analysis.facts
        walk = self.analysis.walk
        self.of_others = OfOthers(
            self.function, self.facts, walk.outermost, CHANGED_OUTSIDE in walk.rebound
        )
        masks = masks_as_numbers(self.function, self.facts)
        self.reverse = Reverse(
            self.facts, walk, saves=Saves(self.function, self.facts),
            pair=partial(paired, self.pairs, self.pair_of, self.wanted.caught),
            noting=self.wanted.noting, masks=masks,
            clipped=clipped_before_roots(self.function, self.facts, masks),
            of_others=self.of_others,
            in_loops=called_in_loops(self.function, self.facts),
            added={self.function.parameters[k] for k in self.wanted.added},
        )  # fmt: skip
        self.heads = Heads(self.reverse, self.function, self.wanted)

    def walk(self) -> None:
        """Back through the function, and forward with the saves that this asks for."""
        function, reverse = self.function, self.reverse
        check_apart(self.analysis)
        self.heads.take_up()
        body = reverse.block(function.body)
        self.gradients, epilogue = final_gradients(reverse, function, self.wanted.wrt)
        body = added_in_place((*body, *epilogue), reverse.added_to_parts)
        self.adjoint = as_one_number((*self.heads.prologue, *body), self.gradients)
        record = Record(reverse, self.pairs, reverse.made_slots)
        self.forward = record.block(_without_return(function.body), function.body)

    def prune_adjoint(self) -> None:
        """What nobody reads is gone, and so are records of arrays of which a copied view is enough."""
        pruned = self.pruned()
        views = views_to_copy(pruned[2], self.reverse.saves, self.facts)
        if views:
            with_copies = self.pruned(views)
            if spared(pruned[2], with_copies[2], views, self.facts):
                pruned, self.copies = with_copies, views
                self.forward = copied(self.forward, views)
        self.adjoint, self.later, self.slots = pruned
        theirs = self.slots_of_others()
        if theirs:
            self.forward = without_slots(self.forward, theirs)
            self.adjoint = without_slots(self.adjoint, theirs)
            self.slots = self.slots - theirs
        apart = check_containers(
            self.adjoint, self.function, self.facts, self.reverse.temporaries, self.keeping,
            self.analysis.source, self.reverse.made_copies,
        )  # fmt: skip
        self.forward = with_own_copies(self.forward, apart)
        copied_when_bound = self.of_others.copied_when_bound - apart
        self.forward = with_kept(self.forward, copied_when_bound & ir.mentions(self.adjoint).keys())

    def join_same_ways(self) -> None:
        """Tests that choose between the same lines are not asked."""
        joined = without_same_ways(self.adjoint, self.gradients)
        if joined is not self.adjoint:
            self.adjoint = joined
            self.adjoint, self.later, self.slots = self.pruned(self.copies)

    def slots_of_others(self) -> frozenset[ir.Slot]:
        """The slots of what lies in memory of others, and is read as copies only."""
        reverse, names = self.reverse, self.of_others.names
        theirs = frozenset(slot for slot in self.slots if slot.content and slot.name in names)
        if not theirs:
            return theirs
        copies = {reverse.temporaries[node] for node in reverse.made_copies}
        lines = (s for s in ir.walk_statements(self.adjoint) if not isinstance(s, ir.Restore))
        read = {name for s in lines for name in ir.mentioned(s)} - copies
        return unread_slots(theirs, names, read, self.facts.sites)

    def bring_back(self) -> None:
        """Arrays that only one name stands for come back under it, and what the adjoint reads of them is less."""
        instead = brought_back(self.slots, self.reverse.saves, self.facts)
        if instead:
            self.forward = with_slots(self.forward, instead)
            self.adjoint = with_slots(self.adjoint, instead)
            self.adjoint, self.later, self.slots = self.pruned(self.copies)

    def add_to_arrays(self) -> None:
        """What is added to an array at once needs no gradient of a view of it, nor the view."""
        direct = self.added_directly(self.adjoint)
        before, after = (len(ir.walk_statements(b)) for b in (self.adjoint, direct))
        if after < before:
            self.adjoint = direct
            self.adjoint, self.later, self.slots = self.pruned(self.copies)

    def added_directly(self, adjoint: ir.Block) -> ir.Block:
        return add_directly(adjoint, self.is_place_of, self.reverse.kind, self.is_own)

    def pruned(
        self, copies: frozenset[str] = NO_NAMES
    ) -> tuple[ir.Block, frozenset[str], set[ir.Slot]]:
        """The adjoint without what nobody reads, where the views `copies` have memory of their own."""
        facts, reverse = self.facts, self.reverse
        return prune_adjoint(
            self.adjoint,
            frozenset(n for g in self.gradients for n in ir.names_in(g)),
            cache(lambda name: NO_NAMES if name in copies else facts.sites(name)),
            reverse.saves.own_memory,
            cache(reverse.is_list),
            reverse.saves.is_whole,
            lambda name: facts.web_kinds.get(reverse.behind.get(name, name)),
            reverse.made_on_each_trip,
            reverse.saves.made.handed_on,
        )

    @property
    def keeping(self) -> list[Any]:
        """The calls that keep containers in what they save."""
        return [call for call, pair in self.pairs.items() if pair.keeps_containers]

    def keep_results(self) -> None:
        """Results that are handed out are what they were at the end of the forward pass."""
        self.values = list(ir.results_of(self.function))
        self.forward = (*self.forward, *unsure_results(self.values, self.facts))
        handed_out = self.wanted.handed_out(self.values)
        if not handed_out:
            return
        kept, keep = kept_values(self.reverse, handed_out, self.slots, joint=self.wanted.defaults)
        self.values[len(self.values) - len(kept) :] = kept
        self.forward = (*self.forward, *keep)
        self.later |= frozenset(n for v in kept for n in ir.names_in(v))

    def keep_saved_apart(self) -> None:
        """What callees save has memory of its own, where that is written to."""
        memory = {site for s in self.slots if s.content for site in self.facts.sites(s.name)}
        calls = self.reverse.calls
        written = {
            calls[call]
            for call, pair in self.pairs.items()
            if call in calls and not memory.isdisjoint(self.reached(call, pair))
        }
        self.forward = saved_apart(self.forward, written, self.reverse.fresh)

    def reached(self, call: Any, pair: Pair) -> frozenset[Hashable]:
        """The memory of what a function of the user's gets and gives, where its adjoint reads that."""
        user = self.facts.callees[call].user
        assert user is not None
        return sites_of_buffers(frozenset().union(*map(buffers_of, pair.kept_of(user))))

    def prune_forward(self) -> None:
        """What neither the adjoint nor the results need is gone, and saves of what is still there with it."""
        facts, again = self.facts, self.reverse.raised_again(self.adjoint)
        captured = kept_with(facts)
        while True:
            self.forward = prune_forward(
                self.forward,
                self.later,
                self.slots,
                lambda s, caught: is_droppable(s, facts, caught or self.wanted.caught, again),
                captured,
                ReadLate(facts, captured),
            )
            idle = idle_slots(self.forward, self.adjoint)
            if not idle:
                return
            self.forward = without_slots(self.forward, idle)
            self.adjoint = without_slots(self.adjoint, idle)
            self.slots = self.slots - idle
            self.later |= {slot.name for slot in idle}

    def save_where_least(self) -> None:
        """What is recorded on every trip is recorded as late, and as seldom, as may be."""
        forward, adjoint = whole_trips(self.forward, self.adjoint, self.gradients)
        forward, adjoint = saved_once(*saved_around(forward, adjoint))
        # the forward function of a pair returns its values before the adjoint binds anything anew
        handed_out = self.wanted.handed_out(self.values) if self.wanted.defaults else ()
        results = (*self.gradients, *handed_out)
        self.forward, self.adjoint = saved_when_set(forward, adjoint, results, self.is_number)

    def simplify(self) -> None:
        """Lines that say what another could say are gone."""
        reverse = self.reverse
        adjoint = keep_names(read_in_place(self.adjoint, reverse.kept_new), self.gradients)
        adjoint = without_stored_back(set_places(adjoint, self.is_array, reverse.kind))
        adjoint = fold(adjoint, self.gradients)
        adjoint = selected_once(gather(adjoint, self.is_summed, reverse.kind), self.gradients)
        adjoint = zeroed_late(adjoint, self.gradients, self.is_array, reverse.kind)
        adjoint = fold(adjoint, self.gradients, self.is_array)
        heads = {value for value, _ in self.heads.parameters}
        adjoint, self.gradients = without_idle_copies(
            adjoint, self.gradients, self.is_own, self.is_array, self.only_adds
        )
        adjoint = unchanged_as_given(adjoint, heads, self.gradients)
        adjoint, self.gradients = without_other_names(adjoint, self.gradients, self.is_own, heads)
        adjoint = self.added_directly(keep_names(adjoint, self.gradients))
        adjoint = with_one_index(adjoint, self.is_of_array, self.is_whole_number)
        results = (*self.gradients, *self.values)
        adjoint = signs_where_added(adjoint, results, reverse.kind, self.is_element, self.is_own)
        adjoint = fold(divided_once(adjoint, self.facts.sites, self.is_array), results)
        adjoint = by_quotients(self.forward, adjoint, results)
        given = frozenset(self.function.parameters) if self.wanted.defaults else None
        if given is not None:
            callees = self.facts.callees
            adjoint = as_computed(
                self.forward, adjoint, callees.get, self.is_known_call, self.is_fixed, given
            )
        self.forward, adjoint = sink(
            self.forward,
            adjoint,
            results,
            lambda s: is_droppable(s, self.facts),
            self.is_known_call,
            self.is_fixed,
            given,
            reverse.kind,
        )
        adjoint = set_first(adjoint, self.is_array, reverse.kind, not self.wanted.filled)
        adjoint = added_where_there(adjoint, only_asked(self.function, self.facts))
        self.gradients, self.adjoint = returned_where_computed(self.gradients, adjoint)

    def lowered(self) -> Parts:
        """The parts, what is recorded in tapes and locals."""
        forward = _with_shapes(self.reverse, self.forward, self.adjoint)
        adjoint, inner = self.adjoint, NO_SLOTS
        apart = self.apart(forward) if self.wanted.together else None
        if apart is not None:
            there, back, inner = taped(apart.there, apart.back, {})
            trip = (*empty_tapes(inner), *one_after_the_other(over_elements(there), back))
            loops = over_elements((replace(apart.loop, body=trip),))
            forward, adjoint = apart.before, (*apart.head, *loops, *apart.after, *apart.rest)
        forward, adjoint, names = taped(forward, adjoint, inner)
        outer = {slot: name for slot, name in names.items() if slot not in inner}
        return Parts(
            self.analysis,
            (*empty_tapes(outer), *over_elements(forward)),
            adjoint,
            names,
            self.heads.parameters,
            self.gradients,
            self.values,
            restored=tuple(slot for slot in self.slots if slot.content),
            keeps_containers=bool(self.keeping),
            saved_inside=saved_inside(self.reverse.calls, self.pairs),
        )

    def apart(self, forward: ir.Block) -> Apart | None:
        """A loop whose trips are taken back one by one."""
        ask = Questions(self.reverse.iterator_backwards, self.is_pure, self.is_number)
        return trip_by_trip(forward, self.adjoint, self.values, self.gradients, ask)

    # -- what the steps ask

    def is_array(self, name: str) -> bool:
        """Whether a name is the gradient of an array or scalar, not of a list."""
        behind = self.reverse.behind.get(name, name)
        return isinstance(self.facts.web_kinds.get(behind), Num)

    def is_of_array(self, name: str) -> bool:
        """Whether a name is the gradient of an array for sure."""
        return is_array(self.facts.web_kinds.get(self.reverse.behind.get(name, "")))

    def is_number(self, name: Any) -> bool:
        """Whether a value, or a gradient, is a number."""
        kind = self.facts.web_kinds.get(self.reverse.behind.get(name.id, name.id))
        return is_number(kind)

    @cached_property
    def pure_pairs(self) -> set[str]:
        """The functions of generated code that stand for those of the user's which have no effects."""
        users = {pair: self.facts.callees[call].user for call, pair in self.pairs.items()}
        pure = (p for p, user in users.items() if user is not None and user.pure)
        return {f"${name}" for p in pure for name in (p.forward, p.adjoint)}

    def is_pure(self, call: Any) -> bool:
        """Whether a call has no effects."""
        if isinstance(call.func, gast.Name) and call.func.id in self.pure_pairs:
            return True
        callee = self.facts.callees.get(call)
        if callee is None:
            return has_no_effects(call)
        own = isinstance(callee.rule, OwnRule) or callee.user is not None
        return not own and "out" not in callee.keywords and _changes_nothing(callee.function)

    def is_known_call(self, call: Any) -> bool:
        """Whether a function has a rule, and no effects."""
        callee = self.facts.callees.get(call)
        return callee is not None and callee.user is None and isinstance(callee.rule, Rule)

    def is_whole_number(self, index: Any) -> bool:
        """Whether an index is an integer for sure."""
        return is_integer(self.reverse.kind(index))

    def is_summed(self, name: str) -> bool:
        """Whether a sum has the type that a gradient has which is added to in place."""
        kind = self.facts.web_kinds.get(name)
        if not isinstance(kind, Num):
            return False
        return kind.is_scalar or (kind.is_double and not self.reverse.mixed)

    def is_fixed(self, name: Any) -> bool:
        """Whether a name is one of generated code, or of a module, function or constant outside."""
        if name.id.startswith("$"):
            return True
        return not ir.is_value(name.id) and isinstance(self.reverse.kind(name), Known)

    @cached_property
    def owning(self) -> set[str]:
        """The adjoints of callees, where they only give gradients that they made."""
        return {f"${pair.adjoint}" for pair in self.pairs.values() if not pair.in_and_out}

    def only_adds(self, e: Any) -> bool:
        """Whether this is the adjoint of a callee that adds to gradients it is given, and makes the others."""
        added = {f"${p.adjoint}" for p in self.pairs.values() if p.only_adds}
        return isinstance(e, gast.Call) and isinstance(e.func, gast.Name) and e.func.id in added

    def is_own(self, e: Any) -> bool:
        """Whether what a line computes lies in memory of its own."""
        match e:
            case gast.Constant():
                return True
            case gast.Call(func=gast.Name(id=name)) if name in self.owning:
                return True
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                return self.is_element(name, index)
        return is_new(e, lambda _: False)

    def is_element(self, name: str, index: Any) -> bool:
        """Whether this is one number of a gradient, which has no memory of the array's."""
        kind = self.facts.web_kinds.get(self.reverse.behind.get(name, name))
        parts = ir.parts_of(index)
        rank = kind.rank if isinstance(kind, Num) else None
        return rank == len(parts) and all(map(self.is_whole_number, parts))

    def is_place_of(self, name: str, place: Any) -> bool:
        """Whether a place of a gradient is that of the view which another gradient belongs to."""
        facts, behind, root = self.facts, self.reverse.behind, ir.root_of(place)
        view, array = behind.get(name), behind.get(root.id)
        paths = list(facts.paths.get(view, ())) if view is not None else []
        if len(paths) != 1 or view in facts.pathless or array is None:
            return False
        if self.reverse.is_list(array):
            return False

        def change(node: Any) -> Any:
            return root if ir.is_name(node, array) else None

        return bool(gast.dump(ir.copy_expression(paths[0], change)) == gast.dump(place))


def _changes_nothing(function: Any) -> bool:
    """Whether a function of others has a rule, none being needed included."""
    return is_in_tables(function) or any(function is known for known in _BUILTINS)


_BUILTINS = (range, len, float, int, abs, min, max, bool)


def _with_shapes(reverse: Reverse, forward: ir.Block, adjoint: ir.Block) -> ir.Block:
    """The forward pass, in which all that zeros take their shapes from has a value, if only None."""
    facts = reverse.facts
    missing = reverse.zeros - facts.entry.keys() - assigned(forward)
    missing = missing & read_before_set(adjoint) if missing else missing
    return with_nothing(forward, facts, missing)


def _as_structured(parts: Parts, wanted: Wanted, structure: Structure) -> Parts:
    """The elements of the arguments as the user writes them, their gradients in the arguments' structure."""
    leaves = dict(zip(wanted.wrt, parts.gradients, strict=True))
    written = {parts.analysis.function.parameters[k] for k in parts.analysis.written}
    gradients, given = structure.gathered(leaves, wanted.parameters, written)
    results: ir.Block = tuple(ir.Return((e,), False, NOWHERE) for e in (*gradients, *parts.values))
    copies = copies_on_entry(parts.analysis)
    forward, adjoint, results = structure.shown(copies, parts.forward, parts.adjoint, results)
    shown = [e for line in results if isinstance(line, ir.Return) for e in line.values]
    count = len(gradients)
    return replace(
        parts,
        forward=(*given, *forward),
        adjoint=adjoint,
        gradients=shown[:count],
        values=shown[count:],
    )


def _without_return(block: ir.Block) -> ir.Block:
    return block[:-1] if block and isinstance(block[-1], ir.Return) else block
