"""One function's forward pass and adjoint: generated, pruned, folded, with slots lowered to tapes and locals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis import Analysis
from tangentish.changed_containers import check_containers
from tangentish.copied_views import copied, spared, views_to_copy
from tangentish.direct import add_directly
from tangentish.droppable import is_droppable
from tangentish.entry_copies import copies_on_entry
from tangentish.expressions import is_name
from tangentish.fold import fold
from tangentish.forward_liveness import prune_forward
from tangentish.fresh import is_new
from tangentish.function_objects import kept_with
from tangentish.gathered import gather
from tangentish.gradients import Grad, gradient_of, without_memory
from tangentish.idle_saves import idle_slots, without_slots
from tangentish.infer import Callee, UserCall
from tangentish.joined_tapes import join_tapes
from tangentish.kinds import Kind, Known, Num, Seq, replace, scalar
from tangentish.late_saves import saved_when_set
from tangentish.lengths import same_shape
from tangentish.liveness import prune_adjoint
from tangentish.needed import read_before_set
from tangentish.new_values import read_in_place
from tangentish.noting import Noting
from tangentish.origins import NOWHERE
from tangentish.pair import Pair
from tangentish.quote import constant, quote
from tangentish.quotients import by_quotients
from tangentish.record import Record
from tangentish.renamed import without_other_names
from tangentish.reverse import Reverse
from tangentish.rules import Rule
from tangentish.saving import Saves
from tangentish.set_places import set_places
from tangentish.slots import lower_slots
from tangentish.structures import Structure
from tangentish.sugar import over_elements
from tangentish.sunk import sink
from tangentish.unset import assigned, checked, set_to_nothing, unsure_results
from tangentish.whole_trips import whole_trips

__all__ = ["Parts", "Wanted", "build_parts", "returned_where_computed"]

NO_NAMES: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class Wanted:
    """What is asked of a function's derivative.

    wrt: the parameters whose gradients are returned.
    written: of these, the ones whose gradient is handed in and out (the function writes to them).
    aux: only the first result has a gradient.
    with_value: the results are needed; with `aux`, those beside the first one are in any case.
    defaults: the head gradients have defaults.
    head: a caller may give the head gradient of an array, whose shape is looked at.
    callee: it is called from generated code, which gives no gradient of a result that carries none.
    structure: the arguments were taken apart: `wrt` are leaves of `parameters`.
    noting: every value and gradient is noted.
    """

    wrt: tuple[int, ...]
    written: tuple[int, ...] = ()
    aux: bool = False
    with_value: bool = False
    defaults: bool = True
    head: bool = False
    callee: bool = False
    structure: Structure | None = None
    parameters: tuple[int, ...] = ()
    noting: Noting | None = None

    def handed_out(self, values: list[Any]) -> list[Any]:
        """Of the results, the last ones: those that are needed."""
        return values if self.with_value else values[1:] if self.aux else []


@dataclass(eq=False)
class Parts:
    """A function's forward pass and adjoint, ready to be put into functions."""

    analysis: Analysis
    forward: ir.Block
    adjoint: ir.Block
    slots: dict[ir.Slot, str]
    heads: list[tuple[str, Any]]
    gradients: list[Any]
    values: list[Any]
    restores_memory: bool
    keeps_containers: bool = False  # in what its callees save
    walked: frozenset[str] = frozenset()  # tapes that the adjoint leaves as they are


