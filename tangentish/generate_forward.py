"""From an analysed function to the one that takes tangents along, and those of its callees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis import Analysis, Program, canonical, kind_key
from tangentish.droppable import is_droppable
from tangentish.errors import refuse
from tangentish.forward import Forward, TangentCallee
from tangentish.function_objects import FunctionObjects, kept_with, without_idle_functions
from tangentish.generate import Generated, copies_on_entry
from tangentish.infer import UserCall
from tangentish.kinds import Kind, Num, Seq
from tangentish.liveness import Live, prune_forward
from tangentish.moving import Moving
from tangentish.names import unlike
from tangentish.origins import NOWHERE
from tangentish.parts import is_procedure, results_of
from tangentish.quote import constant, quote
from tangentish.result_forms import display, form_of_result
from tangentish.sugar import over_elements
from tangentish.tangents import tangent_of
from tangentish.turned_round import TurningRound
from tangentish.writer import Writer, surroundings

__all__ = ["ForwardGenerator", "tangent_names"]


@dataclass
class ForwardGenerator:
    """Generates the functions of one program; callees once for each set of kinds."""

    program: Program
    callees: dict[Hashable, TangentCallee] = field(default_factory=dict)
    writer: Writer = field(default_factory=Writer)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.objects = FunctionObjects(self.program)
        self.turning = TurningRound(self.program, self.writer, self.texts)

    def joint(self, analysis: Analysis, wrt: Sequence[int]) -> Generated:
        """(value, tangent), given the arguments and the tangents of those that `wrt` names."""
        values, tangents, lines = self.body(analysis, wrt)
        lines = [*copies_on_entry(analysis), *_own_tangents(analysis, wrt), *lines]
        form = form_of_result(analysis.function)
        if form is not None:
            values, tangents = [display(form, values)], [display(form, tangents)]
        several = form is None and _is_tuple(analysis.function)
        lines.append(_returned(values, tangents, several))
        name = f"{analysis.function.name}_jvp"
        text, call = self.written(name, analysis, lines, [(k, None) for k in wrt])
        return Generated(call, "\n\n".join([text, *self.texts]))

    def slope(self, analysis: Analysis, wrt: Sequence[int], name: str, given: bool) -> Generated:
        """The tangent alone, along ones unless tangents are given: its gradient is that of a gradient.

        It writes to its arguments as the function does.
        """
        facts = analysis.facts
        _, (tangent,), lines = self.body(analysis, wrt)
        returned = ir.Return((tangent,), False, NOWHERE)
        live = Live(frozenset(ir.names_in(tangent)))
        kept = prune_forward(
            tuple(lines),
            live,
            set(),
            facts.sites,
            lambda s, caught: is_droppable(s, facts, caught),
            kept_with(facts),
        )
        kinds = [facts.entry[analysis.function.parameters[k]] for k in wrt]
        entry = [] if given else _ones_on_entry(analysis, wrt, kinds)
        lines = [*entry, *kept, returned]
        text, call = self.written(name, analysis, lines, [(k, None) for k in wrt if given])
        return Generated(call, "\n\n".join([text, *self.texts]))

    def body(
        self, analysis: Analysis, wrt: Sequence[int]
    ) -> tuple[Sequence[Any], list[Any], list[ir.Statement]]:
        """The results, their tangents, and the lines that compute them."""
        form = analysis.function
        values = results_of(form)
        forward = self.forward(analysis, values)
        lines = self.zeros_on_entry(forward, analysis, wrt)
        lines += forward.block(form.body)
        self.check(forward, analysis)
        return values, [forward.result_tangent(value, apart=True) for value in values], lines

    def forward(self, analysis: Analysis, results: Sequence[Any]) -> Forward:
        facts, form = analysis.facts, analysis.function
        wanted = [v.id for v in results] + [form.parameters[k] for k in analysis.written]
        needed = Moving(facts).needed(form, wanted)
        return Forward(
            facts, analysis.walk, needed=needed, callee=self.callee, parameters=form.parameters,
            turned_round=self.turning.named,
        )  # fmt: skip

    def zeros_on_entry(
        self, forward: Forward, analysis: Analysis, active: Sequence[int]
    ) -> list[ir.Statement]:
        """Tangents of arguments that vary only later on."""
        given = {analysis.function.parameters[k] for k in active}
        entry = analysis.facts.entry
        vary = [p for p in analysis.function.parameters if isinstance(entry[p], (Num, Seq))]
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
        active: Sequence[tuple[int, Any]], dropped: frozenset[int] = frozenset(),
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function; the parameters that bring tangents have defaults."""
        extra = [(tangent_of(analysis.function.parameters[k]), default) for k, default in active]
        body = without_idle_functions(over_elements(tuple(lines)), analysis.facts)
        return self.writer.function(name, analysis, body, extra, dropped)

    # -- callees

    def callee(self, user: UserCall) -> TangentCallee:
        """The function that takes a callee's tangents along, generated at the first call."""
        kinds, _ = canonical(user.kinds)
        key = (user.function, tuple(map(kind_key, kinds)))
        if key not in self.callees:
            analysis = self.program.analyse(user.function, kinds, callee=True)
            name = self.writer.free(f"{user.function.__name__.strip('<>')}_tangent")
            dropped = self.objects.dropped(analysis)
            callee = self.callees[key] = _described(name, analysis, dropped)
            self.generate(analysis, callee)
        return self.callees[key]

    def generate(self, analysis: Analysis, callee: TangentCallee) -> None:
        form = analysis.function
        values = () if is_procedure(form) else results_of(form)
        forward = self.forward(analysis, values)
        lines = [*self.zeros_on_entry(forward, analysis, callee.active)]
        lines += forward.block(form.body)
        self.check(forward, analysis)
        several = _is_tuple(form)
        if any(callee.returned):
            tangents = [forward.result_tangent(value, apart=False) for value in values]
            lines.append(ir.Return((*values, *tangents), True, NOWHERE))
        elif values:
            lines.append(ir.Return(tuple(values), several, NOWHERE))
        active = [(k, None) for k in callee.active]
        text, function = self.written(callee.name, analysis, lines, active, callee.dropped)
        self.writer.cells[callee.name].cell_contents = function
        self.texts.append(text)


