"""An adjoint of the user's own, the other way round: the tangent that it stands for.

    def sigmoid_adjoint(dy, y, x):            def sigmoid_tangent(dy, y, x, dx):
        return dy * y * (1 - y)         ->        return dx * y * (1 - y)

The adjoint is linear in dy, so that its pullback with respect to dy is the transposed map, at whatever
dy (Radul et al., "You only linearize once", POPL 2023, the other way round).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from types import FunctionType

from tangentish import ir
from tangentish.analysis import Analysis, Program, canonical, kind_key
from tangentish.generate import Generator, copies_on_entry
from tangentish.kinds import Kind, Num, Tup
from tangentish.origins import NOWHERE
from tangentish.parts import Wanted, build_parts
from tangentish.rules.own import OwnRule
from tangentish.tangents_own import Unable
from tangentish.writer import Writer

__all__ = ["TurningRound"]


@dataclass
class TurningRound:
    """Generates the tangents of rules, once for each set of kinds."""

    program: Program
    writer: Writer
    texts: list[str]
    names: dict[Hashable, str] = field(default_factory=dict)

    def named(self, rule: OwnRule, kinds: tuple[Kind, ...]) -> str:
        """The name of the tangent's function: it takes dy, what the adjoint takes, and the arguments' tangents."""
        dy, *others = kinds
        still = [replace(k, active=False) if isinstance(k, Num) else k for k in others]
        inner, _ = canonical((dy, *still))
        key = (rule.adjoint_name, tuple(map(kind_key, inner)))
        if key not in self.names:
            count = len(rule.names)
            self.names[key] = self.generate(rule, inner, count)
        return self.names[key]

    def generate(self, rule: OwnRule, kinds: tuple[Kind, ...], count: int) -> str:
        assert isinstance(rule.adjoint_function, FunctionType)
        analysis = self.program.analyse(rule.adjoint_function, kinds)
        self.check(analysis, count)
        generator = Generator(self.program, writer=self.writer)
        name = self.writer.free(f"{rule.title}_tangent")
        parts = build_parts(analysis, Wanted((0,), defaults=False), generator.pair)
        gradient = ir.Return(tuple(parts.gradients), False, NOWHERE)
        copies = copies_on_entry(analysis)
        body = (*copies, *parts.forward, ir.Comment(""), *parts.adjoint, gradient)
        text, function = self.writer.function(name, analysis, body, parts.heads)
        self.writer.cells[name].cell_contents = function
        self.texts += [text, *generator.texts]
        return name

    def check(self, analysis: Analysis, count: int) -> None:
        result = analysis.facts.result
        found = len(result.items) if isinstance(result, Tup) else 1
        if found != count:
            raise Unable(f"it gives {found} gradients for {count} arguments")
