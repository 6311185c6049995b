"""What a function finds outside: Numba would take its value for ever, so that numbers and arrays travel as arguments.

    def f_grad(x, dy): ... g * x ...    ->    def f_grad(x, dy, g): ... g * x ...

Functions of the user's that are called as they are become compiled functions: they and what they call may read no
global that can change.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis.guards import FrozenGuard
from tangentish.analysis.reached import Analysis
from tangentish.compiled import functions
from tangentish.errors import Refusal
from tangentish.kinds import Known
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.language.codes import codes_within
from tangentish.language.source import Source
from tangentish.language.webs import renamed_in

OWN = "<compiled>"  # what is set in the namespaces of functions that are to be compiled

LIBRARIES = ("numpy", "math", "builtins", "scipy", "cmath", "operator")


@dataclass(frozen=True, eq=False)
class Outer:
    """A global or a variable of a function around: the value that stands for it, and where it is read."""

    value: str
    name: str
    space: Any  # the globals, or the closure cell

    @property
    def is_cell(self) -> bool:
        return isinstance(self.space, types.CellType)


@dataclass
class Outside:
    """Everything outside that the compiled functions of one derivative use."""

    outers: dict[tuple[int, str], Outer] = field(default_factory=dict)
    guards: dict[object, FrozenGuard] = field(default_factory=dict)
    jitted: dict[types.FunctionType, Any] = field(default_factory=dict)

    def found(
        self, block: ir.Block, analysis: Analysis, refusals: list[Refusal]
    ) -> tuple[ir.Block, tuple[Outer, ...], dict[str, object]]:
        """The block with values in place of what travels, those values, and what is compiled in by name."""
        source = analysis.source
        travelling: dict[str, Outer] = {}
        fixed: dict[str, object] = {}
        for name, node in _free_names(block, source).items():
            value = source.lookup(name)
            if _travels(value):
                travelling[name] = self.outer(source, name)
            else:
                fixed[name] = self.fixed(value, node, refusals)
                self.guard(source, name, value)
        block = renamed_in(block, {name: outer.value for name, outer in travelling.items()})
        return block, tuple(travelling.values()), fixed

    def outer(self, source: Source, name: str) -> Outer:
        space: Any = source.function.__globals__
        if source.where(name) == "closure":
            function = source.function
            space = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
        key = (id(space), name)
        if key not in self.outers:
            self.outers[key] = Outer(f"{name}.~g{len(self.outers)}", name, space)
        return self.outers[key]

    def guard(self, source: Source, name: str, value: object) -> None:
        self.guards.setdefault(
            (source.function, name), FrozenGuard(lambda: source.lookup(name), value)
        )

    # -- what is compiled in

    def fixed(self, value: object, node: Any, refusals: list[Refusal]) -> object:
        value = getattr(value, "__tangentish__", value)
        if value is sorted:
            return functions.ordered
        if isinstance(value, types.FunctionType) and not _is_of_library(value):
            return self.function(value, node, refusals)
        if isinstance(value, types.ModuleType) and not _is_of_library(value):
            refusals.append(
                Refusal(f"Numba would keep what {value.__name__} holds now: import the name", node)
            )
        return value

    def function(self, function: types.FunctionType, node: Any, refusals: list[Refusal]) -> Any:
        """A function of the user's, ready to be compiled: what it reads outside is compiled in, too."""
        if function in self.jitted:
            return self.jitted[function]
        space: dict[str, Any] = {OWN: True, "__builtins__": function.__builtins__}  # type: ignore[attr-defined, unused-ignore]
        code = function.__code__
        cells = tuple(types.CellType() for _ in code.co_freevars)
        new = types.FunctionType(code, space, function.__name__, function.__defaults__, cells)
        new.__kwdefaults__ = function.__kwdefaults__
        self.jitted[function] = new
        for name in _globals_of(code):
            if name == "sorted":
                space[name] = functions.ordered
            if name in function.__globals__:
                value = function.__globals__[name]
                space[name] = self.inner(value, name, function, node, refusals)
                self.guards.setdefault(
                    (function, name),
                    FrozenGuard(lambda name=name: function.__globals__[name], value),  # type: ignore[misc]
                )
        for name, cell, old in zip(
            code.co_freevars, cells, function.__closure__ or (), strict=True
        ):
            cell.cell_contents = self.inner(old.cell_contents, name, function, node, refusals)
            self.guards.setdefault(
                (function, name),
                FrozenGuard(lambda old=old: old.cell_contents, old.cell_contents),  # type: ignore[misc]
            )
        self.guards.setdefault((function, ""), FrozenGuard(lambda: function.__code__, code))
        return new

    def inner(
        self,
        value: object,
        name: str,
        function: types.FunctionType,
        node: Any,
        refusals: list[Refusal],
    ) -> object:
        if _travels(value):
            refusals.append(
                Refusal(
                    f"{function.__name__} reads '{name}' outside, whose value Numba would keep: "
                    "make it an argument",
                    node,
                )
            )
        if value is np and "random" in function.__code__.co_names:
            refusals.append(Refusal(GLOBAL_RANDOM, node))
        return self.fixed(value, node, refusals)


GLOBAL_RANDOM = "compiled code has a global random state of its own; draw before, or pass a numpy.random.Generator"


def _travels(value: object) -> bool:
    return not isinstance(kind_of(value), Known) or isinstance(value, bool)


def _is_of_library(value: Any) -> bool:
    module = value.__name__ if isinstance(value, types.ModuleType) else value.__module__ or ""
    return module.partition(".")[0] in LIBRARIES


def _globals_of(code: types.CodeType) -> Iterator[str]:
    for inner in codes_within(code):
        for instruction in dis.get_instructions(inner):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                yield instruction.argval


def _free_names(block: ir.Block, source: Source) -> dict[str, Any]:
    """The names that are found outside, each with a node that reads it."""
    expressions = (e for s in ir.walk_statements(block) for e in ir.expressions_of(s))
    nodes = (n for e in expressions for n in ir.walk(e) if type(n) is gast.Name)
    free = {n.id: n for n in nodes if not ir.is_value(n.id) and n.id[:1] != "$"}
    return {name: n for name, n in free.items() if source.where(name) in ("closure", "global")}