def _is_tuple(form: ir.Function) -> bool:
    """Whether the function returns a tuple."""
    return bool(form.body) and getattr(form.body[-1], "is_tuple", False)


def _ones_on_entry(
    analysis: Analysis, wrt: Sequence[int], kinds: Sequence[Any]
) -> list[ir.Statement]:
    """A tangent that is not given moves all elements alike."""
    lines: list[ir.Statement] = []
    for k, kind in zip(wrt, kinds, strict=True):
        p = analysis.function.parameters[k]
        ones = constant(1.0) if _is_scalar(kind) else quote("np.ones_like({x})", x=ir.name(p))
        lines.append(ir.Assign(ir.name(tangent_of(p)), ones, NOWHERE))
    return lines


def tangent_names(analysis: Analysis, active: Sequence[int]) -> tuple[str, ...]:
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
        if analysis.kinds[k].active or (k in analysis.written and facts.web_kinds[p].active)
    )
    arguments = form.arguments
    by_name = bool(arguments.defaults or arguments.kwonlyargs)
    if analysis.lifted is not None:
        by_name = analysis.lifted.given < len(analysis.lifted.leaves)
    values = () if is_procedure(form) else results_of(form)
    returned = tuple(facts.kind(value).active for value in values)
    names = tangent_names(analysis, active)
    return TangentCallee(name, active, names, by_name, returned, dropped)


def _own_tangents(analysis: Analysis, wrt: Sequence[int]) -> list[ir.Statement]:
    """Tangents of arrays that the function writes to are copied, as the arrays are."""
    names = [tangent_of(analysis.function.parameters[k]) for k in analysis.written if k in wrt]
    return [
        ir.Assign(ir.name(name), quote("{x}.copy()", x=ir.name(name)), NOWHERE) for name in names
    ]


def _returned(values: Sequence[Any], tangents: Sequence[Any], several: bool) -> ir.Statement:
    """Return y, y_dot"""
    if not several:
        return ir.Return((values[0], tangents[0]), True, NOWHERE)
    both = gast.Tuple(list(values), gast.Load()), gast.Tuple(list(tangents), gast.Load())
    return ir.Return(both, True, NOWHERE)


def _is_scalar(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.is_scalar
