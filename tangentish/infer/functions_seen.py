"""Functions that are called again under the same name outside: what one of them is called, and who follows it, is asked
once. These are NumPy's that act on elements, and those of the user's, as long as they are given numbers and arrays.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import is_of_library
from tangentish.infer.lists import Lists
from tangentish.infer.spreading import has_stars
from tangentish.kinds import Kind, Known, Num

_COMPUTED = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Subscript)


class FunctionsSeen(Lists):
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

    def user_function_seen(self, node: Any) -> types.FunctionType | None:
        """The function of `f(x, y)`, where one of the user's was followed before; of others all is asked."""
        func = node.func
        seen = self.user_functions.get(func.id) if func.__class__ is gast.Name else None
        if seen is None or node.keywords or func.id in self.scope or self.rebound:
            return None
        if not all(isinstance(argument, _COMPUTED) for argument in node.args):
            return None
        self.facts.kinds[func], function = seen
        return function

    def user_function_call(self, function: types.FunctionType, node: Any) -> Kind:
        args = list(node.args)
        for argument in args:
            self.as_dict(argument)
        for argument in args:
            self.expression(argument)
        if not self.are_plain(args):
            return self.call_of_known(function, args, {}, node)
        self.facts.callees[node] = Callee(function, tuple(args), {})
        return self.call_without_rule(function, args, {}, node)

    def note_user_function(
        self, function: types.FunctionType, args: Sequence[Any], node: Any
    ) -> None:
        """A function is followed, and all that may be asked of a call of it with numbers and arrays was answered."""
        match node:
            case gast.Call(func=gast.Name(id=name) as func, args=given, keywords=[]):
                outside = not (ir.is_value(name) or name.startswith("$") or self.rebound)
                if outside and given == args and self.are_plain(args):
                    self.user_functions[name] = self.kind(func), function

    def are_plain(self, args: Sequence[Any]) -> bool:
        """Whether all of these are numbers or arrays, and some vary."""
        kinds = list(map(self.kind, args))
        return all(type(kind) is Num for kind in kinds) and any(kind.active for kind in kinds)


def _is_of(kinds: tuple[Kind, Kind], function: np.ufunc) -> bool:
    """Whether a function has these kinds with the module that it is looked up in, which is nobody's to change."""
    module, kind = kinds
    known = isinstance(module, Known) and isinstance(kind, Known)
    return known and is_of_library(module.value) and kind.value is function  # type: ignore[union-attr]
