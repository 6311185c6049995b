"""From an analysed function to generated ones: gradient, or forward and adjoint."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.function_objects import FunctionObjects
from tangentish.adjoint.heads import results_with_heads
from tangentish.adjoint.memory_read import memory_read
from tangentish.adjoint.pair import Pair
from tangentish.adjoint.parts import Parts, Wanted
from tangentish.adjoint.read_by_places import read_by_places
from tangentish.adjoint.result_forms import display, form_of_result
from tangentish.adjoint.shared_tapes import share_tapes
from tangentish.adjoint.structures import Structure
from tangentish.adjoint.walked_tapes import read_by_numbers
from tangentish.analysis.reached import Analysis, Program
from tangentish.asking.asked import Asked
from tangentish.asking.into import Filling, filled
from tangentish.folding.put_back import without_put_back
from tangentish.folding.readable import readable
from tangentish.generation.both_ways import build_parts
from tangentish.generation.halves import Halves
from tangentish.generation.saved_copies import unpacked
from tangentish.generation.shared import Shared
from tangentish.generation.used import joined
from tangentish.generation.writer import SAVED, Writer
from tangentish.infer import UserCall
from tangentish.ir.needed import read_before_set
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant
from tangentish.ir.stems import stem_of
from tangentish.kinds import Kind, Known, Num, Seq, Tup
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.kinds.seen_outside import canonical, kind_key
from tangentish.recording.entry_copies import copies_on_entry
from tangentish.recording.unset import assigned, checked, set_to_nothing


class ListsKept(Exception):
    """What a function that calls itself saves holds lists, though its own text was made as if it did not."""


@dataclass(eq=False)
class Generated:
    call: Any
    text: str
    given: tuple[str, ...] = ()  # the parameters that bring the arrays for the gradients
    halves: Halves | None = None


@dataclass
class Generator:
    """Generates the functions of one program; callees once for each set of kinds."""

    program: Program
    pairs: dict[Hashable, Pair] = field(default_factory=dict)
    places: dict[Hashable, frozenset[int]] = field(default_factory=dict)  # by_places, of callees
    reading: list[tuple[Hashable, Analysis]] = field(
        default_factory=list
    )  # whose places are not settled
    writer: Writer = field(default_factory=Writer)
    texts: list[str] = field(default_factory=list)
    # of the pairs made last: whether they save containers, lists, memory, and anything at all
    keeps: list[tuple[bool, bool, frozenset[int] | None, bool]] = field(default_factory=list)
    asked_for: set[Pair] = field(default_factory=set)  # by who calls them
    pulled: bool = False  # whether a pullback is made
    copies_objects: bool = False  # whether each call of it needs copies of objects, too

    def __post_init__(self) -> None:
        self.objects = FunctionObjects(self.program)
        self.shared = Shared(self.writer)

    # -- entry points

    def joint(
        self, analysis: Analysis, asked: Asked, name: str, structure: Structure | None = None
    ) -> Generated:
        """Forward pass and adjoint in one function."""
        with_value = asked.mode == "value_and_grad"
        wanted = Wanted(
            asked.wrt,
            aux=asked.has_aux,
            with_value=with_value,
            head=asked.head,
            noting=asked.noting,
            together=asked.noting is None and asked.filling is None,
            filled=asked.filling is not None,
        )
        parts = self.parts(analysis, _of_structure(wanted, structure))
        given: list[str] = []
        if asked.filling is not None:
            parts, given = _filled(asked.filling, parts, asked.wrt, structure)
        gradient = ir.Return(tuple(parts.gradients), not asked.single, NOWHERE)
        outputs = self.outputs(parts, gradient, with_value, asked.has_aux)
        copies = copies_on_entry(analysis) if structure is None else ()
        body = (*copies, *parts.forward, ir.Comment(""), *parts.adjoint, outputs)
        extra = [*parts.heads, *((value, constant(None)) for value in given)]
        text, call = self.writer.function(name, analysis, body, extra)
        names = last_parameters(call, len(given))
        return Generated(call, joined([text, *self.texts, *self.writer.texts_shown], [text]), names)

    def parts(self, analysis: Analysis, wanted: Wanted) -> Parts:
        """Forward pass and adjoint of a function."""
        parts = readable(build_parts(analysis, wanted, self.pair, self.program.inside))
        if not wanted.defaults:  # of a function that what is saved is given to
            parts = read_by_numbers(parts)
        parts = share_tapes(parts)
        adding = {f"${p.adjoint}" for p in self.pairs.values() if p.only_adds}
        return replace(parts, adjoint=without_put_back(parts.adjoint, adding))

    def outputs(
        self, parts: Parts, gradient: ir.Return, with_value: bool, has_aux: bool
    ) -> ir.Return:
        gradients: Any = gradient.values[0]
        if gradient.is_tuple:
            gradients = gast.Tuple(list(gradient.values), gast.Load())
        if not with_value and not has_aux:
            return gradient
        form = form_of_result(parts.analysis.function)
        value, *aux = parts.values if form is None else display(form, parts.values).elts
        others = aux[0] if len(aux) == 1 else gast.Tuple(aux, gast.Load())
        if has_aux and with_value:
            return ir.Return((gast.Tuple([value, others], gast.Load()), gradients), True, NOWHERE)
        if has_aux:
            return ir.Return((gradients, others), True, NOWHERE)
        return ir.Return((_result(parts), gradients), True, NOWHERE)

    def pullback(
        self, analysis: Analysis, wrt: Sequence[int], structure: Structure | None = None
    ) -> Generated:
        """(value, pullback): the pullback works on what the forward pass saved, and changes none of it."""
        self.pulled = True
        wanted = _of_structure(Wanted(tuple(wrt), with_value=True, defaults=False), structure)
        stem = analysis.function.name
        names = f"{stem}_forward", f"{stem}_adjoint"
        copies = copies_on_entry(analysis) if structure is None else ()
        forward, adjoint = self.pair_functions(analysis, wanted, copies, names)
        count = len(analysis.function.parameters if structure is None else structure.names)
        form = form_of_result(analysis.function)
        several = form is not None or ir.returns_tuple(analysis.function)
        halves = Halves(forward, adjoint, tuple(wrt), count, several, form, self.copies_objects)
        text = joined([*self.texts, *self.writer.texts_shown], self.texts[-2:])
        return Generated(halves.linearised, text, halves=halves if halves.plain else None)

    # -- callees

    def pair(self, user: UserCall, places: Set[int] = frozenset(), caught: bool = False) -> Pair:
        """The names of a callee's forward and adjoint functions, generated at the first call.

        places: the parameters to whose gradients the adjoint may add in place, here.
        caught: those who call the caller may catch what is raised.
        """
        caught = caught or user.caught
        kinds, _ = canonical(user.kinds)
        analysis = self.program.analyse(user.function, kinds, callee=True)
        added = self.by_places(user) & places if places else frozenset()
        key = (user.function, tuple(map(kind_key, kinds)), added, caught)
        if key in self.pairs:
            self.asked_for.add(self.pairs[key])
            return self.pairs[key]
        stem = stem_of(user.function.__name__)
        forward, adjoint = self.writer.free(f"{stem}_forward", f"{stem}_adjoint")
        dropped = self.objects.dropped(analysis)
        active = tuple(
            k
            for k, kind in enumerate(analysis.kinds)
            if k not in dropped and self.matters(kind, k, analysis)
        )
        written = tuple(k for k in analysis.written if k in active)
        heads = results_with_heads(analysis.function, analysis.facts)
        assumed = self.program.lists_kept
        given = tuple(k for k in active if k in added)
        pair = Pair(forward, adjoint, active, written, given, heads, dropped, keeps_lists=assumed)
        self.pairs[key] = pair
        wanted = Wanted(
            active, pair.in_and_out, with_value=not ir.is_procedure(analysis.function),
            defaults=False, callee=True, added=given, caught=caught,
        )  # fmt: skip
        functions = self.pair_functions(analysis, wanted, (), (forward, adjoint), pair)
        for name, function in zip((forward, adjoint), functions, strict=True):
            self.writer.cells[name].cell_contents = function
        containers, lists, memory, saves = self.keeps.pop()
        if lists and not assumed and pair in self.asked_for:
            raise ListsKept
        forward, adjoint = self.shared.once(user.function, (forward, adjoint), self.texts)
        self.pairs[key] = replace(
            pair, forward=forward, adjoint=adjoint,
            keeps_containers=containers, keeps_lists=lists, reads_memory_of=memory, saves=saves,
        )  # fmt: skip
        return self.pairs[key]

    def by_places(self, user: UserCall) -> frozenset[int]:
        """The parameters of a callee of which it reads places only.

        While functions that call each other are read these are any at first, and less until nothing changes.
        """
        kinds, _ = canonical(user.kinds)
        key = (user.function, tuple(map(kind_key, kinds)))
        if key not in self.places:
            self.places[key] = frozenset(range(len(kinds)))
            self.reading.append((key, self.program.analyse(user.function, kinds, callee=True)))
            if len(self.reading) == 1:
                self.settle_places()
        return self.places[key]

    def settle_places(self) -> None:
        changed = True
        while changed:
            changed = False
            for key, analysis in self.reading:  # which becomes longer
                found = read_by_places(analysis, self.by_places)
                changed |= found != self.places[key]
                self.places[key] = found
        self.reading.clear()

    def matters(self, kind: Kind, k: int, analysis: Analysis) -> bool:
        if isinstance(kind, Tup):
            return False
        takes_part = (
            isinstance(kind, Num) and kind.is_float and any(x.active for x in analysis.kinds)
        )
        holds = isinstance(analysis.facts.web_kinds[analysis.function.parameters[k]], Seq)
        takes_part |= holds and any(x.active for x in analysis.facts.web_kinds.values())
        return kind.active or (k in analysis.written and takes_part)

    def pair_functions(
        self,
        analysis: Analysis,
        wanted: Wanted,
        copies: ir.Block,
        names: tuple[str, str],
        pair: Pair | None = None,
    ) -> tuple[Any, Any]:
        """The functions forward(*args) -> (result, saved) and adjoint(saved, *heads) -> gradients.

        Without what is saved, if that is nothing; those of a pullback, and of a recursion, have it all the same.
        """
        parts = self.parts(analysis, wanted)
        saved = _read_of_forward(parts)
        containers = parts.keeps_containers or any(map(analysis.facts.is_container, saved))
        parameters = set(analysis.function.parameters)
        if wanted.structure is not None:
            parameters |= set(wanted.structure.lifted.shown or ())
        unset = sorted(set(saved) - assigned(parts.forward) - parameters)
        saved += self.outer_values(analysis, parts)
        saves = bool(saved) or pair is None or pair in self.asked_for
        if pair is None and self.pulled and parts.restored:
            self.copies_objects = any(map(parts.may_be_object, saved))
        lists, memory = any(map(parts.holds_lists, saved)), memory_read(parts, saved)
        self.keeps.append((containers, lists, memory, saves))
        result = _result(parts) if wanted.with_value else constant(None)
        kept = gast.Tuple([ir.name(n) for n in saved], gast.Load())
        gives = ir.Return((result, kept), True, NOWHERE) if saves else _alone(result)
        ends = (gives,) if saves or wanted.with_value else ()
        facts = analysis.facts
        nothing = (set_to_nothing(n, facts) for n in unset)
        steps = _read_at_the_end(checked(parts.forward, facts, unset), ends)
        body = _given_at_once((*copies, *nothing, *steps, *ends))
        dropped = self.objects.dropped(analysis)
        forward_text, forward = self.writer.function(names[0], analysis, body, [], dropped)
        named = self.writer.named[names[0]]
        gradients = ir.Return(tuple(parts.gradients), len(parts.gradients) != 1, NOWHERE)
        body = (*self.unpacked(parts, saved, unset), *parts.adjoint, gradients)
        heads = [SAVED] * saves + [value for value, _ in parts.heads]
        known = {value: named[value] for value in saved if value in named}
        adjoint_text, adjoint = self.writer.adjoint(names[1], analysis, body, heads, known)
        self.texts += [forward_text, adjoint_text]
        return forward, adjoint

    def outer_values(self, analysis: Analysis, parts: Parts) -> list[str]:
        """Globals and closures that the adjoint reads: it gets the values that the forward pass saw."""
        source = analysis.source
        names = {n for s in ir.walk_statements(parts.adjoint) for n in ir.mentioned(s)}
        names.update(n for e in parts.gradients for n in ir.names_in(e))
        free = [n for n in sorted(names) if not ir.is_value(n) and not n.startswith("$")]
        outer = [n for n in free if source.where(n) in ("global", "closure")]
        return [n for n in outer if not isinstance(kind_of(source.lookup(n)), Known)]

    def unpacked(self, parts: Parts, saved: Sequence[str], unset: Sequence[str]) -> ir.Block:
        """What the forward pass saved; what the adjoint changes is copied first."""
        if not saved:
            return ()
        tapes = {name for slot, name in parts.slots.items() if slot.tape} - parts.walked
        own = replace(parts, restored=()) if self.copies_objects else parts
        return unpacked(saved, tapes, own, unset)


def _of_structure(wanted: Wanted, structure: Structure | None) -> Wanted:
    """Gradients with respect to parameters are those of their leaves."""
    if structure is None:
        return wanted
    leaves = structure.positions(wanted.wrt)
    return replace(wanted, wrt=leaves, structure=structure, parameters=wanted.wrt)


def _filled(
    filling: Filling, parts: Parts, wrt: Sequence[int], structure: Structure | None
) -> tuple[Parts, list[str]]:
    """The parts with an adjoint that fills given arrays, and the values that bring these."""
    entry, values = parts.analysis.facts.entry, parts.analysis.function.parameters
    leaves = wrt if structure is None else structure.positions(wrt)
    names = [ir.base_name(v) for v in values] if structure is None else structure.names
    kinds = [entry[values[k]] for k in leaves]
    made = filled(filling, parts.adjoint, parts.gradients, [names[k] for k in wrt], kinds)
    return replace(parts, adjoint=made.block, gradients=made.gradients), made.parameters


def last_parameters(call: Any, count: int) -> tuple[str, ...]:
    """The names of the last parameters of a generated function."""
    if not count:
        return ()
    parameters = inspect.signature(call).parameters.values()
    return tuple(p.name for p in parameters if p.kind is not p.VAR_KEYWORD)[-count:]


def _result(parts: Parts) -> Any:
    """What the function itself returns."""
    if ir.returns_tuple(parts.analysis.function):
        return gast.Tuple(parts.values, gast.Load())
    return parts.values[0] if parts.values else constant(None)


def _given_at_once(block: ir.Block) -> ir.Block:
    """Line by line: `y = e; return y` is `return e`."""
    match block:
        case (
            *before,
            ir.Assign(gast.Name(id=name), value),
            ir.Return((gast.Name(id=given),), False),
        ):
            if name == given:
                return (*before, ir.Return((value,), False, NOWHERE))
    return block


def _read_at_the_end(block: ir.Block, ends: ir.Block) -> ir.Block:
    """Without lines at the end that only read a name, which raises where it has no value: the return reads it, too."""
    given = {n for s in ends for n in ir.mentioned(s)}
    match block:
        case (*before, ir.Do(gast.Expr(value=gast.Name(id=name)))) if name in given:
            return _read_at_the_end(tuple(before), ends)
    return block


def _alone(result: Any) -> ir.Return:
    """What a forward function that saves nothing returns."""
    values = tuple(result.elts) if isinstance(result, gast.Tuple) else (result,)
    return ir.Return(values, isinstance(result, gast.Tuple), NOWHERE)


def _read_of_forward(parts: Parts) -> list[str]:
    """The values that the adjoint reads and does not set or receive itself: by name, then as they are set."""
    gradients = ir.Return(tuple(parts.gradients), True, NOWHERE)
    needed = read_before_set((*parts.adjoint, gradients)) - {value for value, _ in parts.heads}
    lines = ir.walk_statements(parts.forward)
    set_in_turn = dict.fromkeys(name for line in lines for name in ir.defined_names(line))
    places = {value: place for place, value in enumerate(set_in_turn)}
    return sorted(needed, key=lambda v: (ir.base_name(v), places.get(v, -1), v))