def build_parts(analysis: Analysis, wanted: Wanted, pair_of: Callable[[UserCall], Pair]) -> Parts:
    """Forward pass and adjoint of one function; `pair_of` names the functions of its callees."""
    function, facts = analysis.function, analysis.facts
    pairs: dict[Any, Pair] = {}

    def pair(user: UserCall, node: Any) -> Pair:
        pairs[node] = pair_of(user)
        return pairs[node]

    reverse = Reverse(
        facts, analysis.walk, saves=Saves(function, facts), pair=pair, noting=wanted.noting
    )
    heads = _Heads(reverse, function, wanted)
    heads.take_up()
    body = reverse.block(function.body)
    gradients, epilogue = _final_gradients(reverse, function, wanted.wrt)
    forward = Record(reverse, pairs, reverse.made_slots).block(
        _without_return(function.body), function.body
    )
    read = frozenset(n for g in gradients for n in ir.names_in(g))
    whole = (*heads.prologue, *body, *epilogue)

    def pruned(copies: frozenset[str] = NO_NAMES) -> tuple[ir.Block, frozenset[str], set[ir.Slot]]:
        return prune_adjoint(
            whole,
            read,
            lambda name: NO_NAMES if name in copies else facts.sites(name),
            reverse.saves.own_memory,
            reverse.is_list,
            reverse.saves.is_whole,
            lambda name: facts.web_kinds.get(reverse.behind.get(name, name)),
        )

    adjoint, later, slots = pruned()
    views = views_to_copy(slots, reverse.saves, facts)
    if views:
        with_copies = pruned(views)
        if spared(slots, with_copies[2], views, facts):
            adjoint, later, slots = with_copies
            forward = copied(forward, views)
    keeping = [call for call, p in pairs.items() if p.keeps_containers]
    check_containers(adjoint, function, facts, reverse.temporaries, keeping, analysis.source)
    values = list(results_of(function))
    forward = (*forward, *unsure_results(values, facts))
    handed_out = wanted.handed_out(values)
    if handed_out:
        kept, keep = _kept_values(reverse, handed_out, slots, joint=wanted.defaults)
        values[len(values) - len(kept) :] = kept
        forward = (*forward, *keep)
        later |= frozenset(n for v in kept for n in ir.names_in(v))
    again = reverse.raised_again(adjoint)
    while True:
        forward = prune_forward(
            forward,
            later,
            slots,
            lambda s, caught: is_droppable(s, facts, caught, again),
            kept_with(facts),
        )
        idle = idle_slots(forward, adjoint)
        if not idle:
            break
        forward, adjoint = without_slots(forward, idle), without_slots(adjoint, idle)
        slots, later = slots - idle, later | {slot.name for slot in idle}
    forward, adjoint = whole_trips(forward, adjoint, gradients)
    forward, adjoint = saved_when_set(forward, adjoint, (*gradients, *values))
    adjoint = set_places(
        read_in_place(adjoint, reverse.kept_new),
        lambda name: _is_array(reverse, name),
        reverse.kind,
    )
    owning = {f"${p.adjoint}" for p in pairs.values() if not p.written}
    adjoint = gather(fold(adjoint, gradients), lambda name: _is_summed(reverse, name), reverse.kind)
    adjoint, gradients = without_other_names(
        fold(adjoint, gradients),
        gradients,
        lambda e: _is_own(e, owning),
        {value for value, _ in heads.parameters},
    )
    adjoint = add_directly(
        adjoint,
        lambda name, place: _is_place_of(reverse, name, place),
        lambda index: _is_integer(reverse.kind(index)),
    )
    adjoint = by_quotients(forward, adjoint, (*gradients, *values))
    forward, adjoint = sink(
        forward,
        adjoint,
        (*gradients, *values),
        lambda s: is_droppable(s, facts),
        lambda call: _is_known(facts.callees.get(call)),
        lambda name: _is_fixed(reverse, name),
        frozenset(function.parameters) if wanted.defaults else None,
    )
    gradients, adjoint = returned_where_computed(gradients, adjoint)
    forward, names = lower_slots(_with_shapes(reverse, forward, adjoint), {})
    adjoint, names = lower_slots(adjoint, names)
    tapes = [name for slot, name in names.items() if slot.tape]
    forward, adjoint, joined = join_tapes(forward, adjoint, tapes)
    names = {slot: joined.get(name, name) for slot, name in names.items()}
    forward = (*_empty_tapes(names), *over_elements(forward))
    memory = any(slot.content for slot in slots)
    parts = Parts(
        analysis,
        forward,
        adjoint,
        names,
        heads.parameters,
        gradients,
        values,
        memory,
        bool(keeping),
    )
    return parts if wanted.structure is None else _as_structured(parts, wanted, wanted.structure)


