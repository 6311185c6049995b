"""From an analysed function to the one that takes tangents along, and those of its callees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.function_objects import (
    FunctionObjects,
    kept_with,
    stands_for_another,
    without_idle_functions,
)
from tangentish.adjoint.result_forms import display, form_of_result
from tangentish.adjoint.structures import Structure
from tangentish.algebra.droppable import is_droppable
from tangentish.algebra.tangents import tangent_of
from tangentish.analysis.before_roots import roots_of_clipped
from tangentish.analysis.masks_as_numbers import masks_as_numbers
from tangentish.analysis.reached import Analysis, Program
from tangentish.errors import refuse
from tangentish.folding.sugar import over_elements
from tangentish.generation.generate import Generated, last_parameters
from tangentish.generation.ones import ones_alike
from tangentish.generation.shared import Shared
from tangentish.generation.turned_round import TurningRound
from tangentish.generation.used import joined
from tangentish.generation.writer import Writer, surroundings
from tangentish.infer import Facts, UserCall
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.ir.stems import stem_of
from tangentish.kinds import Kind, Known, Num, Seq, is_function
from tangentish.kinds.seen_outside import canonical, kind_key
from tangentish.recording.entry_copies import copies_on_entry
from tangentish.recording.forward_liveness import prune_forward
from tangentish.recording.read_late import ReadLate
from tangentish.recording.unset import with_nothing
from tangentish.tangent.forward import Forward, TangentCallee
from tangentish.tangent.moving import Moving
from tangentish.text.names import unlike


@dataclass
class ForwardGenerator:
    """Generates the functions of one program; callees once for each set of kinds."""

    program: Program
    callees: dict[Hashable, TangentCallee] = field(default_factory=dict)
    writer: Writer = field(default_factory=Writer)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.objects = FunctionObjects(self.program)
        self.shared = Shared(self.writer)
        self.turning = TurningRound(self.program, self.writer, self.texts)

    def joint(
        self, analysis: Analysis, wrt: Sequence[int], structure: Structure | None = None
    ) -> Generated:
        """(value, tangent), given the arguments and the tangents of those that `wrt` names."""
        moving = _moving(wrt, structure)
        values, tangents, lines = self.body(analysis, moving)
        copies = _copies(analysis, moving)
        form = form_of_result(analysis.function)
        if form is not None:
            values, tangents = [display(form, values)], [display(form, tangents)]
        several = form is None and ir.returns_tuple(analysis.function)
        lines.append(_returned(values, tangents, several))
        block = _shown(structure, wrt, copies, lines)
        return self.along(f"{analysis.function.name}_jvp", analysis, wrt, structure, block)

    def along(
        self, name: str, analysis: Analysis, wrt: Sequence[int], structure: Structure | None,
        block: ir.Block,
    ) -> Generated:  # fmt: skip
        """The function, with a parameter for the tangent of each of those that `wrt` names."""
        names = structure.names if structure is not None else ()
        values = [f"{n}.0" for n in names] or analysis.function.parameters
        extra = [(tangent_of(values[k]), None) for k in wrt]
        text, call = self.written(name, analysis, block, extra)
        given = last_parameters(call, len(wrt))
        return Generated(call, joined([text, *self.texts, *self.writer.texts_shown], [text]), given)

    def slope(
        self, analysis: Analysis, wrt: Sequence[int], name: str, given: bool,
        structure: Structure | None = None,
    ) -> Generated:  # fmt: skip
        """The tangent alone, along ones unless tangents are given: its gradient is that of a gradient.

        It writes to its arguments as the function does, but to copies of arrays in structures.
        """
        facts, moving = analysis.facts, _moving(wrt, structure)
        _, (tangent,), lines = self.body(analysis, moving)
        returned = ir.Return((tangent,), False, NOWHERE)
        captured = kept_with(facts)
        kept = prune_forward(
            tuple(lines),
            frozenset(ir.names_in(tangent)),
            set(),
            lambda s, caught: is_droppable(s, facts, caught),
            captured,
            ReadLate(facts, captured),
        )
        kinds = [facts.entry[analysis.function.parameters[k]] for k in moving]
        entry = [] if given else _ones_on_entry(analysis, moving, kinds)
        tangents = wrt if given else ()
        own = structure is not None and _writes_to_arrays_only(analysis)
        copies = _copies(analysis, moving if given else ()) if own else ()
        block = _shown(structure, tangents, copies, [*entry, *kept, returned])
        return self.along(name, analysis, tangents, structure, block)

    def body(
        self, analysis: Analysis, wrt: Sequence[int]
    ) -> tuple[Sequence[Any], list[Any], list[ir.Statement]]:
        """The results, their tangents, and the lines that compute them."""
        form = analysis.function
        values = ir.results_of(form)
        forward = self.forward(analysis, values)
        lines = self.zeros_on_entry(forward, analysis, wrt)
        lines += forward.block(form.body)
        self.check(forward, analysis)
        return values, [forward.result_tangent(value, apart=True) for value in values], lines

    def forward(self, analysis: Analysis, results: Sequence[Any]) -> Forward:
        facts, form = analysis.facts, analysis.function
        wanted = [v.id for v in results] + [form.parameters[k] for k in analysis.written]
        needed = Moving(facts).needed(form, wanted)
        lists = [name for name in wanted if isinstance(facts.web_kinds.get(name), Seq)]
        return Forward(
            facts, analysis.walk, needed=needed, callee=self.callee, parameters=form.parameters,
            turned_round=self.turning.named, handed_out=frozenset().union(*map(facts.sites, lists)),
            steep=roots_of_clipped(form, facts, masks_as_numbers(form, facts)),
        )  # fmt: skip

    def zeros_on_entry(
        self, forward: Forward, analysis: Analysis, active: Sequence[int]
    ) -> list[ir.Statement]:
        """Tangents of arguments that vary only later on."""
        given = {analysis.function.parameters[k] for k in active}
        entry = analysis.facts.entry
        vary = [p for p in analysis.function.parameters if _may_vary_later(entry[p])]
        names = [p for p in vary if p in forward.needed and p not in given]
        lines = []
        for p in names:
            target = forward.named(p, analysis.facts.entry[p])
            zero = ir.Assign(ir.name(tangent_of(p)), forward.zero(target), NOWHERE)
            lines.append(forward.unmarked(zero))
        return lines

    def check(self, forward: Forward, analysis: Analysis) -> None:
        if forward.missing:
            raise refuse(forward.missing, analysis.source.filename, analysis.source.lines)

    def written(
        self, name: str, analysis: Analysis, lines: Sequence[ir.Statement],
        extra: Sequence[tuple[str, Any]], dropped: frozenset[int] = frozenset(),
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function; `extra` are the parameters that bring tangents, and their defaults."""
        facts = analysis.facts
        captured = kept_with(facts)
        read = prune_forward(
            tuple(lines),
            frozenset(),
            set(),
            lambda s, caught: _is_idle(s, facts, caught),
            captured,
            ReadLate(facts, captured),
        )
        body = with_nothing(without_idle_functions(over_elements(read), facts), facts)
        return self.writer.function(name, analysis, body, extra, dropped)

    # -- callees

    def callee(self, user: UserCall) -> TangentCallee:
        """The function that takes a callee's tangents along, generated at the first call."""
        kinds, _ = canonical(user.kinds)
        key = (user.function, tuple(map(kind_key, kinds)))
        if key not in self.callees:
            analysis = self.program.analyse(user.function, kinds, callee=True)
            (name,) = self.writer.free(f"{stem_of(user.function.__name__)}_tangent")
            dropped = self.objects.dropped(analysis)
            callee = self.callees[key] = _described(name, analysis, dropped)
            self.generate(analysis, callee)
            (name,) = self.shared.once(user.function, (name,), self.texts)
            self.callees[key] = replace(callee, name=name)
        return self.callees[key]

    def generate(self, analysis: Analysis, callee: TangentCallee) -> None:
        form = analysis.function
        values = () if ir.is_procedure(form) else ir.results_of(form)
        forward = self.forward(analysis, values)
        lines = [*self.zeros_on_entry(forward, analysis, callee.active)]
        lines += forward.block(form.body)
        self.check(forward, analysis)
        several = ir.returns_tuple(form)
        if any(callee.returned):
            tangents = [forward.result_tangent(value, apart=False) for value in values]
            lines.append(ir.Return((*values, *tangents), True, NOWHERE))
        elif values or several:
            lines.append(ir.Return(tuple(values), several, NOWHERE))
        extra = [(tangent_of(form.parameters[k]), None) for k in callee.active]
        text, function = self.written(callee.name, analysis, lines, extra, callee.dropped)
        self.writer.cells[callee.name].cell_contents = function
        self.texts.append(text)


