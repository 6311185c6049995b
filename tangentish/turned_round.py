"""An adjoint of the user's own, the other way round: the tangent that it stands for.

    def sigmoid_adjoint(dy, y, x):            def sigmoid_tangent(dy, y, x, x_dot):
        return dy * y * (1 - y)         ->        return x_dot * y * (1 - y)

The adjoint is linear in dy, so that its pullback with respect to dy is the transposed map, at whatever
dy (Radul et al., "You only linearize once", POPL 2023, the other way round).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis import Analysis, Program, canonical, kind_key
from tangentish.generate import Generator, copies_on_entry
from tangentish.kinds import Kind, Num, Tup, replace
from tangentish.origins import NOWHERE
from tangentish.parts import Wanted, build_parts
from tangentish.rules.own import OwnRule
from tangentish.tangents import tangent_of
from tangentish.tangents_own import Unable
from tangentish.webs import map_statement
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
        dots = {head: tangent_of(f"{arg}.0") for (head, _), arg in zip(parts.heads, rule.names)}
        adjoint = _renamed((*parts.adjoint, gradient), dots)
        body = (*copies_on_entry(analysis), *parts.forward, ir.Comment(""), *adjoint)
        heads = [(dots[head], default) for head, default in parts.heads]
        text, function = self.writer.function(name, analysis, body, heads)
        self.writer.cells[name].cell_contents = function
        self.texts += [text, *generator.texts]
        return name

    def check(self, analysis: Analysis, count: int) -> None:
        result = analysis.facts.result
        found = len(result.items) if isinstance(result, Tup) else 1
        if found != count:
            raise Unable(f"it gives {found} gradients for {count} arguments")


def _renamed(block: ir.Block, names: dict[str, str]) -> ir.Block:
    """The statements with other names for these values: the heads are tangents here."""

    def change(node: Any) -> Any:
        known = type(node) is gast.Name and node.id in names
        return gast.Name(names[node.id], node.ctx, None, None) if known else None

    return tuple(
        map_statement(s, lambda e: ir.copy_expression(e, change), lambda b: _renamed(b, names))
        for s in block
    )
