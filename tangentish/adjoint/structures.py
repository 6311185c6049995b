"""Structured arguments: tuples, lists, dicts, named tuples and objects of floats and arrays.

Inside, every element is a value of its own: `params["W"]` is `params_W`. In the text the user's expressions come back,
and the gradients of the elements come back in the structure of the argument, with None for what is no float.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.tangents import tangent_of
from tangentish.analysis.reached import Analysis
from tangentish.infer import literal_of
from tangentish.ir.needed import read_before_set
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Seq, Tup, replace
from tangentish.kinds.seen_outside import canonical
from tangentish.language.lifted import Lifted, element_name, element_path
from tangentish.language.webs import map_statement


@dataclass(frozen=True)
class Part:
    """An argument, or a part of one: a leaf, or a container of parts."""

    path: Any  # the expression that the user writes for it
    leaf: int | None = None
    kind: Tup | None = None
    parts: tuple[Part, ...] = ()


@dataclass
class Structure:
    """The parameters of a function, taken apart as far as their kinds are."""

    function: FunctionType
    names: Sequence[str]
    leaves: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    displays: list[tuple[str, tuple[str, ...], Tup]] = field(default_factory=list)
    paths: dict[str, Any] = field(default_factory=dict)
    counts: dict[Any, int] = field(default_factory=dict)  # elements of what has no keys
    parameters: list[Part] = field(default_factory=list)
    mixed: set[int] = field(default_factory=set)  # leaves with other things than floats in them

    def add(self, value: str, kind: Kind, path: Any, given: Kind) -> Part:
        if not (isinstance(kind, Tup) and kind.active):
            if not _is_of_floats(given):
                self.mixed.add(len(self.leaves))
            self.leaves.append(value)
            self.kinds.append(kind)
            if not isinstance(path, gast.Name):
                self.paths[value] = path
            return Part(path, len(self.leaves) - 1)
        names = tuple(element_name(value, k, kind) for k in range(len(kind.items)))
        inside = given.items if isinstance(given, Tup) else kind.items
        parts = tuple(
            self.add(name, item, element_path(path, k, kind), as_given)
            for k, (name, item, as_given) in enumerate(zip(names, kind.items, inside, strict=True))
        )
        self.displays.append((value, names, replace(kind, items=(), sites=frozenset())))
        if kind.is_object and not isinstance(path, gast.Name):
            self.paths[value] = path  # for its methods
        if kind.keys is None:
            self.counts[path] = len(parts)
        return Part(path, None, kind, parts)

    @property
    def lifted(self) -> Lifted:
        shown = tuple(f"{name}.0" for name in self.names)
        displays = tuple(self.displays)
        return Lifted(self.function, tuple(self.leaves), len(self.leaves), displays, shown=shown)

    def positions(self, parameters: Sequence[int]) -> tuple[int, ...]:
        """The leaves of some parameters that have gradients."""
        return tuple(k for p in parameters for k in self._floats(self.parameters[p]))

    def _floats(self, part: Part) -> list[int]:
        if part.leaf is not None:
            return [part.leaf] if self.kinds[part.leaf].active else []
        return [k for inner in part.parts for k in self._floats(inner)]

    def owners(self, leaves: Iterable[int]) -> tuple[int, ...]:
        """The parameters that leaves belong to."""
        wanted = set(leaves)
        return tuple(p for p, part in enumerate(self.parameters) if wanted & _leaves(part))

    # -- tangents

    def moving(self, parameters: Sequence[int]) -> Structure:
        """The structure in which some parameters have tangents, each of the structure of its parameter."""
        moved = replace(self, paths=dict(self.paths), counts=dict(self.counts))
        for p in parameters:
            moved.add_tangents(self.parameters[p], ir.name(tangent_of(f"{self.names[p]}.0")))
        return moved

    def add_tangents(self, part: Part, path: Any) -> None:
        if part.kind is None:
            assert part.leaf is not None
            if not isinstance(path, gast.Name) and self.kinds[part.leaf].active:
                self.paths[tangent_of(self.leaves[part.leaf])] = path
            return
        if part.kind.keys is None:
            self.counts[path] = len(part.parts)
        for k, inner in enumerate(part.parts):
            self.add_tangents(inner, element_path(path, k, part.kind))

    # -- gradients

    def gathered(
        self, gradients: Mapping[int, Any], parameters: Sequence[int], copied: Container[str]
    ) -> tuple[list[Any], ir.Block]:
        """The gradients of the leaves in the structure of the parameters, as they were given.

        copied: the parameters that are copied on entry; those whose structure is read keep their names before that.
        """
        found = [self._gathered(self.parameters[p], gradients, copied) for p in parameters]
        whole = (part.path.id for part in self.parameters if isinstance(part.path, gast.Name))
        read = {name for e in found for name in ir.names_in(e)}
        kept = ((_given(name), name) for name in whole if _given(name) in read)
        return found, tuple(ir.Assign(ir.name(g), ir.name(n), NOWHERE) for g, n in kept)

    def _gathered(self, part: Part, gradients: Mapping[int, Any], copied: Container[str]) -> Any:
        if part.kind is None:
            assert part.leaf is not None
            kind, g = self.kinds[part.leaf], gradients.get(part.leaf)
            if g is None:
                return constant(None)
            if not isinstance(kind, Seq) or (_is_plain_list(kind) and part.leaf not in self.mixed):
                return g
            is_changed = isinstance(part.path, gast.Name) and part.path.id in copied
            x = ir.name(_given(part.path.id)) if is_changed else part.path
            return quote("in_structure({g}, {x})", g=g, x=x)
        return _display(part, [self._gathered(inner, gradients, copied) for inner in part.parts])

    # -- text

    def shown(self, copies: ir.Block, *blocks: ir.Block) -> tuple[ir.Block, ...]:
        """The blocks with elements as the user writes them; those that are bound anew are named first."""
        statements = [s for block in blocks for s in ir.walk_statements(block)]
        copied = {n for s in copies for n in ir.defined_names(s)}
        bound = {n for s in statements for n in ir.defined_names(s)} & self.paths.keys()
        entry = _Paths(self.paths, self.counts)
        copies = tuple(
            ir.Assign(s.target, entry.expression(s.value), s.origin)
            for s in copies
            if isinstance(s, ir.Assign)
        )
        read = read_before_set(tuple(s for block in blocks for s in block))
        first = tuple(
            ir.Assign(ir.name(n), self.paths[n], NOWHERE)
            for n in self.paths
            if n in (bound - copied) & read
        )
        bound |= copied
        paths = {n: path for n, path in self.paths.items() if n not in bound}
        shown = _Paths(paths, self.counts)
        forward, *others = map(shown.block, blocks)
        return ((*copies, *first, *forward), *others)


def structured(
    function: FunctionType | Lifted,
    names: Sequence[str],
    kinds: Sequence[Kind],
    given: Sequence[Kind] | None = None,
) -> Structure | None:
    """The parameters taken apart; None where none of them is a structure that carries a derivative, or all are already.

    given: their kinds before the elements of lists that a function runs over became of one.
    """
    if isinstance(function, Lifted):
        return None
    if not any(isinstance(kind, (Tup, Seq)) and kind.active for kind in kinds):
        return None
    structure = Structure(function, names)
    for name, kind, before in zip(names, kinds, given or kinds, strict=True):
        structure.parameters.append(structure.add(f"{name}.0", kind, ir.name(f"{name}.0"), before))
    structure.kinds = list(canonical(structure.kinds)[0])
    return structure


def _leaves(part: Part) -> set[int]:
    if part.leaf is not None:
        return {part.leaf}
    return {k for inner in part.parts for k in _leaves(inner)}


def _is_plain_list(kind: Seq) -> bool:
    """Whether it is a list of floats, or of such lists, whose gradient has its structure."""
    if isinstance(kind.item, Seq):
        return not (kind.is_tuple or kind.keyed) and _is_plain_list(kind.item)
    return not kind.is_tuple and isinstance(kind.item, Num) and kind.item.is_float


def _is_of_floats(kind: Kind) -> bool:
    """Whether all that lies in an argument are floats, and arrays of them."""
    if isinstance(kind, Tup):
        return all(map(_is_of_floats, kind.items))
    return isinstance(kind, Seq) or (isinstance(kind, Num) and kind.is_float)


def _given(name: str) -> str:
    """The name of an argument as it is given."""
    return f"{ir.base_name(name)}_given.~0"


def _display(part: Part, values: list[Any]) -> Any:
    kind = part.kind
    assert kind is not None
    if kind.is_mapping:
        assert kind.keys is not None
        return gast.Dict(list(map(constant, kind.keys)), values)
    if kind.type is not None and issubclass(kind.type, tuple):
        return gast.Call(quote("type({x})", x=part.path), values, [])
    if kind.keys is not None:
        fields = [
            gast.keyword(str(key), value) for key, value in zip(kind.keys, values, strict=True)
        ]
        return gast.Call(ir.name("$with_fields"), [part.path], fields)
    return (gast.List if kind.is_list else gast.Tuple)(values, gast.Load())


@dataclass(frozen=True)
class _Paths:
    """Elements, and what the user writes for them."""

    paths: Mapping[str, Any]
    counts: Mapping[Any, int]  # by the expression of a container

    def statement(self, statement: ir.Statement) -> ir.Statement:
        return map_statement(statement, self.expression, self.block)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def expression(self, expression: Any) -> Any:
        return ir.copy_expression(expression, self.change)

    def change(self, node: Any) -> Any:
        match node:
            case gast.Name(id=name):
                return self.paths.get(name)
            case gast.Tuple(elts=[gast.Name(id=first), *_]) if first in self.paths:
                return self.whole(node.elts, self.paths[first])
        return None

    def whole(self, elements: Sequence[Any], first: Any) -> Any:
        """(p[0], p[1]) where p has just these elements: p."""
        if not isinstance(first, gast.Subscript) or self.counts.get(first.value) != len(elements):
            return None
        for k, element in enumerate(elements):
            path = self.paths.get(element.id) if isinstance(element, gast.Name) else None
            if not isinstance(path, gast.Subscript) or path.value is not first.value:
                return None
            if literal_of(path.slice) != k:
                return None
        return first.value


def leaves_bound_anew(structure: Structure, analysis: Analysis) -> list[int]:
    """The leaves that the function binds anew: entries that it stores to, where they became elements of lists, too."""
    lines = [*ir.walk_statements(analysis.function.body)]
    bound = {name for line in lines for name in ir.defined_names(line)}
    stored = {buffer.site for buffer in analysis.facts.written}
    for name, entries in (pair for line in lines for pair in _lists_made_first(line)):
        if not stored.isdisjoint(analysis.facts.sites(name)):
            bound.update(ir.names_in(entries))
    bound &= structure.paths.keys()  # the name of an argument itself is the function's own
    return [k for k, leaf in enumerate(structure.leaves) if leaf in bound]


def _lists_made_first(line: ir.Statement) -> Iterator[tuple[str, Any]]:
    """The lists of entries that a line makes of a list that was given (GivenAsRecords), which is none of the user's."""
    match line:
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values), origin):
            pairs = zip(targets, values, strict=False)
        case ir.Assign(target, value, origin):
            pairs = zip([target], [value], strict=True)
        case _:
            return
    for target, value in pairs if origin is NOWHERE else ():
        if isinstance(target, gast.Name) and isinstance(value, gast.List):
            yield target.id, value
