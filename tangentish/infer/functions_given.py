"""Functions that are known by the values that they hold: partials, and functions that a function gives.

f = partial(g, a)        ->      f_func, f_0 = g, a
y = f(x)                 ->      y = g(f_0, x)

def make(k):                     g_k = make(a)
    def g(x): return k * x       y = g(x, g_k)
    return g
g = make(a); y = g(x)    ->
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish.infer.entries_by_default import EntriesByDefault
from tangentish.kinds import REFUSED, UNKNOWN, Fun, Kind, Known, OneOf, Tup, functions_in
from tangentish.kinds.held_functions import Inner, Partial, functions_held
from tangentish.language.lifted import Instance


@dataclass(frozen=True, eq=False)
class Given:
    """Such a function, where it is called, and an expression for it."""

    kind: Tup
    node: Any


class GivenFunctions(EntriesByDefault):
    """The part of the walk that follows them."""

    def partial(self, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        """functools.partial(f, a, b=c)"""
        values = [*args, *keywords.values()]
        kinds = tuple(map(self.kind, values))
        keys = ("func", *(str(k) for k in range(len(args) - 1)), *keywords)
        self.kept.append(node)
        if REFUSED in kinds:
            return REFUSED
        captures = any(fun.cells for kind in kinds for fun in functions_in(kind))
        varies = captures or any(kind.active for kind in kinds)
        if not varies and id(node) not in self.dynamic:
            self.unknown_call(None, values, node)
            return Tup(kinds, False, frozenset({id(node)}), keys, Partial)
        if not _is_known(kinds[0]):
            self.refuse("it is not known what this is a partial of: write lambda x: f(a, x)", node)
            return REFUSED
        made = self.made_once((node, *values), lambda: _instance(keys, values, node), node)
        self.facts.made[node] = made
        kind = self.facts.kinds[made] = self.instance(made)
        return kind

    def give_functions(self, values: Sequence[Any]) -> None:
        """What a function gives is known by what it holds, whether or not that varies."""
        for value in values:
            for part in functions_held(self.kind(value)):
                if not part.apart:
                    self.demand_apart(part, value)

    def given_call(
        self, given: Given, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """A call of such a function: what it holds is given, too."""
        kind = given.kind
        if not kind.active:
            if not self.facts.varies(*args, *keywords.values()):
                return self.unknown_call(None, (given.node, *args, *keywords.values()), node)
            self.demand_apart(kind, node)
            return UNKNOWN
        cls = kind.type
        if cls is None or not issubclass(cls, Inner):
            return self.partial_call(given, args, keywords, node)
        function = cls.function()
        if function is None:
            return self.unknown_call(None, (given.node, *args), node)
        pairs = enumerate(zip(kind.keys or (), kind.items, strict=True))
        cells = {str(key): self.element(given.node, k, item) for k, (key, item) in pairs}
        return self.user_call(function, args, keywords, node, tuple(cells.items()))

    def partial_call(
        self, given: Given, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """partial(f, a, b=c)(x)  ->  f(a, x, b=c)"""
        parts = {
            str(key): self.element(given.node, k, item)
            for k, (key, item) in enumerate(
                zip(given.kind.keys or (), given.kind.items, strict=True)
            )
        }
        func = parts.pop("func")
        first = [value for key, value in parts.items() if key.isdigit()]
        named = {key: value for key, value in parts.items() if not key.isdigit()} | keywords
        call = self.made_once(
            (node, func, *first, *args, *named.values()),
            lambda: gast.Call(func, [*first, *args], [_keyword(n, v) for n, v in named.items()]),
            node,
        )
        self.facts.lifted[node] = call
        return self.expression(call)


def _is_known(kind: Kind) -> bool:
    """Whether it is known which function a value is."""
    match kind:
        case Known(value=value):
            return callable(value)
        case Fun(function=function):
            return function is not None
        case Tup():
            return kind.is_function
    return isinstance(kind, OneOf)


def _keyword(name: str, value: Any) -> Any:
    return gast.copy_location(gast.keyword(name, value), value)


def _instance(keys: tuple[str, ...], values: list[Any], node: Any) -> Any:
    constants = [gast.copy_location(gast.Constant(key, None), node) for key in keys]
    return Instance(constants, values, gast.copy_location(gast.Constant(None, None), node), Partial)
