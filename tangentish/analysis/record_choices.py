"""Names that stand for one element of a list and then for another, or for None: what they hold is an index.

    best = None                                     best = None
    for p in ps:                                    for i in range(len(ps["x"])):
        if best is None or p.x < best.x:    ->          if best is None or ps["x"][i] < ps["x"][best]:
            best = p                                        best = i
    last = max(ps, key=lambda p: p.v)               last = max(range(len(ps["v"])), key=ps["v"].__getitem__)

The list stays the same one, and its elements stay where they are, from the first line with such a name to the last.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.places_from_zero import PlacesFromZero
from tangentish.analysis.record_orders import Ordered
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at, at
from tangentish.language.records import asked_in, captured_in
from tangentish.language.written_out import written_out


@dataclass
class Choices(Ordered):
    """left: names that can't be written so, as an attempt has shown; unwritten: those that show now."""

    left: frozenset[str] = frozenset()
    unwritten: set[str] = field(default_factory=set)
    before: list[ir.Statement] = field(
        default_factory=list
    )  # what a line needs that is written next

    @cached_property
    def chosen(self) -> dict[str, str]:
        """The names of the indices of such names; keys of a dict are none."""
        if self.is_keyed:
            return {}
        found = self.given_elements()
        lines = ir.walk_statements(self.function.body)
        tuples = (s for s in lines if isinstance(s, ir.Assign) and not self.is_of_elements(s))
        pairs = {n for s in tuples if isinstance(s.target, gast.Tuple) for n in ir.defined_names(s)}
        several = (
            n for n, given in found.items() if n in pairs or not self.is_named_once(n, given)
        )
        usable = [n for n in several if self.can_be_index(n, found)]
        return {name: self.fresh(ir.base_name(name)) for name in usable}

    def given_elements(self) -> dict[str, list[Any]]:
        """What lines give names that stand for nothing but elements, and None."""
        given: dict[str, list[Any]] = {}
        for line in ir.walk_statements(self.function.body):
            for name in ir.defined_names(line):
                given.setdefault(name, []).append(self.given_by(line, name))
        known = {n for n in given if n not in self.function.parameters and n not in self.left}
        while True:
            fits = {n for n in known if all(self.may_be_given(v, known) for v in given[n])}
            if fits == known:
                break
            known = fits
        found = {
            n
            for n in known
            if any(self.is_element_of(v) for g in given[n] for v in _alternatives(g))
        }
        while more := {n for n in known - found if found & {*_names(given[n])}}:
            found |= more
        return {n: values for n, values in given.items() if n in found}

    def given_by(self, line: ir.Statement, name: str) -> Any | None:
        """What a line gives a name: an expression, or the loop that runs over elements."""
        match line:
            case ir.Assign(gast.Name(), value):
                return value
            case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)) if len(
                targets
            ) == len(values):
                found = [v for t, v in zip(targets, values, strict=True) if ir.is_name(t, name)]
                return found[0] if len(found) == 1 else None
            case ir.For(target, over) if name in self.elements_bound(target, over):
                return line
        return None

    def may_be_given(self, value: Any, known: set[str]) -> bool:
        return all(
            n.id in known if isinstance(n, gast.Name) else ir.is_none(n) or self.is_element_of(n)
            for n in _alternatives(value)
        )

    def is_element_of(self, value: Any) -> bool:
        """`ps[k]`, `min(ps, key=f)`, and a loop over the list."""
        match value:
            case gast.Subscript(value=xs, slice=index):
                by_key = isinstance(index, gast.Constant) and isinstance(index.value, str)
                return self.is_list(xs) and not by_key and not isinstance(index, gast.Slice)
            case gast.Call():
                return self.is_picked(value)
        return isinstance(value, ir.For)

    def is_named_once(self, name: str, given: list[Any]) -> bool:
        """Whether a name is that of one element, as long as it is read."""
        match given:
            case [gast.Subscript()]:
                return True
            case [ir.For() as loop]:
                inside = ir.statements.mentions((loop,))[name]
                return inside == ir.statements.mentions(self.function.body)[name]
        return False

    # -- whether a name may be an index

    def can_be_index(self, name: str, found: dict[str, list[Any]]) -> bool:
        block = _around(self.function.body, name)
        lines = _from_first_to_last(block, name)
        begins = _binds_surely(lines[0], name) or block is self.function.body
        inside = [*ir.walk_statements(tuple(lines))]
        stays = not any(map(self.puts_another, inside)) and not any(map(self.is_handed, inside))
        if not (begins and stays) or name in captured_in(self.function):
            return False
        optional = self.may_be_none(name, found)
        if not all(self.is_asked_well(name, line, optional, found) for line in inside):
            return False
        self.note_named(inside)
        return True

    def may_be_none(self, name: str, found: dict[str, list[Any]]) -> bool:
        names, count = {name}, 0
        while len(names) > count:
            count = len(names)
            names |= {n for known in names for n in _names(found[known])}
        return any(ir.is_none(v) for n in names for given in found[n] for v in _alternatives(given))

    def is_asked_well(
        self, name: str, line: ir.Statement, optional: bool, found: dict[str, list[Any]]
    ) -> bool:
        """Whether a line asks for nothing of an element that an index, or None, does not answer."""
        for expression in asked_besides(line, found):
            answered = sum(self.is_answered(n, name) for n in ir.walk(expression))
            bare = ir.names_in(expression).count(name) - answered
            if bare and (optional or self.needed.cls is None):
                return False
        return True

    def is_answered(self, node: Any, name: str) -> int:
        """How often a name stands in a node to be asked for an entry or a method, or whether it is another."""
        match node:
            case gast.Attribute(value=gast.Name(id=owner)) if owner == name:
                return self.key_of(node) is not None or self.needed.cls is not None
            case gast.Subscript(value=gast.Name(id=owner)) if owner == name:
                return self.key_of(node) is not None
            case gast.Compare(left=left, ops=[gast.Is() | gast.IsNot()], comparators=[right]):
                names = [n.id for n in (left, right) if isinstance(n, gast.Name)]
                known = len(names) + ir.is_none(left) + ir.is_none(right) == 2
                return names.count(name) if known else 0
        return 0

    def is_handed(self, line: ir.Statement) -> bool:
        """Whether the list gets another name, or another holder."""
        return isinstance(line, ir.Assign) and self.is_list(line.value)

    # -- as indices

    def is_chosen_line(self, line: ir.Statement) -> bool:
        """Whether a line gives such a name something."""
        return isinstance(line, ir.Assign) and not self.chosen.keys().isdisjoint(
            ir.target_names(line.target)
        )

    def chosen_line(self, line: ir.Assign) -> Iterator[ir.Statement]:
        """`best = p`, and `best, least = p, p.x`"""
        target, value = self.index_given(line.target, line.value, line.origin)
        yield from self.taken_before()
        yield ir.Assign(target, value, line.origin)

    def index_given(self, target: Any, value: Any, origin: ir.Origin) -> tuple[Any, Any]:
        """A target, and what it is given, elements by their indices."""
        if isinstance(target, gast.Tuple):
            pairs = zip(target.elts, value.elts, strict=True)
            new = [self.index_given(t, v, origin) for t, v in pairs]
            targets, values = [t for t, _ in new], [v for _, v in new]
            return ir.with_fields(target, {"elts": targets}), ir.with_fields(
                value, {"elts": values}
            )
        if not _is_any(target, self.chosen):
            return target, self.expression(value)
        index = self.index_of_given(value, origin)
        if index is None:
            self.unwritten.add(target.id)
            return target, value
        return at(ir.name(self.chosen[target.id], gast.Store()), target), index

    def index_of_given(self, value: Any, origin: ir.Origin | None) -> Any | None:
        match value:
            case gast.Name(id=p):
                return written_out(self.places[p], {}) if p in self.places else None
            case gast.Subscript(slice=index):
                return self.from_zero(index)
            case gast.Call():
                may = origin is not None or self.is_in_expression(value)
                return self.picked(value, origin) if may else None
            case gast.IfExp(test=test, body=body, orelse=orelse):
                one, other = (self.index_of_given(v, None) for v in (body, orelse))
                parts = {"test": self.expression(test), "body": one, "orelse": other}
                return None if one is None or other is None else ir.with_fields(value, parts)
        return value

    def from_zero(self, index: Any) -> Any:
        """An index counted from the beginning, since the list may grow, and places are compared."""
        value = self.expression(index)
        if self.is_keyed:
            return value
        match value:
            case _ if self.is_guarded:
                pass
            case gast.Constant(value=int(k)) if k >= 0 and type(k) is int:
                return value
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)):
                return all_at(quote("{n} - 1", n=self.length(index)), index)
            case _ if PlacesFromZero(self.function, self.means).holds(index):
                return value
        return all_at(quote("range({n})[{k}]", n=self.length(index), k=value), index)

    @cached_property
    def is_guarded(self) -> bool:
        """Whether it may matter where an index that is out of range shows."""
        return any(isinstance(s, ir.Try) for s in ir.walk_statements(self.function.body))

    # -- of the lines and loops


