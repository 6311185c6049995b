"""Calls of NumPy's functions that act on elements: what one of them is called is looked up once."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import is_of_library
from tangentish.infer.lists import Lists
from tangentish.infer.spreading import has_stars
from tangentish.kinds import Kind, Known, Num


class UfuncsSeen(Lists):
    """The part of the walk that remembers them."""

    def ufunc_seen(self, node: Any) -> np.ufunc | None:
        """The function of `np.sin(x)`, where one was followed by its rule before; of others all is asked."""
        func = node.func
        if func.__class__ is not gast.Attribute or func.value.__class__ is not gast.Name:
            return None
        seen = self.ufuncs.get((func.value.id, func.attr))
        if seen is None or node.keywords or has_stars(node) or func.value.id in self.scope:
            return None
        module, kind, function = seen
        if len(node.args) != function.nin:  # the others are where it writes to
            return None
        self.facts.kinds[func.value], self.facts.kinds[func] = module, kind
        return function

    def ufunc_call(self, function: np.ufunc, node: Any) -> Kind:
        for argument in node.args:
            self.use_flat(argument)
            self.expression(argument)
        if any(type(self.kind(argument)) is not Num for argument in node.args):
            return self.call_of_known(function, node.args, {}, node)
        self.facts.callees[node] = Callee(function, tuple(node.args), {})
        return self.rule_call(function, node.args, {}, node)

    def note_ufunc(self, function: Any, node: Any) -> None:
        """The function of a module is followed by its rule; what it is called does not change."""
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name) as module, attr=attr) as func
            ):
                kinds = self.kind(module), self.kind(func)
                outside = not (ir.is_value(name) or self.rebound)
                if outside and isinstance(function, np.ufunc) and _is_of(kinds, function):
                    self.ufuncs[name, attr] = (*kinds, function)


def _is_of(kinds: tuple[Kind, Kind], function: np.ufunc) -> bool:
    """Whether a function has these kinds with the module that it is looked up in, which is nobody's to change."""
    module, kind = kinds
    known = isinstance(module, Known) and isinstance(kind, Known)
    return known and is_of_library(module.value) and kind.value is function  # type: ignore[union-attr]