def _is_idle(line: ir.Statement, facts: Facts, caught: bool) -> bool:
    """Whether a line sets nothing but tangents, which are not missed where others take their place unread.

    So is it with what stands for an object, whose class nobody asks for.
    """
    tangents = all("~" in name for name in ir.defined_names(line))
    idle = isinstance(line, ir.Assign) and (tangents or stands_for_another(line, facts))
    return idle and is_droppable(line, facts, caught)


def _ones_on_entry(
    analysis: Analysis, wrt: Sequence[int], kinds: Sequence[Any]
) -> list[ir.Statement]:
    """A tangent that is not given moves all elements alike."""
    lines: list[ir.Statement] = []
    taken = {*surroundings(analysis)[0], *map(ir.base_name, analysis.function.parameters)}
    for k, kind in zip(wrt, kinds, strict=True):
        p = analysis.function.parameters[k]
        ones = ones_alike(kind, ir.name(p), taken)
        lines.append(ir.Assign(ir.name(tangent_of(p)), ones, NOWHERE))
    return lines


def _tangent_names(analysis: Analysis, active: Sequence[int]) -> tuple[str, ...]:
    """What the parameters are called that bring the tangents."""
    parameters = analysis.function.parameters
    taken = {*surroundings(analysis)[0], *map(ir.base_name, parameters)}
    names: list[str] = []
    for k in active:
        names.append(unlike(ir.base_name(tangent_of(parameters[k])), {*taken, *names}))
    return tuple(names)