def asked_besides(line: ir.Statement, names: Container[str]) -> Iterator[Any]:
    """The expressions of a line, but for those names that it only hands on to others."""
    match line:
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)) if len(targets) == len(
            values
        ):
            pairs = [*zip(targets, values, strict=True)]
        case ir.Assign(target, value):
            pairs = [(target, value)]
        case _:
            yield from asked_in(line)
            return
    for target, value in pairs:
        handed = isinstance(value, (gast.Name, gast.IfExp)) and _is_any(target, names)
        yield from _tests(value) if handed else [value]
        if not isinstance(target, gast.Name):
            yield target


def _is_any(target: Any, names: Container[str]) -> bool:
    return isinstance(target, gast.Name) and target.id in names


def _binds_surely(line: ir.Statement, name: str) -> bool:
    """Whether a line gives a name something before anything asks for it."""
    match line:
        case ir.Assign(target, value):
            return name in ir.target_names(target) and name not in ir.names_in(value)
        case ir.If(test, body, orelse):
            begun = (_from_first_to_last(block, name)[:1] for block in (body, orelse))
            return name not in ir.names_in(test) and all(
                first and _binds_surely(first[0], name) for first in begun
            )
    return False


def _alternatives(value: Any) -> Iterator[Any]:
    """What `p if test else q` may be."""
    if isinstance(value, gast.IfExp):
        yield from _alternatives(value.body)
        yield from _alternatives(value.orelse)
    else:
        yield value


def _tests(value: Any) -> Iterator[Any]:
    if isinstance(value, gast.IfExp):
        yield value.test
        yield from _tests(value.body)
        yield from _tests(value.orelse)


def _names(values: list[Any]) -> Iterator[str]:
    return (n.id for v in values for n in _alternatives(v) if isinstance(n, gast.Name))


def _around(block: ir.Block, name: str) -> ir.Block:
    """The innermost block in which all lines stand that mention a name."""
    mentioning = [s for s in block if ir.statements.mentions((s,))[name]]
    if len(mentioning) != 1 or name in ir.mentioned(mentioning[0]):
        return block
    inner = [b for b in ir.blocks_of(mentioning[0]) if ir.statements.mentions(b)[name]]
    return _around(inner[0], name) if len(inner) == 1 else block


def _from_first_to_last(block: ir.Block, name: str) -> list[ir.Statement]:
    places = [k for k, s in enumerate(block) if ir.statements.mentions((s,))[name]]
    return list(block[places[0] : places[-1] + 1]) if places else []
