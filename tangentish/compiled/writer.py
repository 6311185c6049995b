"""The text of a compiled function, and the function: all that it reads is a parameter, none is starred."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.function_objects import check_dropped
from tangentish.analysis.reached import Analysis
from tangentish.compiled import functions
from tangentish.compiled.form import in_compiled_form
from tangentish.compiled.jit import Places, compiler
from tangentish.compiled.listed import with_loops_for_lists
from tangentish.compiled.one_type import of_one_type
from tangentish.compiled.outside import OWN, Outer, Outside
from tangentish.compiled.overlap import apart
from tangentish.compiled.places import places_of
from tangentish.compiled.refused import refusals_of
from tangentish.compiled.unset import sure
from tangentish.errors import Refusal, refuse
from tangentish.generation.finish import Text, print_function
from tangentish.generation.writer import Writer, surroundings
from tangentish.ir.quote import constant
from tangentish.language.lifted import Lifted
from tangentish.language.webs import map_expressions
from tangentish.rules.names import bound, lookup
from tangentish.text.load import file_name, show
from tangentish.text.names import unlike


@dataclass
class CompiledWriter(Writer):
    """Writes functions as Numba compiles them; those that are called hand on what their callees read outside."""

    outside: Outside = field(default_factory=Outside)
    outers: dict[str, tuple[Outer, ...]] = field(default_factory=dict)  # of functions by name
    spaces: list[dict[str, Any]] = field(default_factory=list)
    places: Places = field(default_factory=Places)

    def plain(
        self, name: str, analysis: Analysis, body: ir.Block, parameters: Sequence[str],
        extra: Sequence[tuple[str, Any]],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function with the user's parameters in order, then `extra` ones, then what is found outside."""
        values = [*parameters, *(value for value, _ in extra)]
        code = analysis.source.function.__code__
        plain = not extra and code.co_argcount == len(parameters)
        defaults = analysis.source.function.__defaults__ if plain else None
        return self.written(name, analysis, body, values, _written_out(defaults or ()))

    def lifted(
        self, name: str, analysis: Analysis, lifted: Lifted, body: ir.Block,
        extra: Sequence[tuple[str, Any]], dropped: frozenset[int],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function with a parameter for all that a call gives."""
        check_dropped(analysis, (lifted.leaves[k] for k in dropped), body)
        values = [v for k, v in enumerate(lifted.leaves) if k not in dropped]
        values += [value for value, _ in extra]
        defaults = [analysis.defaults[v][0] for v in lifted.leaves[lifted.given :]]
        return self.written(name, analysis, body, values, defaults)

    def adjoint(
        self, name: str, analysis: Analysis, body: ir.Block, parameters: Sequence[str],
        known: Mapping[str, str],
    ) -> tuple[str, Any]:  # fmt: skip
        """Text and function whose parameters are what was saved and the head gradients."""
        return self.written(name, analysis, body, parameters, known=known)

    def written(
        self,
        name: str,
        analysis: Analysis,
        body: ir.Block,
        parameters: Sequence[str],
        defaults: Sequence[Any] = (),
        known: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[str, Any]:
        source = analysis.source
        refusals: list[Refusal] = refusals_of(body, source, analysis.facts.web_kinds)
        taken, own = surroundings(analysis, body)
        body, outers, fixed = self.outside.found(body, analysis, refusals)
        if refusals:
            raise refuse(refusals, source.filename, source.lines)
        body, inner = self.handing_on(body)
        outers = tuple(dict.fromkeys((*outers, *inner)))
        body = with_loops_for_lists(body)
        body = of_one_type(apart(body, analysis.facts), analysis.facts)
        body = in_compiled_form(body, analysis.facts)
        body = sure(body, analysis)
        self.outers[name] = outers
        values = (*(outer.value for outer in outers), *parameters)
        names = [gast.Name(value, gast.Param(), None, None) for value in values]
        arguments = gast.arguments(names, [], None, [], [], None, list(defaults))
        taken = taken - {outer.name for outer in outers}
        text_name = unlike(name, taken)
        made = print_function(text_name, arguments, values, (), body, taken, own, known)
        self.named[name] = made.names
        return made.text, self.loaded(made, text_name, analysis, own, fixed)

    def handing_on(self, body: ir.Block) -> tuple[ir.Block, tuple[Outer, ...]]:
        """Calls of generated functions give them what they read outside."""
        found: dict[Outer, None] = {}

        def change(node: Any) -> Any:
            match node:
                case gast.Call(func=gast.Name(id=name)) if self.outers.get(name[1:]):
                    outers = self.outers[name[1:]]
                    found.update(dict.fromkeys(outers))
                    args = [ir.copy_expression(a, change) for a in node.args]
                    given = [ir.name(outer.value) for outer in outers]
                    return gast.Call(node.func, [*given, *args], node.keywords)
            return None

        return map_expressions(body, lambda e: ir.copy_expression(e, change)), tuple(found)

    def loaded(
        self,
        made: Text,
        name: str,
        analysis: Analysis,
        own: dict[str, str],
        fixed: dict[str, object],
    ) -> Any:
        """The function, in a namespace of its own, which has the helpers and what is compiled in."""
        space: dict[str, Any] = {OWN: True, "sorted": functions.ordered, **fixed}
        filename = file_name(made.text, name)
        code = compile(made.text, filename, "exec", dont_inherit=True)
        exec(code, space)
        show(filename, made.text, code)
        for text, helper in made.helpers.items():
            space[text] = self.cells.get(helper) or self.helper(helper, analysis)
        for key, text in own.items():
            if text not in space:
                space[text] = lookup(key)
        self.places.files[filename] = analysis.source, places_of(made.tree, made.text)
        return space[name]

    def helper(self, name: str, analysis: Analysis) -> object:
        """What a helper's name stands for: functions of the user's rules are compiled as they are."""
        found = getattr(functions, name, None) or bound(name)
        if ":" not in name or not isinstance(found, types.FunctionType):
            return found
        source, refusals = analysis.source, list[Refusal]()
        made = self.outside.function(found, source.tree, refusals)
        if refusals:
            raise refuse(refusals, source.filename, source.lines)
        return made

    def compiled(self, function: Any) -> Any:
        """The function compiled, and with it all that it calls."""
        files = (user.__code__.co_filename for user in self.outside.jitted)
        self.places.users.update(str(Path(name).resolve()) for name in files)
        return _Linker(compiler()).compiled(function)


@dataclass
class _Linker:
    """Puts compiled functions in place of plain ones, in the namespaces of their callers."""

    compile: Callable[[Any], Any]
    done: dict[Any, Any] = field(default_factory=dict)

    def compiled(self, function: Any) -> Any:
        if function not in self.done:
            self.done[function] = self.compile(function)
            space = function.__globals__
            for name, value in list(space.items()):
                space[name] = self.linked(value)
            for cell in function.__closure__ or ():
                cell.cell_contents = self.linked(cell.cell_contents)
        return self.done[function]

    def linked(self, value: Any) -> Any:
        if isinstance(value, types.CellType):
            value = value.cell_contents
        own = isinstance(value, types.FunctionType) and value.__globals__.get(OWN) is True
        return self.compiled(value) if own else value


def _written_out(defaults: tuple[object, ...]) -> list[Any]:
    """The defaults as literals, from the first behind which all can be written so."""
    nodes: list[Any] = []
    for value in reversed(defaults):
        if not (value is None or type(value) in (bool, int, float, str)):
            break
        nodes.insert(0, constant(value))
    return nodes
