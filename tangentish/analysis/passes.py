"""The passes over one function: what is found of it says what to take apart, and what is left is looked at again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace

from tangentish import ir
from tangentish.analysis.aliases import resolve_aliases
from tangentish.analysis.asked_integers import with_integers_asked
from tangentish.analysis.asked_operands import with_operands_asked
from tangentish.analysis.cancelling import leave_out_what_cancels
from tangentish.analysis.disturbed import disturbed_loops
from tangentish.analysis.early import made_early
from tangentish.analysis.exchanges import with_exchanges
from tangentish.analysis.extract import extract
from tangentish.analysis.field_names import without_field_names
from tangentish.analysis.filled_at_once import with_lists_at_once
from tangentish.analysis.given_names import with_given_names
from tangentish.analysis.inside import elements_inside
from tangentish.analysis.known_ways import ways_known
from tangentish.analysis.lengthened import with_lists_lengthened
from tangentish.analysis.looked_again import Found
from tangentish.analysis.rotating import with_trips_apart
from tangentish.analysis.unrolled import rewritten, rewritten_anew
from tangentish.errors import Refusal
from tangentish.infer import (
    BoundEntry,
    Facts,
    FilledHere,
    GivenAsRecords,
    Inference,
    StartAgain,
    StartAnew,
    are_sought,
    is_looked_at_again,
    tell_apart,
)
from tangentish.ir.origins import origin_of
from tangentish.kinds import Kind, Tup
from tangentish.language.lifted import Lifted
from tangentish.language.taken_for import without_what_is_taken

_LEFT = "{} may be changed by what is called, and what it is then is not known: return what is new"
Settled = tuple[ir.Function, Inference]
MOST_PASSES = 200  # every pass takes something apart, and nothing grows: fewer are enough
MOST_OF_REFUSED = 60  # those over a function that is refused whatever else they find


@dataclass
class Passes:
    """What is known, and was refused, when the function of `lifted` or its own is called with `kinds`.

    walks: new walks over the function, each of which knows what those before it have noted.
    callee: whether another function calls it, which then sees what it leaves in its arguments.
    bound: what was stored to the containers that were given.
    given_names: the parameters that are written to, whose names stand for another array then (given_names.py).
    apart: whether constants are told apart, too (infer/constants_apart.py).
    noted: what may help where the function is refused (looked_again.py).
    before_turns: the function as it was before the trips of its loops got arrays of their own (rotating.py).
    """

    walks: Callable[[], Callable[[], Inference]]
    kinds: tuple[Kind, ...]
    lifted: Lifted | None
    callee: bool
    found: list[Refusal]
    bound: dict[tuple[str, Hashable], BoundEntry] = field(default_factory=dict)
    given_names: set[str] = field(default_factory=set)
    before_turns: tuple[ir.Function, list[Refusal]] | None = None
    turns_tried: bool = False
    apart: bool = False
    noted: Found = field(default_factory=Found)

    def settled(self, form: ir.Function) -> Settled | None:
        """The function with all taken apart that has to be, and the walk over it; None where that has no end."""
        first, refused, new_walk = form, [*self.found], self.new_walks()
        for number in self.numbers():
            walk = new_walk()
            form = with_lists_at_once(form, walk.arrays_run_over, number)
            form = with_lists_lengthened(form, walk.arrays_run_over, number)
            try:
                facts = walk.run(form, self.kinds, self.lifted)
                self.noted.first_trips |= facts.none_first
                leave_out_what_cancels(form, facts, walk.cancelled)
            except StartAgain as needed:
                self.noted.first_trips |= walk.facts.none_first
                if isinstance(needed, (FilledHere, GivenAsRecords)) and needed.anew:
                    form = first = rewritten_anew(first, needed, number)
                    self.found, self.bound, new_walk = [*refused], {}, self.new_walks()
                elif isinstance(needed, StartAnew):
                    form, self.found, self.bound, new_walk = first, [*refused], {}, self.new_walks()
                    new_walk().learn_from(walk)
                else:
                    form = rewritten(form, needed, number)
                continue
            self.noted.methods |= facts.methods_read
            if form is first:
                self.noted.ways |= ways_known(form, facts)
            if walk.takes_for:
                self.found += facts.refusals.values()
                form = without_what_is_taken(form)
                continue
            if self.callee or facts.result is None:
                walk.read_final_state(form)
            self.found += facts.refusals.values()
            self.bound |= _entries_bound(facts, walk)
            plainer = None if facts.not_followed else self.plainer(form, facts, number)
            if plainer is None and facts.bound_anew:
                plainer = self.with_names_given(form, facts, number)
            if plainer is None:
                facts.inside |= elements_inside(form, facts)
                return form, walk
            form = plainer
        return None

    def numbers(self) -> Iterator[int]:
        """One for each pass, as long as there may be another."""
        for number in range(MOST_PASSES):
            if self.found and number > MOST_OF_REFUSED:
                return
            yield number

    def new_walks(self) -> Callable[[], Inference]:
        new_walk = self.walks()
        if self.apart:
            tell_apart(new_walk())
        return new_walk

    def plainer(self, form: ir.Function, facts: Facts, number: int) -> ir.Function | None:
        """The function with more taken apart; None where nothing is left to do."""
        asking = with_integers_asked(form, facts, number)
        if asking is not None:
            return asking
        self.found += (*made_early(form, facts), *disturbed_loops(form, facts))
        taken_apart, changed, refusals = extract(form, facts)
        self.found += refusals
        if changed:
            return taken_apart
        apart = self.with_trips_apart(form, facts)
        if apart is not None:
            return apart
        replaced, refusals = resolve_aliases(form, facts)
        if (refusals or facts.late) and self.before_turns is not None:
            (form, self.found), self.before_turns = self.before_turns, None
            return form
        if self.given_names:
            refusals = [Refusal(self.written_and_bound(), refusal.node) for refusal in refusals]
        self.found += [*facts.late, *refusals]
        plainer = replaced or with_exchanges(form, facts)
        if plainer is None:
            plainer, refusals = without_field_names(form, facts)
            self.found += refusals
        return plainer or with_operands_asked(form, facts)

    def with_names_given(self, form: ir.Function, facts: Facts, number: int) -> ir.Function | None:
        """The function in which nothing binds the parameters that are written to; None where nothing did before."""
        names = [name for name in facts.bound_anew if name not in self.given_names]
        if not names:
            shown = " and ".join(f"'{self.shown(name)}'" for name in facts.bound_anew)
            self.found.append(Refusal(_LEFT.format(shown), origin_of(form.body[-1]).node))
            return None
        self.given_names |= set(names)
        return with_given_names(form, names, number)

    def with_trips_apart(self, form: ir.Function, facts: Facts) -> ir.Function | None:
        """The function whose trips write to arrays of their own; once, as it is taken back where that does not help."""
        apart = None if self.turns_tried else with_trips_apart(form, facts)
        if apart is not None:
            self.before_turns, self.turns_tried = (form, [*self.found]), True
        return apart

    def written_and_bound(self) -> str:
        """What is said of parameters that are written to, and bound to another array, in ways that are not followed."""
        shown = sorted(map(self.shown, self.given_names))
        names = " and ".join(f"'{name}'" for name in shown)
        return (
            f"{names}: written to and bound to another array, so that it is not known which is which: "
            f"write into the array that is there, {shown[0]}[:] = v"
        )

    def shown(self, name: str) -> str:
        """A parameter, or what of a container it is, as the user writes it."""
        forms = (
            {} if self.lifted is None else {value: form for value, _, form in self.lifted.displays}
        )
        for (container, key), entry in self.bound.items():
            if entry.element == name:
                form, owner = forms.get(container), ir.base_name(container)
                is_attribute = form is not None and form.is_object
                return f"{owner}.{key}" if is_attribute else f"{owner}[{key!r}]"
        return ir.base_name(name)


def in_two_tries(passes: Passes, form: ir.Function) -> tuple[Passes, Settled | None]:
    """The passes that settle a function: constants are told apart, too, where that may help."""
    others = replace(passes, found=[*passes.found], bound={}, given_names=set(), apart=True)
    settled, varies = passes.settled(form), any(kind.active for kind in passes.kinds)
    if settled is None or not (
        varies and is_looked_at_again(settled[1], passes.found != others.found)
    ):
        return passes, settled
    again = others.settled(form)
    if again is None or others.found or not _is_complete(again[0]):
        return passes, settled
    return (others, again) if passes.found or not are_sought(again[1]) else (passes, settled)


def _is_complete(form: ir.Function) -> bool:
    """Whether all that is read has a value: a dict of constants that is told apart is no longer there as a whole."""
    lines = list(ir.walk_statements(form.body))
    values = {*form.parameters, *(name for line in lines for name in ir.defined_names(line))}
    return all(n in values for line in lines for n in ir.mentioned(line) if ir.is_value(n))


def _entries_bound(facts: Facts, walk: Inference) -> dict[tuple[str, Hashable], BoundEntry]:
    """What the walk has found to be stored to the containers that were given."""
    bound = {}
    for (container, key), element in facts.bound_entries.items():
        kind = walk.env.kinds.get(container)
        position = kind.position(key) if isinstance(kind, Tup) else None
        if isinstance(kind, Tup) and position is not None:
            item = kind.items[position]
            if (
                isinstance(item, Tup) and item.is_counted
            ):  # given back by the elements, where these have names
                item = facts.marked(element, item)
            bound[container, key] = BoundEntry(container, key, element, item)
    return bound
