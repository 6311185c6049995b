"""What a `for` loop runs over: the kind of what each trip gets."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from tangentish.infer.dicts import DictView
from tangentish.infer.expressions import Expressions
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.literals import kind_of_literal
from tangentish.joins import join
from tangentish.kinds import REFUSED, UNKNOWN, Functions, Kind, Num, Seq, Tup
from tangentish.kinds_of_values import kind_of

__all__ = ["Iteration", "element_of", "is_range"]

ITERATORS: set[Any] = {range, zip, enumerate, reversed}


class Iteration(Expressions):
    """The part of the walk that knows what can be run over."""

    def item_of(self, node: Any) -> Kind:
        """The kind of what a loop over `node` gets on each trip."""
        function = self.called(node.func)[0] if isinstance(node, gast.Call) else None
        if isinstance(function, DictView) and not (node.args or node.keywords):
            kind = self.item_of_view(function.name, self.kind(node.func.value), node)
        elif function in ITERATORS and not any(isinstance(a, gast.Starred) for a in node.args):
            kind = self.item_of_iterator(function, node)
        elif self.is_part_of_range(node):
            kind = self.item_of(node.value)
            for bound in filter(None, (node.slice.lower, node.slice.upper, node.slice.step)):
                self.expression(bound)
            self.facts.kinds[node] = UNKNOWN
        else:
            kind = self.item_of_sequence(self.expression(node), node)
        self.facts.items[node] = kind
        return kind

    def is_part_of_range(self, node: Any) -> bool:
        """`range(n)[::-1]`"""
        match node:
            case gast.Subscript(value=gast.Call(func=func), slice=gast.Slice()):
                return self.called(func)[0] is range
        return False

    def item_of_view(self, name: str, container: Kind, node: Any) -> Kind:
        """The kind of what a loop over d.items(), d.values() or d.keys() gets."""
        if container.active:
            return self.item_of_sequence(self.expression(node), node)
        self.facts.kinds[node] = UNKNOWN
        key: Kind = UNKNOWN
        value: Kind = UNKNOWN
        match container:
            case Functions(item=item):
                value = item
            case Tup(items=items, keys=keys) if items and keys:
                key = functools.reduce(join, map(kind_of, keys))
                value = functools.reduce(join, items)
        if name == "items":
            return Tup((key, value))
        return key if name == "keys" else value

    def item_of_iterator(self, function: Any, node: Any) -> Kind:
        keywords = {k.arg: k.value for k in node.keywords}
        self.facts.callees[node] = Callee(function, tuple(node.args), keywords)
        self.facts.kinds[node] = UNKNOWN
        for value in keywords.values():
            self.expression(value)
        if function is range:
            for bound in node.args:
                self.expression(bound)
            return Num(np.dtype(int), (), False, weak=True)
        if function is zip:
            return Tup(tuple(map(self.item_of, node.args)))
        if function is enumerate:
            for start in node.args[1:]:
                self.expression(start)
            return Tup((Num(np.dtype(int), (), False, weak=True), self.item_of(node.args[0])))
        return self.item_of(node.args[0])

    def item_of_sequence(self, kind: Kind, node: Any) -> Kind:
        match kind:
            case Num(shape=shape, array=True) if shape:
                return element_of(kind)
            case Seq(item=item):
                return self.taken(item, node)
            case Functions(item=item) if kind.type is list:
                return item
            case Tup(keys=keys) if kind.is_mapping:
                kinds = list(map(kind_of_literal, keys or ()))
                return functools.reduce(join, kinds) if kinds else UNKNOWN
            case Tup() if kind.active:
                self.demand(kind, node)
            case Tup(items=items) if items:
                return functools.reduce(join, items)
        if kind.active:
            self.refuse("it is not known how this is run over: loop over its indices", node)
        return REFUSED if self.is_refused(node) else UNKNOWN


def is_range(node: Any, facts: Facts) -> bool:
    callee = facts.callees.get(node)
    return callee is not None and callee.function is range


def element_of(kind: Num) -> Num:
    """The kind of `x[i]`."""
    assert kind.shape
    rest = kind.shape[1:]
    return replace(
        kind, shape=rest, array=bool(rest), weak=False, value=None, contiguous=kind.contiguous and bool(rest),
        buffers=kind.buffers if rest else frozenset(),
    )  # fmt: skip
