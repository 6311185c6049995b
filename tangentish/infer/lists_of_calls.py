"""Lists that calls give, whose elements have names of their own, as lists: where they meet others, grow, are stored to.

ys = f(x) if c else [v for v in x]    ->    ys = [*f(x)] if c else [v for v in x]
net = Net(w)                          ->    net = Net(w); net.ws = [net.ws[0], net.ws[1]]
b, a = coefficients(x)                ->    b, t = coefficients(x); a = [t[0], t[1]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.in_loops import seek_name
from tangentish.infer.records_made import lines_that_call
from tangentish.infer.starting_again import ListedHere
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup
from tangentish.language.ways import Way


class ListsOfCalls(Walk):
    """The part of the walk that makes a list of what a call gives."""

    def as_list_here(self, kind: Kind, node: Any) -> Kind:
        """f(x)  ->  [*f(x)], where elements have no names."""
        if not (isinstance(node, gast.Call) and isinstance(kind, Tup) and kind.is_list):
            return kind
        told_apart = kind.sites.isdisjoint(self.dynamic)
        made = all(isinstance(site, Made) for site in kind.sites)
        if told_apart or not (kind.active and made and self.gets_a_name(node)):
            return kind
        if not self.keeps_nothing(node):
            return kind
        call = self.made_once(
            (node, "call"), lambda: gast.Call(node.func, node.args, node.keywords), node
        )
        for facts in (self.facts.callees, self.facts.lifted):
            facts.pop(node, None)
        return self.answered_by(
            node, lambda: gast.List([gast.Starred(call, gast.Load())], gast.Load())
        )

    def list_here(self, kind: Tup) -> None:
        """A list that stands in what a call gave, and to which one way leads, is made anew after that line."""
        site = next(iter(kind.sites)) if len(kind.sites) == 1 and kind.is_list else None
        if not isinstance(site, Made) or self.cached:
            return
        held = self.env.kinds.items()
        ways = [way for name, whole in held for way in _ways_to(site, Way(name), whole)]
        lines = [*lines_that_call(self.function.body, site.call)]
        if not ways:
            self.name_first(site)
        if len(ways) != 1 or len(lines) != 1 or sum(_count(k, site) for _, k in held) != 1:
            return
        (way,), ((line, _),) = ways, lines
        if way.root in (ir.mentioned(line) if way.steps else _names_among(line)):
            raise ListedHere(line, way, len(kind.items))

    def name_first(self, site: Made) -> None:
        """`Net(w)(x)`: what a call on this line gave gets a name, by which there is a way."""
        parts = ir.expressions_of(self.statement) if self.statement is not None else ()
        for call in (node for part in parts for node in ir.walk(part) if id(node) == site.call):
            seek_name(self, call)

    def gets_a_name(self, call: Any) -> bool:
        """Whether the line at hand gives what a call gives a name of the user's, on one way or another."""
        match self.statement:
            case ir.Assign(gast.Name(id=name), gast.IfExp(body=body, orelse=orelse)):
                return call in (body, orelse) and "+" not in name
            case ir.Assign(gast.Name(id=name), value):
                return call is value and "+" not in name
        return False

    def keeps_nothing(self, call: Any) -> bool:
        """Whether no one but the caller has what a function of the user's gives."""
        user = self.facts.user_of(call)
        return user is not None and user.quiet


def _ways_to(site: Made, way: Way, kind: Kind) -> Iterator[Way]:
    """The ways to a container in a value: by names, keys and places."""
    if not isinstance(kind, Tup) or kind.is_function or kind.is_records:
        return
    if site in kind.sites:
        yield way
    form = "attr" if kind.is_object else "key"
    keys = kind.keys if kind.keys is not None else range(len(kind.items))
    for key, item in zip(keys, kind.items, strict=True):
        yield from _ways_to(site, way.to(form, key, (*keys,)), item)


def _names_among(line: ir.Assign | ir.Do) -> Sequence[str]:
    """The names that a line gives to parts of a value: `b, a = f(x)`"""
    match line:
        case ir.Assign(target=gast.Tuple() | gast.List() as target):
            return ir.target_names(target)
    return []


def _count(kind: Kind, site: Made) -> int:
    """How often a container stands in a value."""
    if not isinstance(kind, Tup):
        return 0
    return (site in kind.sites) + sum(_count(item, site) for item in kind.items)
