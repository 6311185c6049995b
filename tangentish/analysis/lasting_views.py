"""A view whose path does not last gets indices of its own, which are bound where the view is, and only there.

    previous = a[0]                      previous_at = 0; previous = a[previous_at]
    for i in range(1, n):                for i in range(1, n):
        a[i] += previous           ->        a[i] += previous
        previous = a[i]                      previous_at = i; previous = a[previous_at]

so that wherever the view is read, `a[previous_at]` is what it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, lasts, literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, is_number
from tangentish.language.webs import map_blocks
from tangentish.rules.rule import ABSENT


def has_own_index(view: str, path: Any) -> bool:
    """Whether the path of a view leads over an index that is bound with it."""
    return any(_owner_mark(view) in name for name in ir.names_in(path))


def with_own_indices(function: ir.Function, view: str, facts: Facts) -> ir.Function | None:
    """The function in which all definitions of a view lead over its own indices; None where they differ in more."""
    paths = _paths_of_definitions(function, view, facts)
    if not paths or any(has_own_index(view, path) for path in paths):
        return None
    unsure = any(node.id == view for node in facts.unsure)
    indices = _Indices(view, facts, _staying(function), unsure)
    try:
        path = indices.path(paths)
    except _Different:
        return None
    if not indices.values:
        return None
    bound = {
        id(p): dict(zip(indices.values, v)) for p, v in zip(paths, zip(*indices.values.values()))
    }
    change = _Change(view, facts, path, bound)
    body = change.block(function.body)
    return replace(function, body=body)


def _owner_mark(view: str) -> str:
    return f".+{view.replace('.', '=')}="


def _paths_of_definitions(function: ir.Function, view: str, facts: Facts) -> list[Any]:
    """The paths that a name is bound to; none where one is not known."""
    paths = []
    for statement in ir.walk_statements(function.body):
        if isinstance(statement, ir.Update) or view not in ir.defined_names(statement):
            continue
        if statement not in facts.before:  # it can't be reached
            continue
        nodes = _targets(statement, view)
        if len(nodes) != 1 or nodes[0] not in facts.views:
            return []
        path = facts.views[nodes[0]]
        if not (isinstance(statement, ir.Assign) and _is_replaced(statement, facts)) and not lasts(
            path, facts
        ):
            return []  # what is evaluated once must not be evaluated again
        paths.append(path)
    return [] if view in function.parameters else paths


def _targets(statement: ir.Statement, view: str) -> list[Any]:
    if not isinstance(statement, ir.Assign):
        return []
    return [t for t in ir.walk(statement.target) if isinstance(t, gast.Name) and t.id == view]


def _staying(function: ir.Function) -> frozenset[str]:
    """The values that are bound once, before anything that could read them runs twice."""
    lines = list(ir.walk_statements(function.body))
    count = Counter((*function.parameters, *(n for s in lines for n in ir.defined_names(s))))
    first = {n for s in function.body if isinstance(s, ir.Assign) for n in ir.defined_names(s)}
    return frozenset(n for n in (*first, *function.parameters) if count[n] == 1)


class _Different(Exception):
    """The paths differ in more than their indices."""


@dataclass
class _Indices:
    """Several paths into one array as one path, and what its indices are in each of them."""

    view: str
    facts: Facts
    staying: frozenset[str]
    always: bool  # give an index to what would not need one
    values: dict[str, list[Any]] = field(default_factory=dict)

    def path(self, nodes: Sequence[Any]) -> Any:
        first = nodes[0]
        if any(type(node) is not type(first) for node in nodes):
            raise _Different
        match first:
            case gast.Name():
                if len({node.id for node in nodes}) > 1:
                    raise _Different
                return first
            case gast.Subscript():
                inner = self.path([node.value for node in nodes])
                return gast.Subscript(inner, self.index(nodes), gast.Load())
            case gast.Attribute():
                inner = self.path([node.value for node in nodes])
                if len({node.attr for node in nodes}) > 1:
                    raise _Different
                return gast.Attribute(inner, first.attr, gast.Load())
        if len({gast.dump(node) for node in nodes}) > 1 or not lasts(first, self.facts):
            raise _Different
        return first

    def index(self, nodes: Sequence[Any]) -> Any:
        indices = [node.slice for node in nodes]
        if not any(isinstance(index, gast.Tuple) for index in indices):
            return self.part(indices, nodes, 0)
        if not all(
            isinstance(i, gast.Tuple) and len(i.elts) == len(indices[0].elts) for i in indices
        ):
            raise _Different
        places = zip(*(index.elts for index in indices))
        return gast.Tuple(
            [self.part(parts, nodes, k) for k, parts in enumerate(places)], gast.Load()
        )

    def part(self, parts: Sequence[Any], nodes: Sequence[Any], k: int) -> Any:
        """One index, or one slice."""
        if not any(isinstance(part, gast.Slice) for part in parts):
            return self.own(parts, "at")
        if not all(isinstance(part, gast.Slice) for part in parts):
            raise _Different
        lower = self.bound([p.lower for p in parts], parts, "start", [constant(0)] * len(nodes))
        ends = [_length(node, k) for node in nodes]
        upper = self.bound([p.upper for p in parts], parts, "stop", ends)
        step = self.bound([p.step for p in parts], parts, "step", [constant(1)] * len(nodes))
        return gast.Slice(lower, upper, step)

    def bound(
        self, bounds: Sequence[Any], parts: Sequence[Any], role: str, defaults: Sequence[Any]
    ) -> Any | None:
        """A bound of slices; the default where only some leave it out."""
        if all(bound is None for bound in bounds) and not (self.always and role == "start"):
            return None
        backwards = role != "step" and any(part.step is not None for part in parts)
        missing = any(d is None for b, d in zip(bounds, defaults) if b is None)
        if any(bound is None for bound in bounds) and (backwards or missing):
            if self.always and all(bound is None for bound in bounds):
                return None
            raise _Different
        return self.own([d if b is None else b for b, d in zip(bounds, defaults)], role)

    def own(self, expressions: Sequence[Any], role: str) -> Any:
        """An index as it stands where it is the same always, else a name for it."""
        first = expressions[0]
        if len({gast.dump(e) for e in expressions}) == 1 and self.stays(first):
            return first
        name = f"{ir.base_name(self.view)}_{role}{_owner_mark(self.view)}{len(self.values)}"
        self.values[name] = [self.number(e) for e in expressions]
        return gast.copy_location(ir.name(name), first)

    def stays(self, node: Any) -> bool:
        if literal_of(node) is not ABSENT:
            is_number = type(literal_of(node)) is int
            return not (self.always and is_number)
        names = ir.names_in(node)
        last = lasts(gast.Subscript(ir.name("x.0"), node, gast.Load()), self.facts)
        called = any(isinstance(sub, gast.Call) for sub in ir.walk(node))
        return last and self.staying.issuperset(names) and not (called or self.always)

    def number(self, node: Any) -> Any:
        """An index as a number, which does not change where the index is an array of one."""
        kind = self.facts.kind(node)
        if type(literal_of(node)) is int or is_number(kind):
            return node
        if isinstance(node, (gast.BinOp, gast.UnaryOp)) or _is_length(node):
            return node
        if isinstance(node, gast.Call) or (isinstance(kind, Num) and kind.shape == ()):
            return quote("int({e})", e=node)
        raise _Different


def _length(node: Any, k: int) -> Any | None:
    """The length of the axis that the k-th part of an index goes along."""
    parts = ir.parts_of(node.slice)
    plain = (isinstance(p, gast.Slice) or type(literal_of(p)) is int for p in parts[:k])
    if not all(plain):
        return None
    if k == 0:
        return quote("len({x})", x=node.value)
    return quote("{x}.shape[{k}]", x=node.value, k=constant(k))


def _is_length(node: Any) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "id", "") == "$len"


@dataclass(frozen=True)
class _Change:
    """The definitions of a view, over its own indices."""

    view: str
    facts: Facts
    path: Any
    values: dict[int, dict[str, Any]]  # by the node of a path: what the indices are

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for old in block for new in self.statement(old))

    def statement(self, old: ir.Statement) -> Iterator[ir.Statement]:
        targets = _targets(old, self.view)
        if not isinstance(old, ir.Assign) or not targets or targets[0] not in self.facts.views:
            yield map_blocks(old, self.block)
            return
        for name, value in self.values[id(self.facts.views[targets[0]])].items():
            yield ir.Assign(gast.copy_location(ir.name(name), old.target), value, old.origin)
        place = gast.copy_location(ir.duplicate(self.path), old.value)
        if _is_replaced(old, self.facts):
            yield ir.Assign(old.target, place, old.origin)
            return
        gone = f"{ir.base_name(self.view)}{_owner_mark(self.view)}gone"
        others = ir.copy_expression(
            old.target,
            lambda n: gast.copy_location(ir.name(gone), n) if n is targets[0] else None,
        )
        yield ir.Assign(others, old.value, old.origin)
        yield ir.Assign(targets[0], place, old.origin)


def _is_replaced(statement: ir.Assign, facts: Facts) -> bool:
    """Whether the path can stand for what the statement binds: a call of the user's has to be made."""
    return isinstance(statement.target, gast.Name) and facts.user_of(statement.value) is None
