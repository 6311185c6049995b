"""Expressions that use elements of a list of dicts or objects, by the lists of their entries.

p.x      ->      ps["x"][i]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gast

from tangentish import ir
from tangentish.infer import RecordsUsed
from tangentish.infer.record_places import is_key
from tangentish.ir.quote import quote
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at, at
from tangentish.language.record_slices import is_plain_slice
from tangentish.language.records import (
    Lent,
    asked_in,
    captured_in,
    entry_of_element,
    list_of_entry,
)
from tangentish.language.ways import Way
from tangentish.language.written_out import written_out

Instead = Callable[[Any], tuple[Any, Any]]
_SIMPLE = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)


@dataclass
class Elements:
    """One list. places: the index of an element, by the name that it has.

    parts: the names of its entries, where nothing is stored to them.
    """

    needed: RecordsUsed
    number: int
    function: ir.Function
    places: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Mapping[Any, str]] = field(default_factory=dict)
    count: int = 0

    if TYPE_CHECKING:  # what the classes that are built on this one answer

        def block(self, block: ir.Block) -> ir.Block: ...
        def can_be_lent(self, p: str, block: ir.Block) -> bool: ...
        def changes_list(self, statement: ir.Statement) -> bool: ...
        def comprehension(self, node: Any) -> Any | None: ...
        def elements_bound(self, target: Any, over: Any) -> list[str]: ...
        def is_in_expression(self, call: Any) -> bool: ...
        def is_of_elements(self, line: ir.Assign) -> bool: ...
        def is_picked(self, node: Any) -> bool: ...
        def keys_asked(self, node: Any) -> Any | None: ...
        def note_named(self, lines: list[ir.Statement], way: Way | None = None) -> None: ...
        def picked(self, call: Any, origin: ir.Origin | None = None) -> Any: ...
        def puts_another(self, statement: ir.Statement) -> bool: ...
        def replaced(
            self, target: Any, over: Any, instead: Instead, origin: ir.Origin | None = None
        ) -> tuple[Any, Any]: ...

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}.e{self.number}n{self.count}"

    def variable(self, base: str) -> str:
        """A name for a variable of a comprehension, which nothing else has."""
        name = base
        while name in self.names:
            self.count += 1
            name = f"{base}_{self.count}"
        self.names.add(name)
        return name

    @cached_property
    def names(self) -> set[str]:
        """All names of the function, with those of its variables as the user wrote them."""
        found = set(ir.statements.mentions(self.function.body))
        return found | set(map(ir.base_name, found))

    @cached_property
    def stored_attributes(self) -> set[str]:
        """The attributes that some line of the function sets."""
        lines = ir.walk_statements(self.function.body)
        targets = (s.target for s in lines if isinstance(s, (ir.Assign, ir.Update)))
        return {n.attr for t in targets for n in ir.walk(t) if isinstance(n, gast.Attribute)}

    @property
    def is_object(self) -> bool:
        return self.needed.of is not dict

    @property
    def is_keyed(self) -> bool:
        """Whether it is a dict of dicts or objects, whose values have their keys for places."""
        return self.needed.way.keyed

    def is_list(self, node: Any) -> bool:
        return self.needed.way.is_at(node)

    def is_part(self, over: Any) -> bool:
        """`ps[1:]`, which runs over the same elements, but for some at its ends."""
        return isinstance(over, gast.Subscript) and (
            self.is_list(over.value)
            and is_plain_slice(over.slice)
            and self.places.keys().isdisjoint(ir.names_in(over.slice))
        )

    def is_whole_name(self, value: Any) -> bool:
        """Whether a name is not that of an element of this list."""
        return isinstance(value, gast.Name) and value.id not in self.places

    def means(self, function: Any, name: str) -> bool:
        return isinstance(function, gast.Name) and self.needed.means.get(function.id) == name

    @cached_property
    def is_captured(self) -> bool:
        """Whether a function inside may change an element out of sight."""
        return self.needed.way.root in captured_in(self.function)

    def first_list(self, node: Any) -> Any:
        return list_of_entry(self.needed.way, self.needed.keys[0], node)

    def length(self, node: Any) -> Any:
        """How many elements there are."""
        return all_at(quote("len({xs})", xs=self.first_list(node)), node)

    # -- what is done with elements

    def key_of(self, node: Any) -> Any:
        """The entry that `p.x` or `p["x"]` asks for; None where it is no entry."""
        if isinstance(node, gast.Attribute):
            key: Any = node.attr if self.is_object else None
        else:
            plain = isinstance(node.slice, gast.Constant) and not self.is_object
            key = node.slice.value if plain else None
        return key if key in self.needed.keys else None

    def is_read(self, p: str, key: Any, expressions: list[Any]) -> bool:
        return any(
            isinstance(n, (gast.Attribute, gast.Subscript))
            and isinstance(n.value, gast.Name)
            and n.value.id == p
            and self.key_of(n) == key
            for e in expressions
            for n in ir.walk(e)
        )

    def stands_bare(self, p: str, expression: Any) -> bool:
        """Whether an element is asked for anything but its entries."""
        entries = sum(
            1
            for n in ir.walk(expression)
            if isinstance(n, (gast.Attribute, gast.Subscript))
            and isinstance(n.value, gast.Name)
            and n.value.id == p
            and self.key_of(n) is not None
        )
        return ir.names_in(expression).count(p) != entries

    def stands_whole(self, expression: Any) -> bool:
        """Whether the list is given to anything, or asked for an element as such."""
        return self.needed.way.asked(expression) > 0

    def stores(self, statement: ir.Statement) -> bool:
        """Whether a line stores to anything of which an element, or an array in it, may be a part."""
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return False
        targets = [statement.target]
        while targets:
            target = targets.pop()
            if isinstance(target, (gast.Tuple, gast.List)):
                targets += target.elts
            elif isinstance(target, (gast.Attribute, gast.Subscript)):
                return True
        return False

    def is_bound_once(self, name: str) -> bool:
        return ir.statements.definitions(self.function.body)[name] == 1

    def stands_only_in(self, name: str, inside: list[ir.Statement]) -> bool:
        every = ir.statements.mentions(self.function.body)[name]
        stops = [s.stop for s in inside if isinstance(s, (ir.For, ir.While)) and s.stop is not None]
        found = sum(ir.mentioned(s).count(name) for s in inside)
        return found == every and not any(name in ir.names_in(stop) for stop in stops)

    def is_captured_in(self, p: str, block: ir.Block) -> bool:
        """Whether a function inside has a name, too."""
        return any(
            isinstance(n, Closure) and p in (c.id for c in n.captured)
            for s in ir.walk_statements(block)
            for e in asked_in(s)
            for n in ir.walk(e)
        )

    # -- expressions

    def expression(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any | None:
        match node:
            case gast.Attribute(value=owner) | gast.Subscript(value=owner):
                return self.of_element(node, owner)
            case gast.Name(id=p) if p in self.places:
                return self.lent(self.places[p], node)
            case gast.Call(func=function, args=[xs], keywords=[]) if self.is_list(
                xs
            ) and self.means(function, "len"):
                return self.length(node)
            case gast.Call() | gast.Compare() if self.is_keyed and (asked := self.keys_asked(node)):
                return asked
            case gast.UnaryOp(op=gast.Not(), operand=xs) if self.is_list(xs):
                return ir.with_fields(node, {"operand": self.length(xs)})
            case gast.Compare(
                left=gast.Name(id=p), ops=[gast.Is() | gast.IsNot() as op],
                comparators=[gast.Name(id=q)],
            ) if p in self.places and q in self.places:  # fmt: skip
                same = gast.Eq() if isinstance(op, gast.Is) else gast.NotEq()
                one, other = (written_out(self.places[n], {}) for n in (p, q))
                return at(gast.Compare(one, [same], [other]), node)
            case gast.Compare(
                left=gast.Name(id=p), ops=[gast.Is() | gast.IsNot()],
                comparators=[gast.Constant(value=None)],
            ) if isinstance(self.places.get(p), gast.Name):  # fmt: skip
                return ir.with_fields(node, {"left": written_out(self.places[p], {})})
            case gast.IfExp(test=test) if any(map(self.is_list, ir.walk(test))):
                parts = {part: self.expression(getattr(node, part)) for part in ("body", "orelse")}
                return ir.with_fields(node, {"test": self.test(test), **parts})
            case gast.ListComp() | gast.GeneratorExp() | gast.SetComp() | gast.DictComp():
                return self.comprehension(node)
        return None

    def test(self, node: Any) -> Any:
        """What is asked by a test: of the list, whether there are elements."""
        if self.is_list(node):
            return self.first_list(node)
        if isinstance(node, gast.BoolOp):
            return ir.with_fields(node, {"values": list(map(self.test, node.values))})
        return self.expression(node)

    def of_element(self, node: Any, owner: Any) -> Any | None:
        """`p.x`, `ps[k].x`, `p.method`, or `ps[k]` as such."""
        key = self.key_of(node)
        if isinstance(owner, gast.Name) and owner.id in self.parts and key is not None:
            return at(ir.name(self.parts[owner.id][key], node.ctx), node)
        index = self.index_of(owner)
        if index is not None and key is not None:
            return entry_of_element(self.needed.way, key, index, node, node.ctx)
        cls = self.needed.cls
        if index is not None and cls is not None and self.is_of_class(node):
            return ir.with_fields(node, {"value": at(ir.name(cls), node)})
        if self.index_of(node) is not None:
            return self.lent(self.index_of(node), node)
        return None

    def is_of_class(self, node: Any) -> bool:
        """Whether this asks for what the class has for all its objects: a plain value, or a method without `self`."""
        name = node.attr if isinstance(node, gast.Attribute) else ""
        return name not in self.stored_attributes and isinstance(
            inspect.getattr_static(self.needed.of, name, None),
            (int, float, staticmethod, classmethod),
        )

    def index_of(self, node: Any) -> Any | None:
        """Where an element stands that an expression names."""
        match node:
            case gast.Name(id=p) if p in self.places:
                return written_out(self.places[p], {})
            case gast.Subscript(value=xs, slice=index) if self.is_list(xs):
                by_key = not self.is_keyed and is_key(index)
                return None if by_key or isinstance(index, gast.Slice) else self.expression(index)
            case gast.Call() if self.is_picked(node) and self.is_in_expression(node):
                return self.picked(node)
        return None

    def lent(self, index: Any, node: Any) -> Any | None:
        """An element as such, for as long as the line takes."""
        if self.needed.cls is None or not self.is_simple(index):
            return None  # it would be computed once for every entry
        keys = [at(gast.Constant(key, None), node) for key in self.needed.keys]
        values = [
            entry_of_element(self.needed.way, key, written_out(index), node, gast.Load())
            for key in self.needed.keys
        ]
        cls = at(ir.name(self.needed.cls), node)
        records = self.needed.way.node(node)
        place = written_out(index)
        return at(Lent(keys, values, cls, self.needed.of, records, place, self.is_keyed), node)

    def is_simple(self, index: Any) -> bool:
        """Whether a place may be computed once for every entry."""
        simple = (*_SIMPLE, gast.Tuple) if self.is_keyed else _SIMPLE
        return all(isinstance(n, simple) for n in ir.walk(index))
