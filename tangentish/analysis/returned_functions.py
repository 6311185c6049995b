"""Functions that a function gives: they are given by what they capture.

def make(k):                 ->      def make(k):
    def g(x): return k * x               return <g: k>
    return g

What such a function captured stays what it was: nothing else binds it, once the call that made it has returned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.kinds import UNKNOWN, Cell, Fun, Kind, Tup, functions_in
from tangentish.kinds.held_functions import inner_class
from tangentish.language.lifted import Instance, element_path
from tangentish.language.rebound import held_in


def with_functions_given(
    function: ir.Function, facts: Facts, fresh: Callable[[str], str]
) -> tuple[ir.Function | None, list[Refusal]]:
    """The function with what it returns by what it captures; None where it returns no function."""
    last = ir.last_return(function.body)
    if last is None:
        return None, []
    giving = _Giving(facts)
    lines: list[ir.Statement] = []
    values = []
    for value in last.values:
        if not any(map(giving.is_made_here, functions_in(facts.kind(value)))):
            values.append(value)
            continue
        name = gast.copy_location(ir.name(fresh(ir.base_name(value.id))), value)
        lines.append(ir.Assign(name, giving.given(value, facts.kind(value)), last.origin))
        values.append(ir.duplicate(name))
    if not lines or giving.refusals:
        return None, giving.refusals
    final = ir.Return(tuple(values), last.is_tuple, last.origin, last.form)
    body = (*function.body[:-1], *lines, final)
    return replace(function, body=body), []


@dataclass
class _Giving:
    """Expressions for functions by what they capture; `around`: those on the way to the one at hand."""

    facts: Facts
    around: list[Any] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def given(self, node: Any, kind: Kind) -> Any:
        match kind:
            case Fun() if self.is_made_here(kind):
                return self.inner(node, kind)
            case Tup() if any(map(self.is_made_here, functions_in(kind))):
                return self.container(node, kind)
        return ir.duplicate(node)

    def is_made_here(self, kind: Fun) -> bool:
        """Whether a function captures something, and is none of those that were given."""
        return bool(kind.cells) and not self.facts.is_given_function(kind)

    def inner(self, node: Any, kind: Fun) -> Any:
        function = kind.function
        if function is None or function in self.around:
            what = (
                "one of several functions" if function is None else "a function that calls itself"
            )
            message = (
                f"{what}, which captures differentiated values, is returned: not supported yet"
            )
            self.refusals.append(Refusal(message, node))
            return ir.duplicate(node)
        self.around.append(function)
        values = []
        for _, variable in kind.cells:
            captured = gast.copy_location(ir.name(variable), node)
            inner = self.facts.web_kinds.get(variable, UNKNOWN)
            if _is_whole(inner):
                name = held_in(variable) or ir.base_name(variable)
                message = f"this function keeps '{name}', which is no number, array or tuple of these: pass it instead"
                self.refusals.append(Refusal(message, node))
            values.append(self.given(captured, inner))
        self.around.pop()
        return self.display([name for name, _ in kind.cells], values, inner_class(function), node)

    def container(self, node: Any, kind: Tup) -> Any:
        parts = [
            self.given(gast.copy_location(element_path(node, k, kind), node), item)
            for k, item in enumerate(kind.items)
        ]
        if kind.keys is None:
            display = gast.List if kind.is_list else gast.Tuple
            return gast.copy_location(display(parts, gast.Load()), node)
        if kind.is_mapping:
            keys = [gast.copy_location(gast.Constant(key, None), node) for key in kind.keys]
            return gast.copy_location(gast.Dict(keys, parts), node)
        assert kind.type is not None
        return self.display([str(key) for key in kind.keys], parts, kind.type, node)

    def display(self, names: list[str], values: list[Any], cls: type, at: Any) -> Any:
        keys = [gast.copy_location(gast.Constant(name, None), at) for name in names]
        nobody = gast.copy_location(gast.Constant(None, None), at)
        return gast.copy_location(Instance(keys, values, nobody, cls), at)


def _is_whole(kind: Kind) -> bool:
    """Whether a captured container is not only its elements."""
    if not isinstance(kind, Tup) or kind.is_function:
        return False
    return (
        kind.is_object
        or (kind.type is Cell and any(map(_is_whole, kind.items)))
        or any(map(_is_whole, kind.items))
    )
