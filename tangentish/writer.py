"""Finished statements -> functions: printed, given the names that are free in the user's function, loaded."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis import Analysis
from tangentish.finish import print_function
from tangentish.load import load
from tangentish.names import unlike
from tangentish.rules.names import named

__all__ = ["SAVED", "Writer", "surroundings"]

SAVED = "saved.~"  # the value in which an adjoint gets what its forward pass saved


@dataclass
class Writer:
    """Writes the functions of one program; `cells` hold those that call each other."""

    cells: dict[str, types.CellType] = field(default_factory=dict)

    def function(
        self, name: str, analysis: Analysis, body: ir.Block, extra: Sequence[tuple[str, Any]]
    ) -> tuple[str, Any]:
        """Text and function with the user's parameters, then `extra` ones with their defaults."""
        user, form = analysis.source.function, analysis.function
        taken, own = surroundings(analysis)
        name = unlike(name, taken)
        made = print_function(name, form.arguments, form.parameters, extra, body, taken, own)
        given = {made.names[value]: d.value for value, d in extra if d is not None}
        defaults, named = user.__defaults__ or (), dict(user.__kwdefaults__ or {})
        if form.arguments.kwonlyargs:
            named |= given
        else:
            defaults = (*defaults, *given.values())
        cells = self.bindings(made.helpers)
        return made.text, load(made.text, name, user, cells, defaults, named)

    def adjoint(
        self, name: str, analysis: Analysis, body: ir.Block, heads: Sequence[str]
    ) -> tuple[str, Any]:
        """Text and function whose parameters are what was saved and the head gradients."""
        taken, own = surroundings(analysis)
        name = unlike(name, taken)
        arguments = gast.arguments([], [], None, [], [], None, [])
        extra = [(SAVED, None), *((head, None) for head in heads)]
        made = print_function(name, arguments, (), extra, body, taken, own)
        cells = self.bindings(made.helpers)
        return made.text, load(made.text, name, analysis.source.function, cells, (), {})

    def bindings(self, helpers: dict[str, str]) -> dict[str, types.CellType]:
        return {
            text: self.cells.get(name) or types.CellType(named(name))
            for text, name in helpers.items()
        }

    def free(self, name: str) -> str:
        """A name for a generated function that no other has."""
        candidate, number = name, 1
        while candidate in self.cells:
            number += 1
            candidate = f"{name}_{number}"
        self.cells[candidate] = types.CellType()
        return candidate


def surroundings(analysis: Analysis) -> tuple[frozenset[str], dict[str, str]]:
    """The free names of the user's function, and the user's own names for numpy, math and the builtins."""
    source = analysis.source
    expressions = (
        e for s in ir.walk_statements(analysis.function.body) for e in ir.expressions_of(s)
    )
    free = {n for e in expressions for n in ir.names_in(e) if not ir.is_value(n)}
    local = {ir.base_name(v) for v in analysis.facts.web_kinds if "~" not in v}
    own: dict[str, str] = {}
    for alias, key in (("np", "np"), ("numpy", "np"), ("math", "math")):
        known = alias not in local and source.where(alias) is not None
        if known and key not in own and source.lookup(alias) is named(key):
            own[key] = alias
    builtin = ("range", "len", "reversed", "float", "min", "zip", "enumerate", "list")
    own |= {n: n for n in builtin if n not in local and source.where(n) == "builtin"}
    return frozenset(free | set(own.values())), own
