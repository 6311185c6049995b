"""From an analysed function to compiled ones: gradient, or forward and adjoint."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from tangentish import ir
from tangentish.adjoint.pair import Pair
from tangentish.adjoint.parts import Parts, Wanted
from tangentish.adjoint.result_forms import form_of_result
from tangentish.adjoint.structures import Structure
from tangentish.analysis.reached import Analysis
from tangentish.asking.asked import Asked
from tangentish.compiled.entry import Entry, Pulled
from tangentish.compiled.results import as_given
from tangentish.compiled.tapes import recording_less
from tangentish.compiled.tapes_in_arrays import with_tapes_in_arrays
from tangentish.compiled.writer import CompiledWriter
from tangentish.errors import Refusal, refuse
from tangentish.generation.both_ways import build_parts
from tangentish.generation.generate import Generated, Generator
from tangentish.generation.used import joined
from tangentish.infer import UserCall
from tangentish.kinds.seen_outside import canonical
from tangentish.recording.entry_copies import copies_on_entry


@dataclass
class CompiledGenerator(Generator):
    """Generates functions that Numba compiles at their first call."""

    writer: CompiledWriter = field(default_factory=CompiledWriter)
    pulled: bool = False  # whether what is saved is used more than once
    heads: tuple[object, ...] = ()  # the defaults of the head gradients
    within: list[Any] = field(default_factory=list)  # callees that are being generated

    def joint(
        self, analysis: Analysis, asked: Asked, name: str, structure: Structure | None = None
    ) -> Generated:
        """Forward pass and adjoint in one function."""
        if asked.filling is not None:
            message = "gradients into arrays of the caller's are not compiled yet"
            raise self.refused(analysis, message)
        made = super().joint(analysis, asked, name, structure)
        kinds = None if structure is not None else _kinds_of(analysis, asked)
        outers = self.writer.outers[name]
        call = Entry(self.writer, analysis, made.call, outers, self.heads, kinds)
        self.freeze()
        return Generated(call.python(), made.text)

    def parts(self, analysis: Analysis, wanted: Wanted) -> Parts:
        """Forward pass and adjoint, which compute again what is cheap, and keep the rest where its place is known."""
        return with_tapes_in_arrays(recording_less(build_parts(analysis, wanted, self.pair)))

    def outputs(
        self, parts: Parts, gradient: ir.Return, with_value: bool, has_aux: bool
    ) -> ir.Return:
        """As ever; the defaults of the head gradients are given by the call."""
        self.heads = tuple(default.value for _, default in parts.heads)
        return super().outputs(parts, gradient, with_value, has_aux)

    def pair(self, user: UserCall, places: Set[int] = frozenset(), caught: bool = False) -> Pair:
        """The functions of a callee; not from within, since what each call saves would hold what the next one saves."""
        function = getattr(user.function, "function", user.function)
        if function in self.within:
            analysis = self.program.analyse(user.function, canonical(user.kinds)[0], callee=True)
            message = (
                "a recursion that carries a derivative has no compiled form: write it as a loop"
            )
            raise self.refused(analysis, message)
        self.within.append(function)
        try:
            return super().pair(user, places, caught)
        finally:
            self.within.pop()

    def freeze(self) -> None:
        """What was compiled in is looked up at every call, and found to be the same."""
        for key, guard in self.writer.outside.guards.items():
            self.program.guards["frozen", key] = guard

    # -- forward and adjoint

    def pullback(
        self, analysis: Analysis, wrt: Sequence[int], structure: Structure | None = None
    ) -> Generated:
        """(value, pullback): the pullback works on copies of what the forward pass saved."""
        self.pulled = True
        wanted = Wanted(tuple(wrt), with_value=True, defaults=False)
        if structure is not None or form_of_result(analysis.function) is not None:
            message = "a pullback of structured arguments or results is not compiled yet"
            raise self.refused(analysis, message)
        stem = analysis.function.name
        names = f"{stem}_forward", f"{stem}_adjoint"
        forward, adjoint = self.pair_functions(analysis, wanted, copies_on_entry(analysis), names)
        self.freeze()
        outers = self.writer.outers[names[0]]
        pulled = Pulled(self.writer, analysis, forward, outers, adjoint=adjoint, wrt=tuple(wrt))
        return Generated(pulled.python(), joined(self.texts, self.texts[-2:]))

    def unpacked(self, parts: Parts, saved: Sequence[str], unset: Sequence[str]) -> ir.Block:
        """What the forward pass saved: used once, or copied before (saved.py)."""
        if self.pulled and parts.restored:
            raise self.refused(
                parts.analysis,
                "a pullback that restores what was overwritten is not compiled yet: use grad",
            )
        return super().unpacked(replace(parts, restored=()), saved, unset)[:1]

    def refused(self, analysis: Analysis, message: str) -> Exception:
        source = analysis.source
        return refuse([Refusal(message, source.tree)], source.filename, source.lines)


def _kinds_of(analysis: Analysis, asked: Asked) -> Any:
    """The kinds of what the generated function returns; None for what may be anything."""
    gradients: Any = [analysis.kinds[k] for k in asked.wrt]
    result: Any = as_given(analysis.result, analysis.kinds)
    with_value = asked.mode == "value_and_grad"
    if asked.single:
        gradients = gradients[0]
    if asked.has_aux:
        return [[result.items[0], None], gradients] if with_value else [gradients, None]
    return [result, gradients] if with_value else gradients
