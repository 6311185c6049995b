"""What is known of every function reached: its normal form, kinds, activity, and what it does to its arguments."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NoReturn

import gast

from tangentish import ir
from tangentish.analysis.attributes_first import Late
from tangentish.analysis.bound_methods import with_methods_bound
from tangentish.analysis.first_trips import Place, with_first_trips_apart
from tangentish.analysis.functions_shown import shown_without_values
from tangentish.analysis.given_back import with_given_back
from tangentish.analysis.guards import (
    LENGTHS,
    AbsentGuard,
    AnyGuard,
    AttributeGuard,
    CodeGuard,
    Guard,
    ImportGuard,
)
from tangentish.analysis.known_ways import with_ways_known
from tangentish.analysis.looked_again import Found, looked_at_again, with_arrays_apart
from tangentish.analysis.looked_up import looked_up
from tangentish.analysis.mirrored import is_mirror
from tangentish.analysis.others_met import meets_others
from tangentish.analysis.passes import Passes, in_two_tries
from tangentish.analysis.recursion import MOST_ROUNDS, ROUNDS_TO_NEST, Assumed, Recursion
from tangentish.analysis.summaries import (
    final_lists,
    in_lengths_of_caller,
    summary_of,
)
from tangentish.analysis.whole_objects import whole_uses
from tangentish.analysis.written_lines import left_inside
from tangentish.asking.asked import Asked
from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.infer import BoundEntry, Facts, Inference, Summary, defaults_of
from tangentish.infer.arrays_run_over import ArraysRunOver
from tangentish.infer.known_functions import is_of_library
from tangentish.infer.reaching_out import Seen, set_unseen
from tangentish.kinds import (
    UNKNOWN,
    Kind,
    Known,
    Num,
    Seq,
    Tup,
    depth,
    is_number,
    is_of_argument,
    replace,
)
from tangentish.kinds.arrays_outside import are_arrays_changed
from tangentish.kinds.joins import join
from tangentish.kinds.kinds_of_values import kind_of, may_differ_inside
from tangentish.kinds.seen_outside import as_seen_outside, at_rest, canonical, kind_key, restored
from tangentish.language.declared import place_of
from tangentish.language.definitions import defaults_in
from tangentish.language.generators import is_generator
from tangentish.language.held import held_values
from tangentish.language.lifted import Lifted, as_written
from tangentish.language.normal import Normal, normalise
from tangentish.language.resolved_modes import resolved_modes
from tangentish.language.source import GENERATED, Source, read_source
from tangentish.language.webs import split_into_values

_NESTED = (
    "what this function gives holds what its own call gives, without end: return numbers or arrays"
)
_RESTLESS = "what this function gives is of another kind with each of its own calls: give one number or array"
_NESTED_GRADIENT = "inside of another function the gradient of one that calls itself is with respect to one number only"
_GENERATOR = "a generator has no derivative; return a list or an array"
_ENDLESS = "the containers in this function can't be taken apart"


@dataclass(eq=False)
class Analysis:
    """One function for one set of kinds of its arguments."""

    source: Source
    lifted: Lifted | None
    function: ir.Function
    facts: Facts
    walk: Inference
    kinds: tuple[Kind, ...]
    result: Kind
    written: tuple[int, ...]
    pure: bool
    raises: bool = False  # on every way
    bound: tuple[BoundEntry, ...] = ()
    # what its callers have to know, by the lengths that they give
    told: dict[Hashable, Summary] = field(default_factory=dict)

    @property
    def defaults(self) -> dict[str, tuple[Any, Any]]:
        """The values that parameters with defaults go into: node and value of the default."""
        values, nodes = defaults_of(self.source.function), dict(defaults_in(self.source.tree))
        return {f"{name}.0": (node, values[name]) for name, node in nodes.items()}

    @cached_property
    def summary(self) -> Summary:
        """The same in its own lengths."""
        return summary_of(self)


_READ_ELSEWHERE = (
    "'{}' would keep a differentiated value, and another function reads or binds it, too: return it"
)
_MAY_BE_READ = "'{}' would keep a differentiated value, and what is called here may read or bind it, too: return it"


@dataclass
class Program:
    """All functions that one derivative reaches.

    rebound: the names outside that functions bind.
    training: what is_training() says.
    held: the local variables of the outermost function with respect to which gradients are taken.
    lists_kept: whether it is taken for granted that what a recursion saves holds lists.
    """

    rebound: set[Hashable] = field(default_factory=set)
    held: tuple[str, ...] = ()
    training: bool = True
    looks_inside: bool = False  # whether it matters what lists and dicts outside hold
    inside: bool = False  # it is generated for a program that takes this derivative itself
    lists_kept: bool = False
    # the names outside that functions which others call, or modules, are asked for
    elsewhere: set[Hashable] = field(default_factory=set)
    calls_unknown: bool = False  # whether code may run that is not looked into
    asks_mode: bool = False  # whether something that is called may ask for the mode
    analyses: dict[Hashable, Analysis] = field(default_factory=dict)
    guards: dict[Hashable, AnyGuard] = field(default_factory=dict)
    recursion: Recursion[Analysis] = field(default_factory=Recursion)
    # what these set out of sight is rebound
    followed: set[types.FunctionType] = field(default_factory=set)
    unseen: Seen = field(default_factory=Seen)  # while nothing of the user's runs
    device: bool = False  # the arrays are on a device
    refused: dict[Hashable, NotDifferentiable] = field(default_factory=dict)
    derive: Any = None  # how derivatives are generated that the program takes itself
    derived: dict[Hashable, Any] = field(default_factory=dict)
    late: Late = field(default_factory=Late)
    arrays_run_over: ArraysRunOver = field(default_factory=ArraysRunOver)
    # the parameters for functions and objects that the generated code of an analysis was found to read
    objects_read: dict[int, set[str]] = field(default_factory=dict)

    def analyse(
        self, function: types.FunctionType | Lifted, kinds: Sequence[Kind], callee: bool = False
    ) -> Analysis:
        """The analysis of the function for these kinds, made once; recursion goes to a fixed point."""
        key = (function, tuple(map(kind_key, kinds)), callee)
        if key in self.analyses:
            return self.analyses[key]
        if key in self.refused:
            raise self.refused[key]
        known = self.recursion.known(key)
        if known is not None:
            return known
        with self.recursion.looking_at(key):
            try:
                analysis = self.in_rounds(key, function, tuple(kinds), callee)
            except NotDifferentiable as error:
                self.refused[key] = error
                raise
            rests_on = self.recursion.rests_on()
        if rests_on:
            self.recursion.found[key] = analysis, rests_on
        else:
            self.analyses[key] = analysis
        return analysis

    def in_rounds(
        self,
        key: Hashable,
        function: types.FunctionType | Lifted,
        kinds: tuple[Kind, ...],
        callee: bool,
    ) -> Analysis:
        """The analysis of a function under what is assumed of others, once that of itself is what it gives."""
        recursion = self.recursion
        for turn in range(MOST_ROUNDS):
            recursion.reached.clear()
            analysis = self.once(function, kinds, callee)
            if key not in recursion.reached:
                return analysis
            before, now = recursion.assumed[key], as_seen_outside(analysis.result, {})
            now = now if before.gives is None else join(before.gives, now)
            if turn >= ROUNDS_TO_NEST and depth(now) > depth(before.gives):
                _refuse_nested(analysis.source)
            found = Assumed(now, analysis.written, _final_dicts(analysis, before.dicts))
            if before == found:
                return analysis
            recursion.assumed[key] = found
        source = analysis.source
        raise refuse([Refusal(_RESTLESS, source.tree)], source.filename, source.lines)

    def once(
        self, function: types.FunctionType | Lifted, kinds: tuple[Kind, ...], callee: bool
    ) -> Analysis:
        """The analysis; a write to arrays that a container outside holds is looked at as one to that container."""
        before = frozenset(self.rebound)
        try:
            return self.under_changes(function, kinds, callee)
        except NotDifferentiable:
            if not are_arrays_changed(self.rebound - before):
                raise
        return self.under_changes(function, kinds, callee)

    def under_changes(
        self, function: types.FunctionType | Lifted, kinds: tuple[Kind, ...], callee: bool
    ) -> Analysis:
        """The analysis; where it is refused, what was found meanwhile may tell another way to look."""
        look = partial(looked_at_again, partial(self.along, function, kinds, callee))
        return with_arrays_apart(look, self.arrays_run_over, (self.analyses, self.refused))

    def along(
        self, function: types.FunctionType | Lifted, kinds: tuple[Kind, ...], callee: bool, found: Found,
        apart: frozenset[Place],
    ) -> Analysis:  # fmt: skip
        """The analysis along the ways that are known to be taken, with first trips apart; it finds more of both."""
        lifted = function if isinstance(function, Lifted) else None
        source = read_source(as_written(function))
        if is_generator(source.function) and not callee:
            raise refuse([Refusal(_GENERATOR, source.tree)], source.filename, source.lines)
        self.guards.setdefault(source.function, CodeGuard.of(source.function))
        known = with_ways_known(normalise(source, callee), found.ways)
        normal = with_first_trips_apart(known, apart, source.lookup)
        normal = with_methods_bound(normal, found.methods, source.function)
        form, refusals = self.in_values(source, lifted, normal)
        held, unheld = held_values(form, () if callee else self.held, source.tree)
        outermost = not (callee or self.inside)
        gives_apart = lifted is not None and lifted.gives_apart
        walks = partial(self.walks, source, held, outermost, gives_apart)
        passes = Passes(walks, kinds, lifted, callee, [*refusals, *unheld], noted=found)
        passes, settled = in_two_tries(passes, form)
        if settled is None:
            passes.found.append(Refusal(_ENDLESS, source.tree))
            raise refuse(passes.found, source.filename, source.lines)
        form, last = settled
        refusals = passes.found or [
            *whole_uses(form, last.facts),
            *shown_without_values(form, last.facts),
            *left_inside(form, last.facts),
        ]
        if refusals:
            raise refuse(refusals, source.filename, source.lines)
        self.note_outside(last.facts)
        self.note_attributes(last)
        self.check_mirrored(source, form, last)
        own = lifted is None or not lifted.hands_back  # else it is among the results
        bound = tuple(passes.bound.values()) if own else ()
        return self.finished(source, lifted, form, last, kinds, bound)

    def in_values(
        self, source: Source, lifted: Lifted | None, normal: Normal
    ) -> tuple[ir.Function, list[Refusal]]:
        """A function in normal form, its names split into values."""
        self.rebound |= {place_of(source, name) for name in normal.outside}
        if source.function not in self.followed:
            self.followed.add(source.function)
            self.rebound |= set_unseen(source, self.unseen)
        form, unset = split_into_values(normal)
        if lifted is not None:
            body = form.body[:-1] if lifted.gives_itself else form.body
            body = with_given_back(body, lifted.hands_back, source)
            form = ir.Function(form.name, form.arguments, lifted.leaves, body)
        form, refusals = self.as_asked(form, source)
        return form, [*normal.refusals, *unset, *refusals]

    def walks(
        self, source: Source, held: tuple[str, ...], outermost: bool, gives_apart: bool
    ) -> Callable[[], Inference]:
        """New walks over one function; what they note for each other is the same for all of them."""
        noted: dict[str, Any] = {
            "dynamic": set(), "kept": [], "instead": {}, "cancelled": set(), "frozen": {}, "made": {},
            "mirrored": set(), "attributes": {}, "entries": {}, "numbers_there": {}, "arrays_there": {},
            "literals_there": {}, "told_by_literals": set(), "in_entries": set(), "elements_named": set(),
            "handed_over": set(), "lists_unrolled": set(), "lines_written": {}, "written_first": set(),
            "written_for": set(), "ways_to_items": {}, "named_first": set(), "named_on_trips": set(),
            "held_since": [], "replacing": set(), "tried": set(), "second_names": set(),
            "led_through": {}, "two_names": set(), "copies_made": {}, "seen": self.unseen,
            "attributes_first": self.late.first, "made_later": self.late.made, "set_first": set(),
            "set_early": self.late.early, "arrays_run_over": self.arrays_run_over,
        }  # fmt: skip

        def walk() -> Inference:
            new = Inference(
                source,
                lambda function, kinds, _: self.call(function, kinds),
                lambda name, kind: self.consult(source, name, kind),
                self.derivative,
                rebound=self.rebound,
                elsewhere=self.elsewhere,
                outermost=outermost,
                gives_apart=gives_apart,
                device=self.device,
                **noted,
            )
            new.facts.held = held
            return new

        return walk

    def note_outside(self, facts: Facts) -> None:
        """What was looked up outside has to be the same at every call."""
        self.asks_mode |= facts.calls_unknown
        self.calls_unknown |= facts.calls_unknown or (bool(self.rebound) and meets_others(facts))
        if facts.by_lengths:
            self.guards[LENGTHS] = LENGTHS
        for node, value in facts.imports.items():
            self.guards[node] = ImportGuard(node, value)

    def note_attributes(self, walk: Inference) -> None:
        """What modules and classes have under a name has to be the same as well, whichever pass asked for it."""
        for key, read in walk.attributes.items():
            kind = kind_of(read[-1])
            self.looks_inside |= may_differ_inside(kind)
            self.guards.setdefault(key, AttributeGuard(*read, kind))
        for place, guard in looked_up(walk):
            self.looks_inside = True
            self.guards.setdefault(place, guard)

    def check_mirrored(self, source: Source, form: ir.Function, walk: Inference) -> None:
        """Names outside that keep what varies: nobody else may read or bind them while the function runs."""
        lines = ir.walk_statements(form.body) if walk.mirrored else ()
        unseen = self.calls_unknown or any(isinstance(s, ir.With) for s in lines)
        for line in ir.walk_statements(form.body) if walk.mirrored else ():
            match line:
                case ir.Do(gast.Assign(targets=[gast.Name(id=name)], value=value) as node) if (
                    is_mirror(value)
                ):
                    shared = place_of(source, name) in self.elsewhere
                    if unseen or shared:
                        message = _READ_ELSEWHERE if shared else _MAY_BE_READ
                        refusal = Refusal(message.format(name), node)
                        raise refuse([refusal], source.filename, source.lines)

    def as_asked(self, form: ir.Function, source: Source) -> tuple[ir.Function, list[Refusal]]:
        """The function in the mode that is asked for."""
        form, names, refusals = resolved_modes(form, source, self.training)
        for name, value in names.items():
            self.asks_mode = True  # the same code may be called, too
            self.consult(source, name, kind_of(value))
        return form, refusals

    def finished(
        self,
        source: Source,
        lifted: Lifted | None,
        form: ir.Function,
        walk: Inference,
        kinds: tuple[Kind, ...],
        bound: tuple[BoundEntry, ...],
    ) -> Analysis:
        facts = walk.facts
        written = tuple(
            k for k in range(len(kinds)) if any(is_of_argument(b, k) for b in facts.written)
        )
        if (facts.result is None and not form.body) or not isinstance(form.body[-1], ir.Return):
            form = self.with_final_state(form, facts, written)
        pure = not written and not facts.effects
        result = facts.result or UNKNOWN
        return Analysis(
            source, lifted, form, facts, walk, kinds, result, written, pure, walk.env.dead, bound
        )

    def with_final_state(
        self, form: ir.Function, facts: Facts, written: tuple[int, ...]
    ) -> ir.Function:
        """A function that returns nothing has the final state of the arrays it writes to as its value."""
        values = [
            form.parameters[k] for k in written if _is_float_array(facts.entry[form.parameters[k]])
        ]
        if not values:
            return form
        nodes = []
        for value in values:
            node = ir.name(value)
            facts.kinds[node] = facts.web_kinds[value]
            nodes.append(node)
        facts.returned = tuple(facts.kinds[n] for n in nodes)
        facts.result = Tup(facts.returned) if len(nodes) > 1 else facts.returned[0]
        final = ir.Return(tuple(nodes), len(nodes) > 1, ir.Origin(None, ""))
        facts.before[final] = dict(facts.web_kinds)
        return ir.Function(form.name, form.arguments, form.parameters, (*form.body, final))

    def consult(self, source: Source, name: str, kind: Kind) -> None:
        if isinstance(kind, Known) and is_of_library(kind.value):
            return
        if source.where(name) == "builtin":
            return
        if source.where(name) is None:
            self.guards.setdefault((source.function, name), AbsentGuard(source, name))
            return
        space = source.function.__globals__ if source.where(name) == "global" else None
        self.looks_inside |= may_differ_inside(kind)
        self.guards.setdefault((source.function, name), Guard.of(source, name, kind, space))

    # -- derivatives inside

    def derivative(self, function: Lifted, kinds: tuple[Kind, ...], asked: Asked) -> Any:
        """The generated derivative that a call of one inside the program calls, made once."""
        inner = tuple(map(at_rest, canonical(kinds)[0]))
        asked = replace(asked, training=self.training)
        key = (function, tuple(map(kind_key, inner)), asked)
        if key not in self.derived:
            made = self.derive(function, inner, asked, self.rebound)
            guards = () if made is None else made.guards
            self.guards |= {(key, k): guard for k, guard in enumerate(guards)}
            self.derived[key] = made
        return self.derived[key]

    # -- calls between functions

    def call(self, function: types.FunctionType | Lifted, kinds: tuple[Kind, ...]) -> Summary:
        """What a caller has to know of a function that it gives these kinds of arguments."""
        inner, names = canonical(kinds)
        key = (function, tuple(map(kind_key, inner)), True)
        assumed = self.recursion.asked(key)
        if assumed is not None:
            gives = None if assumed.gives is None else restored(assumed.gives, names)
            finals = {k: restored(kind, names) for k, kind in assumed.dicts.items()}
            return Summary(gives, assumed.written, finals=finals, assumed=True)
        analysis = self.analyse(function, inner, callee=True)
        lengths = tuple(names.items())
        if lengths not in analysis.told:
            analysis.told[lengths] = in_lengths_of_caller(analysis.summary, names)
        return analysis.told[lengths]


def _refuse_nested(source: Source) -> NoReturn:
    why = _NESTED_GRADIENT if source.filename.startswith(GENERATED) else _NESTED
    raise refuse([Refusal(why, source.tree)], source.filename, source.lines)


def _final_dicts(analysis: Analysis, before: Mapping[int, Kind]) -> dict[int, Kind]:
    """Of these the dicts whose keys are computed, and that hold numbers."""
    finals = {k: as_seen_outside(kind, {}) for k, kind in final_lists(analysis).items()}
    dicts = {k: kind for k, kind in finals.items() if _is_dict_of_numbers(kind)}
    return {k: join(before[k], kind) if k in before else kind for k, kind in dicts.items()}


def _is_dict_of_numbers(kind: Kind) -> bool:
    item = kind.item if isinstance(kind, Seq) and kind.keyed else None
    return is_number(item)


def _is_float_array(kind: Kind) -> bool:
    return (
        isinstance(kind, Num)
        and kind.array is True
        and (kind.dtype is None or kind.dtype.kind == "f")
    )