def _is_array(reverse: Reverse, name: str) -> bool:
    """Whether a name is the gradient of an array or scalar, not of a list."""
    return isinstance(reverse.facts.web_kinds.get(reverse.behind.get(name, name)), Num)


def _is_summed(reverse: Reverse, name: str) -> bool:
    """Whether a sum has the type that a gradient has which is added to in place."""
    kind = reverse.facts.web_kinds.get(name)
    if not isinstance(kind, Num):
        return False
    return kind.is_scalar or (kind.dtype == np.dtype(float) and not reverse.mixed)


def _is_known(callee: Callee | None) -> bool:
    """Whether a function has a rule, and no effects."""
    return callee is not None and callee.user is None and isinstance(callee.rule, Rule)


def _is_fixed(reverse: Reverse, name: Any) -> bool:
    """Whether a name is one of generated code, or of a module, function or constant outside."""
    if name.id.startswith("$"):
        return True
    return not ir.is_value(name.id) and isinstance(reverse.kind(name), Known)


def _is_integer(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.is_scalar and kind.dtype == np.dtype(int)


def _is_place_of(reverse: Reverse, name: str, place: Any) -> bool:
    """Whether a place of a gradient is that of the view which another gradient belongs to."""
    facts, root = reverse.facts, ir.root_of(place)
    view, array = reverse.behind.get(name), reverse.behind.get(root.id)
    paths = list(facts.paths.get(view, ())) if view is not None else []
    if len(paths) != 1 or view in facts.pathless or array is None or reverse.is_list(array):
        return False

    def change(node: Any) -> Any:
        return root if is_name(node, array) else None

    return bool(gast.dump(ir.copy_expression(paths[0], change)) == gast.dump(place))


def _is_own(e: Any, owning: set[str]) -> bool:
    """Whether what a line computes lies in memory of its own."""
    match e:
        case gast.Constant():
            return True
        case gast.Call(func=gast.Name(id=name)) if name in owning:
            return True
    return is_new(e, lambda _: False)


def _as_structured(parts: Parts, wanted: Wanted, structure: Structure) -> Parts:
    """The elements of the arguments as the user writes them, their gradients in the arguments' structure."""
    leaves = dict(zip(wanted.wrt, parts.gradients, strict=True))
    gradients = structure.gathered(leaves, wanted.parameters)
    results: ir.Block = tuple(ir.Return((e,), False, NOWHERE) for e in (*gradients, *parts.values))
    copies = copies_on_entry(parts.analysis)
    forward, adjoint, results = structure.shown(copies, parts.forward, parts.adjoint, results)
    shown = [e for line in results if isinstance(line, ir.Return) for e in line.values]
    count = len(gradients)
    return replace(
        parts, forward=forward, adjoint=adjoint, gradients=shown[:count], values=shown[count:]
    )


def _with_shapes(reverse: Reverse, forward: ir.Block, adjoint: ir.Block) -> ir.Block:
    """The forward pass, in which all that zeros take their shapes from has a value, if only None."""
    facts = reverse.facts
    missing = reverse.zeros - facts.entry.keys() - assigned(forward)
    missing = missing & read_before_set(adjoint) if missing else missing
    nothing = (set_to_nothing(name, facts) for name in sorted(missing))
    return (*nothing, *checked(forward, facts, missing))


def results_of(function: ir.Function) -> tuple[Any, ...]:
    last = function.body[-1] if function.body else None
    return last.values if isinstance(last, ir.Return) else ()


def is_procedure(function: ir.Function) -> bool:
    """Whether the function itself returns nothing."""
    last = function.body[-1] if function.body else None
    return not isinstance(last, ir.Return) or last.origin.node is None


def _without_return(block: ir.Block) -> ir.Block:
    return block[:-1] if block and isinstance(block[-1], ir.Return) else block


def _empty_tapes(names: dict[ir.Slot, str]) -> ir.Block:
    tapes = dict.fromkeys(name for slot, name in names.items() if slot.tape)
    return tuple(ir.Assign(ir.name(name), gast.List([], gast.Load()), NOWHERE) for name in tapes)


# -------------------------------------------------------------------------------- head gradients


@dataclass
class _Heads:
    """The parameters that bring the gradients of the results, and the lines that take them up."""

    reverse: Reverse
    function: ir.Function
    wanted: Wanted
    parameters: list[tuple[str, Any]] = field(default_factory=list)  # value, default
    prologue: ir.Block = ()

    def take_up(self) -> None:
        reverse = self.reverse
        results = self.results()
        lines = [line for value in results for line in self.result(value, results)]
        for k in self.wanted.written:
            self.argument(self.function.parameters[k])
        reverse.out = lines
        reverse.flush(set())
        self.prologue, reverse.out = tuple(reverse.out), []

    def results(self) -> tuple[Any, ...]:
        values = results_of(self.function)
        if self.wanted.aux:
            return values[:1]
        if self.wanted.callee and is_procedure(self.function):
            return ()  # its arrays bring their gradients
        if self.wanted.callee and not any(self.reverse.kind(v).active for v in values):
            return ()
        return values

    def result(self, value: Any, values: tuple[Any, ...]) -> list[ir.Statement]:
        """The head gradient of one result: the gradient of its name, where no other has that name."""
        reverse, name = self.reverse, value.id
        inside = {self.function.parameters[k] for k in self.wanted.written}
        alone = name not in inside and sum(v.id == name for v in values) == 1
        head = gradient_of(name) if alone else reverse.fresh("dy")
        if isinstance(reverse.kind(value), Seq):
            return self.listed(value, head)
        kind = self.kind_of_head(reverse.number(value))
        lines = self.default(head, value, kind)
        reverse.facts.web_kinds[head] = kind
        if not reverse.kind(value).active:
            return lines
        if alone:
            reverse.state[name] = Grad(kind, False)
        else:
            reverse.pending.append((name, None, reverse.named(head, kind)))
        return lines

    def listed(self, value: Any, head: str) -> list[ir.Statement]:
        """The head gradient of a list, which the walk back takes elements out of."""
        reverse, kind = self.reverse, without_memory(self.reverse.kind(value))
        self.parameters.append((head, constant(None)))
        reverse.facts.web_kinds[head] = kind
        if not kind.active:
            return []
        reverse.pending.append((value.id, None, reverse.named(head, kind)))
        return []

    def kind_of_head(self, kind: Num) -> Num:
        if kind.is_scalar and self.wanted.defaults:
            return scalar(active=True)
        shape = None if kind.array is None else kind.shape
        return replace(
            kind, active=True, buffers=frozenset(), value=None, contiguous=False, shape=shape
        )

    def default(self, head: str, value: Any, kind: Num) -> list[ir.Statement]:
        """1.0 for a scalar, ones for an array."""
        if kind.is_scalar or not self.wanted.defaults:
            self.parameters.append((head, constant(1.0 if kind.is_scalar else None)))
            return []
        self.parameters.append((head, constant(None)))
        d = ir.name(head)
        if self.wanted.head:
            given = quote("head_like({d}, {y})", d=d, y=self.like(value))
            return [ir.Assign(d, given, NOWHERE)]
        ones = ir.Assign(d, quote("np.ones_like({y})", y=self.like(value)), NOWHERE)
        return [ir.If(quote("{d} is None", d=d), (ones,), (), NOWHERE)]

    def like(self, value: Any) -> Any:
        """What has the shape and type of a result: an argument, so that the result need not be kept."""
        kind = self.reverse.number(value)
        for p in self.function.parameters:
            entry = self.reverse.facts.entry[p]
            if not (isinstance(entry, Num) and entry.array and kind.array):
                continue
            same = entry.dtype == kind.dtype and same_shape(entry.shape, kind.shape)
            if same and self.reverse.saves.is_persistent(p):
                return ir.name(p)
        return value

    def argument(self, p: str) -> None:
        """The gradient of an argument that the function writes to."""
        if self.reverse.is_list(p):
            self.parameters.append((gradient_of(p), None))
            self.reverse.begin_list(p, self.reverse.facts.web_kinds[p])
            return
        kind = self.reverse.value_kind(p)
        full = replace(kind, active=True, buffers=frozenset(), value=None, contiguous=False)
        self.parameters.append((gradient_of(p), None))
        self.reverse.state[p] = Grad(full, True)
        self.reverse.facts.web_kinds[gradient_of(p)] = full


# ------------------------------------------------------------------------ gradients and results


def _final_gradients(
    reverse: Reverse, function: ir.Function, wrt: Sequence[int]
) -> tuple[list[Any], ir.Block]:
    """Each gradient in full, an array of its own, with the dtype of its argument."""
    reverse.out = []
    gradients = []
    values = (*function.parameters, *reverse.facts.held)
    for p in (values[k] for k in wrt):
        kind = reverse.facts.entry.get(p) or reverse.facts.web_kinds[p]
        if p not in reverse.state:
            reverse.zero(p, kind)
        else:
            reverse.make_full(p, kind)
            reverse.make_own(p)
        gradients.append(_as_argument(reverse, p, kind))
    statements, reverse.out = tuple(reverse.out), []
    return gradients, statements


def _as_argument(reverse: Reverse, p: str, kind: Kind) -> Any:
    """A gradient with the type of its argument."""
    d = reverse.gradient(p)
    if not isinstance(kind, Num):
        return d
    unsure = reverse.mixed or (kind.is_scalar and not reverse.state[p].kind.is_scalar)
    if kind.weak:
        return quote("float({d})", d=d) if unsure and not reverse.walk.device else d
    narrow = kind.is_scalar and kind.dtype != np.dtype(float)
    return quote("cast({d}, {x})", d=d, x=ir.name(p)) if reverse.mixed or narrow else d


def _kept_values(
    reverse: Reverse, values: list[Any], slots: set[ir.Slot], joint: bool
) -> tuple[list[Any], list[ir.Statement]]:
    """Results that the adjoint overwrites are kept under another name; the adjoint of a pair copies what it changes.

    So the list that a function of a pair returns is the one that others know, too.
    """
    new: list[Any] = []
    lines: list[ir.Statement] = []
    bound = {s.name for s in slots if not s.content}
    memory = {site for s in slots if s.content for site in reverse.facts.sites(s.name)}
    for value in values:
        names = set(ir.names_in(value))
        overwritten = bool(memory & {site for n in names for site in reverse.facts.sites(n)})
        is_list = isinstance(reverse.kind(value), Seq)
        if not names & bound and not (overwritten and (joint or not is_list)):
            new.append(value)
            continue
        name = ir.name(reverse.fresh("value"))
        copy = (
            quote("copied({x})" if is_list else "np.copy({x})", x=value) if overwritten else value
        )
        lines.append(ir.Assign(name, copy, NOWHERE))
        new.append(name)
    return new, lines


def returned_where_computed(gradients: list[Any], adjoint: ir.Block) -> tuple[list[Any], ir.Block]:
    """`da = db * 2; return da` is `return db * 2`."""
    if len(gradients) != 1 or not adjoint:
        return gradients, adjoint
    match gradients[0], adjoint[-1]:
        case gast.Name(id=name), ir.Assign(gast.Name(id=assigned), value) if name == assigned:
            return [value], adjoint[:-1]
    return gradients, adjoint
