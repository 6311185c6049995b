"""Finished statements -> functions: printed, given the names that are free in the user's function, loaded."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.function_objects import check_dropped
from tangentish.analysis.reached import Analysis
from tangentish.generation.finish import print_function
from tangentish.generation.lost_values import check_found
from tangentish.generation.shown_closures import names_inside
from tangentish.generation.written_constants import check_constants
from tangentish.language.lifted import Lifted
from tangentish.language.nested import Closure
from tangentish.rules.names import bound, is_name_of_helper, named
from tangentish.text.load import load, note_texts
from tangentish.text.names import unlike

SAVED = "saved.~"  # the value in which an adjoint gets what its forward pass saved


@dataclass
class Writer:
    """Writes the functions of one program; `cells` hold those that call each other.

    named: the names of values in each function, by its name.
    shown: functions that were generated before, and their texts, by the names under which these call them.
    """

    cells: dict[str, types.CellType] = field(default_factory=dict)
    named: dict[str, dict[str, str]] = field(default_factory=dict)
    shown: dict[str, tuple[object, str]] = field(default_factory=dict)

    def function(
        self, name: str, analysis: Analysis, body: ir.Block, extra: Sequence[tuple[str, Any]],
        dropped: frozenset[int] = frozenset(),
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function with the parameters of the function analysed, then `extra` ones."""
        lifted = analysis.lifted
        if lifted is None:
            return self.plain(name, analysis, body, analysis.function.parameters, extra)
        if lifted.shown is not None:
            return self.plain(name, analysis, body, lifted.shown, extra)
        return self.lifted(name, analysis, lifted, body, extra, dropped)

    def plain(
        self, name: str, analysis: Analysis, body: ir.Block, parameters: Sequence[str],
        extra: Sequence[tuple[str, Any]],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function with the user's parameters, then `extra` ones with their defaults."""
        user, form = analysis.source.function, analysis.function
        check_constants(analysis, body)
        taken, own = surroundings(analysis, body)
        shown = unlike(name, taken)
        taken -= set(map(ir.base_name, parameters))  # functions inside have parameters so called
        made = print_function(
            shown, form.arguments, parameters, extra, body, taken, own, device=analysis.walk.device
        )
        check_found(analysis, body, made.lost)
        self.named[name] = made.names
        given = {made.names[value]: d.value for value, d in extra if d is not None}
        defaults, named = user.__defaults__ or (), dict(user.__kwdefaults__ or {})
        if form.arguments.kwonlyargs or form.arguments.vararg:
            named |= given
        else:
            defaults = (*defaults, *given.values())
        cells = self.bindings(made.helpers)
        return made.text, load(made.text, shown, user, cells, defaults, named)

    def lifted(
        self, name: str, analysis: Analysis, lifted: Lifted, body: ir.Block,
        extra: Sequence[tuple[str, Any]], dropped: frozenset[int],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function with a parameter for all that a call gives."""
        check_dropped(analysis, (lifted.leaves[k] for k in dropped), body)
        check_constants(analysis, body)
        taken, own = surroundings(analysis, body)
        shown = unlike(name, taken)
        values = [v for k, v in enumerate(lifted.leaves) if k not in dropped]
        optional = lifted.leaves[lifted.given :]
        defaults = [analysis.defaults[v] for v in values if v in optional]
        names = [gast.Name(value, gast.Param(), None, None) for value in values]
        nodes = [node for node, _ in defaults]
        arguments = gast.arguments(names, [], None, [], [], None, nodes)
        made = print_function(
            shown, arguments, values, extra, body, taken, own, device=analysis.walk.device
        )
        check_found(analysis, body, made.lost)
        self.named[name] = made.names
        cells, user = self.bindings(made.helpers), analysis.source.function
        given = (*(v for _, v in defaults), *(d.value for _, d in extra if d is not None))
        return made.text, load(made.text, shown, user, cells, given, {})

    def adjoint(
        self, name: str, analysis: Analysis, body: ir.Block, parameters: Sequence[str],
        known: Mapping[str, str],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function whose parameters are what was saved and the head gradients.

        known: the names of what was saved.
        """
        check_constants(analysis, body)
        taken, own = surroundings(analysis, body)
        shown = unlike(name, taken)
        arguments = gast.arguments([], [], None, [], [], None, [])
        extra = [(value, None) for value in parameters]
        made = print_function(
            shown, arguments, (), extra, body, taken, own, known, analysis.walk.device
        )
        check_found(analysis, body, made.lost)
        cells = self.bindings(made.helpers)
        return made.text, load(made.text, shown, analysis.source.function, cells, (), {})

    @property
    def texts_shown(self) -> list[str]:
        return [text for _, text in self.shown.values()]

    def bindings(self, helpers: dict[str, str]) -> dict[str, types.CellType]:
        found = {
            text: self.cells.get(name) or types.CellType(bound(name))
            for text, name in helpers.items()
        }
        for text, name in helpers.items():
            if name not in self.cells:
                note_texts(text, found[text].cell_contents, self.shown)
        return found

    def free(self, *names: str) -> tuple[str, ...]:
        """Names for generated functions, with one number, that no others have, nor helpers that they may call."""
        candidates, number = names, 1
        while any(name in self.cells or is_name_of_helper(name) for name in candidates):
            number += 1
            candidates = tuple(f"{name}_{number}" for name in names)
        self.cells |= {name: types.CellType() for name in candidates}
        return candidates


def surroundings(analysis: Analysis, body: ir.Block = ()) -> tuple[frozenset[str], dict[str, str]]:
    """The free names of the user's function, and the user's own names for numpy, math and the builtins.

    A generated function that is differentiated once more has helpers under their names.
    """
    source = analysis.source
    lines = ir.walk_statements(analysis.function.body)
    free = {n for s in lines for n in ir.mentioned(s) if not ir.is_value(n)}
    free = free.union(*map(names_inside, ir.nodes_within(body, Closure)))
    local = {ir.base_name(v) for v in analysis.facts.web_kinds if "~" not in v}
    own: dict[str, str] = {}
    for alias, key in (("np", "np"), ("numpy", "np"), ("math", "math")):
        known = alias not in local and source.where(alias) is not None
        if known and key not in own and source.lookup(alias) is named(key):
            own[key] = alias
    for n in free:
        found = source.lookup(n) if source.where(n) in ("global", "closure") else None
        if isinstance(found, types.ModuleType) and found.__name__.startswith("scipy"):
            own.setdefault(found.__name__, n)
        elif is_name_of_helper(n) and found is bound(n):
            own[n] = n
    builtin = (
        "range",
        "len",
        "slice",
        "reversed",
        "float",
        "min",
        "max",
        "zip",
        "enumerate",
        "list",
        "sum",
    )
    own |= {n: n for n in builtin if n not in local and source.where(n) == "builtin"}
    return frozenset(free | set(own.values())), own