def _described(name: str, analysis: Analysis, dropped: frozenset[int]) -> TangentCallee:
    form, facts = analysis.function, analysis.facts
    active = tuple(
        k
        for k, p in enumerate(form.parameters)
        if k not in dropped
        and (analysis.kinds[k].active or (k in analysis.written and facts.web_kinds[p].active))
    )
    arguments = form.arguments
    by_name = bool(arguments.defaults or arguments.kwonlyargs)
    if analysis.lifted is not None:
        by_name = analysis.lifted.given < len(analysis.lifted.leaves)
    values = () if ir.is_procedure(form) else ir.results_of(form)
    kinds = map(facts.kind, values)  # of a function only what it holds moves
    returned = tuple(kind.active and not is_function(kind) for kind in kinds)
    names = _tangent_names(analysis, active)
    return TangentCallee(name, active, names, by_name, returned, dropped)


def _copies(analysis: Analysis, moving: Sequence[int]) -> ir.Block:
    """What the function writes to, and tangents of it, are copied at the top."""
    return (*copies_on_entry(analysis), *_own_tangents(analysis, moving))


def _writes_to_arrays_only(analysis: Analysis) -> bool:
    written = (analysis.function.parameters[k] for k in analysis.written)
    return all(isinstance(analysis.facts.entry[p], Num) for p in written)


def _own_tangents(analysis: Analysis, wrt: Sequence[int]) -> list[ir.Statement]:
    """Tangents of arrays that the function writes to are copied, as the arrays are."""
    lines: list[ir.Statement] = []
    for p in (analysis.function.parameters[k] for k in analysis.written if k in wrt):
        x, target = ir.name(tangent_of(p)), ir.name(tangent_of(p))
        if isinstance(analysis.facts.entry[p], Seq):
            copies = gast.Tuple([target], gast.Store())
            lines.append(ir.Assign(copies, quote("copy_shared({x})", x=x), NOWHERE))
        else:
            lines.append(ir.Assign(target, quote("{x}.copy()", x=x), NOWHERE))
    return lines


def _moving(wrt: Sequence[int], structure: Structure | None) -> Sequence[int]:
    """The values that move where some arguments do: their leaves, where these were taken apart."""
    return wrt if structure is None else structure.positions(wrt)


def _shown(
    structure: Structure | None, wrt: Sequence[int], copies: Sequence[ir.Statement],
    lines: Sequence[ir.Statement],
) -> ir.Block:  # fmt: skip
    """The lines after the copies, with elements of arguments and of their tangents as the user writes them."""
    if structure is None:
        return (*copies, *lines)
    return structure.moving(wrt).shown(tuple(copies), tuple(lines))[0]


def _returned(values: Sequence[Any], tangents: Sequence[Any], several: bool) -> ir.Statement:
    """Return y, y_dot"""
    if not several:
        return ir.Return((values[0], tangents[0]), True, NOWHERE)
    both = gast.Tuple(list(values), gast.Load()), gast.Tuple(list(tangents), gast.Load())
    return ir.Return(both, True, NOWHERE)


def _may_vary_later(kind: Kind) -> bool:
    """Whether numbers may take the place of what an argument is: of None, too."""
    return isinstance(kind, (Num, Seq)) or (isinstance(kind, Known) and kind.value is None)
