"""Dicts of numbers without a derivative that meet those with one: `sums[k] / counts[k]`.

What a dict that only counts holds is looked at when a differentiated value meets an entry of it: a dict of which this
function sees every use is followed from then on like those that carry a derivative, unless something else than numbers,
or arrays of one shape, is stored to it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.keyed_dicts import dict_mark, is_keyed_dict
from tangentish.infer.keyed_lists import is_listed, lists_mark
from tangentish.infer.keyed_methods import KeyedMethods
from tangentish.infer.starting_again import StartAgain
from tangentish.kinds import Kind, Num, Seq, is_unknown
from tangentish.kinds.joins import join

_GROWING = {"append", "extend", "insert"}
_PLACES = "places"  # an array is indexed by what may be an entry of a dict
_VIEWS = {"items", "values", "keys"}
_METHODS = _VIEWS | {"get", "setdefault", "pop"}


class Counts(KeyedMethods):
    """The part of the walk that finds out what dicts of numbers hold."""

    def demand_places(self, index: Any) -> None:
        """Something of which nothing is known indexes an array: is it an entry of a dict of numbers, or of lists?"""
        self.dynamic.add(_PLACES)
        self.demand_counts(index)

    def demand_counts(self, node: Any) -> None:
        """Something of which nothing is known meets a differentiated value: is it an entry of a dict of numbers?"""
        if self.cached:
            return
        for name in self.counts_behind(node):
            lines = [s for s in ir.walk_statements(self.function.body) if _defines(s, name)]
            values = [s.value for s in lines if isinstance(s, ir.Assign)]
            if _plain(name) in self.dynamic or not self.uses_are_seen(name):
                continue
            if values and len(values) == len(lines) and all(map(self.gives_dict, values)):
                self.demand_made(ir.name(name))

    def demand_holder(self, value: Any) -> None:
        """What is stored to may be a dict or an object that stands in a dict which is made here."""
        if self.cached:
            return
        for name in self.counts_behind(value):
            if self.uses_are_seen(name):
                self.demand_made(ir.name(name))

    def demand_alike(self, name: Any, before: Kind | None, kind: Kind) -> None:
        """A dict whose entries are followed comes to a name that another dict has elsewhere: that is one, too."""
        unknown = before is not None and is_unknown(before)
        if unknown and is_keyed_dict(kind) and _plain(name.id) not in self.dynamic:
            self.demand_made(name)

    def demand_lists(self, func: Any) -> None:
        """What varies is put into something of which nothing is known: is it a list under a key of a dict?"""
        if self.cached or not (isinstance(func, gast.Attribute) and func.attr in _GROWING):
            return
        for name in self.counts_behind(func.value):
            if _plain(name) not in self.dynamic:
                self.demand_made(ir.name(name), lists=True)

    def gives_dict(self, value: Any) -> bool:
        """Whether a dict is made here, or goes over to another name: of one that is followed, or made here, too."""
        if not isinstance(value, gast.Name):
            return self.makes_dict(value)
        named = self.facts.web_kinds.get(value.id)
        if named is not None:
            return is_keyed_dict(named)
        lines = [s for s in ir.walk_statements(self.function.body) if _defines(s, value.id)]
        return bool(lines) and all(
            isinstance(s, ir.Assign) and self.makes_dict(s.value) for s in lines
        )

    def counts_behind(self, node: Any) -> Iterator[str]:
        """The names of dicts of whose entries an expression may be made, by way of other names."""
        left, seen = [node], set[str]()
        while left:
            for part in ir.walk(left.pop()):
                yield from _dict_of_entry(part)
                if isinstance(part, gast.Name) and part.id not in seen:
                    seen.add(part.id)
                    left += self.bindings().get(part.id, ())
                    left += self.bound_in_comprehensions(part.id)

    def bindings(self) -> dict[str, list[Any]]:
        """What the names of the function are bound to: v of x = v, and d[...] of for k, x in d.items()."""
        if not self.facts.bindings:
            self.facts.bindings[""] = []
            for statement in ir.walk_statements(self.function.body):
                for name, value in _bound_by(statement):
                    self.facts.bindings.setdefault(name, []).append(value)
        return self.facts.bindings

    def bound_in_comprehensions(self, name: str) -> Iterator[Any]:
        for node in self.listing:
            for generator in node.generators:
                if name in ir.target_names(generator.target):
                    yield from _entries_run_over(generator.iter)

    def uses_are_seen(self, name: str) -> bool:
        """Whether a dict is asked for entries, stored to and run over, and nothing else is done with it."""
        for statement in ir.walk_statements(self.function.body):
            for expression in ir.expressions_of(statement):
                parts = list(ir.walk(expression))
                seen = {id(n) for part in parts for n in _asked(part)}
                if isinstance(statement, ir.For) and expression is statement.iter:
                    seen.add(id(expression))
                if isinstance(statement, ir.Assign) and expression is statement.target:
                    seen.add(id(expression))
                if any(
                    isinstance(n, gast.Name) and n.id == name and id(n) not in seen for n in parts
                ):
                    return False
        return True

    def let_be_plain(self, kind: Seq, value: Kind) -> None:
        """Start again where a dict that was taken for one of numbers gets something else."""
        listed = is_listed(value) and self.holds_lists(kind.buffers)
        held = join(kind.item, value) if isinstance(kind.item, Num) else value
        if not (_is_settled(held) or listed or self.env.dead or self.cached):
            if is_listed(value) and kind.item is None and _PLACES in self.dynamic:
                self.start_with_lists({buffer.site for buffer in kind.buffers})
            names = [n for n, k in self.env.kinds.items() if _is_in(k, kind)]
            self.give_up({buffer.site for buffer in kind.buffers}, names)

    def made_plain(self, node: Any, values: Sequence[Kind]) -> None:
        """Start again where a dict that was taken for one of numbers is made of something else."""
        line = self.statement
        if self.env.dead or self.cached or any(v.active for v in values):
            return
        listed = lists_mark(id(node)) in self.dynamic and all(map(is_listed, values))
        one = not values or _is_settled(functools.reduce(join, values))
        if isinstance(line, ir.Assign) and not (listed or one):
            self.give_up({id(node), id(line.value)}, ir.defined_names(line))

    def give_up(self, sites: set[Any], names: Sequence[str]) -> None:
        marks = set(map(dict_mark, sites))
        plain = set(map(_plain, names))
        if marks & self.dynamic and not plain <= self.dynamic:
            self.dynamic -= marks
            self.dynamic |= plain
            raise StartAgain


def _is_settled(kind: Kind) -> bool:
    """Whether this is a number, or an array of one shape."""
    return isinstance(kind, Num) and kind.known and None not in (kind.shape or ())


def _is_in(kind: Kind, d: Seq) -> bool:
    return isinstance(kind, Seq) and bool(kind.buffers & d.buffers)


def _dict_of_entry(node: Any) -> Iterator[str]:
    """The name of the dict of which an expression is an entry."""
    match node:
        case gast.Subscript(value=gast.Name(id=d)) if ir.is_value(d):
            yield d
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=d), attr="get" | "setdefault" | "values")
        ):
            if ir.is_value(d):
                yield d


def _bound_by(statement: ir.Statement) -> Iterator[tuple[str, Any]]:
    """The names that a line binds, or lists that it adds to, and what of."""
    match statement:
        case ir.Assign(gast.Name(id=name), value) | ir.Update(gast.Name(id=name), _, value):
            yield name, value
        case ir.Do(
            gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=args)
            )
        ) if attr in _GROWING:
            yield from ((name, value) for value in args)
        case ir.For(target, iterator):
            for entry in _entries_run_over(iterator):
                yield from ((name, entry) for name in ir.target_names(target))


def _entries_run_over(iterator: Any) -> Iterator[Any]:
    """An entry d[...] for d.items()"""
    match iterator:
        case gast.Call(func=gast.Attribute(value=gast.Name() as d, attr=view)) if view in _VIEWS:
            yield gast.Subscript(d, gast.Constant(Ellipsis, None), gast.Load())


def _asked(node: Any) -> Iterator[Any]:
    """The dicts that an expression asks for an entry, for how many there are, or for all of their keys."""
    match node:
        case gast.Subscript(value=d):
            yield d
        case gast.Call(func=gast.Attribute(value=d, attr=method)) if method in _METHODS:
            yield d
        case gast.Call(
            func=gast.Name(id="len" | "sorted" | "list" | "dict"), args=[d], keywords=[]
        ):
            yield d
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="dict"), attr="fromkeys"), args=[d, *_]
        ):
            yield d
        case gast.comprehension(iter=d):
            yield d
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[d]):
            yield d


def _defines(statement: ir.Statement, name: str) -> bool:
    return name in ir.defined_names(statement)


def _plain(name: str) -> Any:
    """What stands for a dict that holds something else than numbers."""
    return ("plain", name)
