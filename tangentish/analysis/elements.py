"""Containers that are taken apart, in terms of their elements: what stands for them in the next pass.

t[1] -> t_1;   p.x -> p_x;   t, of a pair -> (t_0, t_1);   an object -> its attributes, and its class
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gast

from tangentish import ir
from tangentish.analysis.displays import display_of, mapping_of
from tangentish.analysis.settled import Settled
from tangentish.errors import Refusal
from tangentish.infer import Facts, is_shared, is_static, known_key
from tangentish.infer.targets import is_active_object
from tangentish.kinds import Kind, Tup, is_number, replace, same_form, truth_of
from tangentish.language.lifted import (
    Instance,
    Routine,
    class_at,
    element_name,
    element_path,
    itself_only,
    stands_for_class,
)
from tangentish.language.nested import Closure
from tangentish.language.records import RecordsDisplay
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.webs import map_statement
from tangentish.rules.rule import ABSENT

_AS_THEY_ARE = {
    gast.BinOp,
    gast.UnaryOp,
    gast.Constant,
    gast.Slice,
    gast.Tuple,
    gast.List,
}


_ORDERED = "an ordered dict is used here as a whole: give its entries, or a dict(...) of them"

_ANOTHER_CLASS = (
    "an object of another class takes the place of one in a dict or an object, and its class has no name here: import "
    "it, or give the object a name of its own"
)


@dataclass
class Elements:
    """The part of the extraction that knows what containers consist of."""

    facts: Facts
    count: int
    changed: bool = False
    refusals: list[Refusal] = field(default_factory=list)

    if TYPE_CHECKING:  # what the classes that are built on this one answer

        def active(self, node: Any) -> bool: ...
        def assignment(
            self, target: Any, value: Any, origin: ir.Origin
        ) -> Iterator[ir.Statement]: ...
        def block(self, block: ir.Block) -> ir.Block: ...
        def expression(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any: ...
        def inside(
            self, node: Any, before: list[ir.Statement], origin: ir.Origin, call: Any = None
        ) -> Any: ...
        def is_call(self, node: Any) -> bool: ...
        def is_call_of_given(self, node: Any) -> bool: ...
        def is_plain(self, test: Any) -> bool: ...
        def named(
            self, old: Any, node: Any, before: list[ir.Statement], origin: ir.Origin
        ) -> Any: ...
        def writes(self, node: Any) -> bool: ...

    @cached_property
    def is_settled(self) -> Settled:
        return Settled(self.facts)

    def known(self, node: Any) -> Kind | None:
        """The kind of a part; a tuple in which something is active anywhere is so everywhere."""
        kind = self.facts.kinds.get(node)
        if not isinstance(kind, Tup):
            return kind
        if not isinstance(node, gast.Name):
            path = self.facts.apart and isinstance(node, (gast.Subscript, gast.Attribute))
            name = self.container(node) if path else None
            return kind if name is None else self.facts.marked(name, kind)
        anywhere = self.facts.web_kinds.get(node.id)
        if not isinstance(anywhere, Tup) or len(anywhere.items) != len(kind.items):
            return self.facts.marked(node.id, kind)
        return self.facts.marked(node.id, _as_anywhere(kind, anywhere) if anywhere.active else kind)

    def is_apart(self, name: str | None, kind: Kind | None) -> bool:
        """Whether a container is its elements: it carries a derivative, or was given by them, for its functions."""
        if not isinstance(kind, Tup):
            return False
        by_elements = name is not None and name not in self.facts.entry
        anywhere = self.facts.web_kinds.get(str(name))
        # a dict whose entries are stored one by one, of which a later one varies
        grows = by_elements and kind.is_mapping and isinstance(anywhere, Tup) and anywhere.active
        return kind.active or grows or (by_elements and self.facts.is_given(str(name)))

    def form(self, name: str, kind: Any) -> Any:
        """A tuple whose fields have names on one way, and none on another, goes by numbers on all."""
        anywhere = self.facts.web_kinds.get(name)
        if not (isinstance(kind, Tup) and isinstance(anywhere, Tup)) or same_form(kind, anywhere):
            return kind
        counted = kind.is_counted and anywhere.is_counted
        return replace(kind, keys=anywhere.keys, type=anywhere.type) if counted else kind

    def length(self, call: Any) -> Any | None:
        """len(t) of a tuple that is taken apart"""
        callee = self.facts.callees.get(call)
        kind = self.known(call.args[0]) if len(call.args) == 1 else None
        if callee is None or callee.function is not len or getattr(kind, "is_object", False):
            return None
        if self.writes(call.args[0]):
            return None  # it is evaluated for that
        if not isinstance(kind, Tup) or not self.is_apart(self.container(call.args[0]), kind):
            return None
        self.changed = True
        return gast.copy_location(gast.Constant(len(kind.items), None), call)

    def without_tuples(self, node: Any) -> Any:
        """An expression that carries no derivative, in terms of the elements of tuples that do."""
        if self.is_settled(node):
            return node

        def change(sub: Any) -> Any | None:
            plain = sub.__class__ in _AS_THEY_ARE and sub not in self.facts.answers
            return None if plain else self.part_without_tuples(sub)

        return ir.copy_expression(node, change)

    def part_without_tuples(self, sub: Any) -> Any | None:
        """What stands for a part of it; None where that is the part itself."""
        new = sub
        instead = self.answer_to(sub) or self.without_known(sub) or self.written(sub)
        if instead is not None:
            self.changed = True
            return self.without_tuples(instead)
        if isinstance(sub, Closure):
            return sub
        if isinstance(sub, Instance):
            values = [self.without_tuples(v) for v in sub.values]
            same = all(map(operator.is_, values, sub.values))
            return sub if same else with_values(sub, values)
        if isinstance(sub, gast.Attribute) and self.is_of_class(sub):
            return self.of_class(sub)
        if isinstance(sub, gast.Call) and isinstance(sub.func, Routine):
            return self.with_first_names(sub)
        if isinstance(sub, gast.Call):
            new = self.length(sub)
        elif isinstance(sub, (gast.Subscript, gast.Attribute)):
            new = self.whole_element(sub)
        elif isinstance(sub, gast.Name) and isinstance(sub.ctx, gast.Load):
            new = self.whole_tuple(sub)
        return None if new is sub else new

    def answer_to(self, node: Any) -> Any | None:
        """What stands for an expression, unless a call in it changes something, and would not be made."""
        answer = self.facts.answers.get(node)
        if answer is None or any(isinstance(part, gast.Call) for part in ir.walk(answer)):
            return answer
        return None if any(map(self.facts.handed.get, ir.walk(node))) else answer

    def written(self, node: Any) -> Any | None:
        """What a comprehension over known items is written out as: as its items, objects are taken apart."""
        if isinstance(node, gast.Compare):
            return self.among_keys(node)
        new = self.facts.as_arrays.get(node) if isinstance(node, COMPREHENSIONS) else None
        return new if isinstance(new, (gast.Dict, gast.List)) else None

    def among_keys(self, node: Any) -> Any | None:
        """`k in d` as `k in ("a", "b")`, of a dict of objects, which can't be written down."""
        match node:
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[d]):
                kind = self.known(d)
            case _:
                return None
        if not (isinstance(kind, Tup) and kind.is_dict and any(map(is_active_object, kind.items))):
            return None
        keys = [gast.copy_location(gast.Constant(key, None), d) for key in kind.keys or ()]
        among = gast.copy_location(gast.Tuple(keys, gast.Load()), d)
        return ir.with_fields(node, {"comparators": [among]})

    def without_known(self, node: Any) -> Any | None:
        """The tests of a pattern without those that are known to hold; None where there are no such ones."""
        if not isinstance(node, gast.BoolOp):
            return None
        if not isinstance(node.op, ir.Matched):
            return self.without_passed_over(node)
        *first, last = node.values
        left = [v for v in first if not (truth_of(self.known(v)) and self.is_plain(v))]
        if len(left) == len(first):
            return None
        whole = gast.BoolOp(node.op, [*left, last]) if left else last
        return gast.copy_location(whole, node)

    def without_passed_over(self, node: Any) -> Any | None:
        """`a or b or c` without the operands that come after one which is known to decide: nobody looked at them."""
        stop = isinstance(node.op, gast.Or)
        ends = (k for k, v in enumerate(node.values) if truth_of(self.known(v)) is stop)
        end = next(ends, len(node.values)) + 1
        if end >= len(node.values):
            return None
        left = node.values[:end]
        return left[0] if end == 1 else gast.copy_location(gast.BoolOp(node.op, left), node)

    def with_first_names(self, call: Any) -> Any:
        """A call that gives all that its function reads; an object among that stands for its class."""
        args = [self.itself(a) or self.without_tuples(a) for a in call.args]
        same = all(map(operator.is_, args, call.args))
        return call if same else ir.with_fields(call, {"args": args})

    def settled(self, block: ir.Block) -> ir.Block:
        """The lines of this pass, none of them in terms of containers that are gone in the next one."""

        def settled(statement: ir.Statement) -> ir.Statement:
            target = getattr(statement, "target", None)
            return map_statement(
                statement,
                lambda e: self.settled_target(e) if e is target else self.without_tuples(e),
                self.settled,
            )

        return tuple(map(settled, block))

    def settled_target(self, target: Any) -> Any:
        """A target, of which names stay what they are."""
        if isinstance(target, (gast.Tuple, gast.List)):
            new = list(map(self.settled_target, target.elts))
            same = all(map(operator.is_, new, target.elts))
            return target if same else ir.with_fields(target, {"elts": new})
        place = self.place(target)
        return place if isinstance(place, gast.Name) else self.without_tuples(place)

    def place(self, target: Any) -> Any:
        """parts[0][1] = v  ->  parts_0[1] = v"""

        def change(node: Any) -> Any:
            if node in self.facts.integers or self.is_number_asked(node):
                self.changed = True
                return self.without_tuples(self.facts.answers[node])
            return self.element(node) if isinstance(node, places) else None

        places = (gast.Subscript, gast.Attribute)
        return ir.copy_expression(target, change) if isinstance(target, places) else target

    def is_number_asked(self, node: Any) -> bool:
        """Whether this is an index that a dict gives, which may not have it: `x[c.setdefault(k, 0)]` of `x[c[k]]`."""
        entry = isinstance(node, gast.Subscript) and node in self.facts.answers
        return entry and is_number(self.known(node))

    def placed(self, target: Any, value: Any) -> Any:
        """A target in terms of elements; where that is a name, it is known what it holds."""
        place = self.place(target)
        if (
            place is not target
            and isinstance(place, gast.Name)
            and not self.stays_given(place, value)
        ):
            self.facts.kinds[place] = self.facts.kind(target)
        return place

    def stays_given(self, target: Any, value: Any) -> bool:
        """Whether a name is that of an object that was given: its second name is told apart in the next pass."""
        kind = self.known(value)
        if isinstance(target, gast.Name) and target.id in self.facts.web_kinds:
            return False
        if not (isinstance(kind, Tup) and kind.is_object and kind.active):
            return False
        first = self.itself(value)
        return first is not None and self.facts.is_given(first.id)

    def element_names(self, name: str, kind: Any, at: Any) -> list[Any]:
        """The names of the elements of a container, of which it is known what they hold."""
        form = self.form(name, kind)
        names = [
            gast.copy_location(ir.name(element_name(name, k, form)), at)
            for k in range(len(kind.items))
        ]
        for new, item in zip(names, kind.items, strict=True):
            self.facts.kinds[new] = self.facts.marked(new.id, item)
        return names

    def tuple_target(self, target: Any) -> Any:
        """A name that holds a tuple of differentiated values becomes one name an element."""
        kind = self.known(target)
        if not (isinstance(target, gast.Name) and isinstance(kind, Tup) and kind.active):
            return target
        self.changed = True
        here = self.facts.kinds[target]  # elsewhere its elements may hold something else
        form = kind
        if isinstance(here, Tup) and len(here.items) == len(kind.items):
            form = replace(kind, items=here.items)
        names = self.element_names(target.id, form, target)
        return gast.copy_location(gast.Tuple(names, gast.Store()), target)

    def spread(self, value: Any) -> Any:
        """A dict or an object as its elements: that of another name, or a new one."""
        kind = self.facts.kinds.get(value)
        if not isinstance(kind, Tup) or (kind.is_counted and kind.active):
            return value
        elements = self.elements(value)
        if elements is None:
            return value
        return gast.copy_location(gast.Tuple(elements, gast.Load()), value)

    def is_of_class(self, node: Any) -> bool:
        """Whether an attribute of an object that is taken apart is one of its class."""
        kind = self.facts.kind(node.value)
        of_class = is_shared(kind, node.attr) or is_static(kind, node.attr)
        return of_class and self.itself(node.value) is not None

    def of_class(self, node: Any) -> Any:
        first = self.itself(node.value)
        return node if first is node.value else with_value(node, first)

    def elements(self, node: Any) -> list[Any] | None:
        """The elements of a tuple, one expression each."""
        kind = self.known(node)
        if node in self.facts.after_init:
            return None
        made = self.facts.made.get(node)
        node = made if isinstance(made, Instance) and isinstance(node, gast.Call) else node
        written = self.facts.as_arrays.get(node, self.facts.lifted.get(node))
        match written if isinstance(written, (gast.Tuple, gast.List)) else node:
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return list(elements)  # of d.values() and [*d.values()], (d["a"],)
            case (
                gast.Dict(values=values) | Instance(values=values) | RecordsDisplay(values=values)
            ) if isinstance(kind, Tup):
                return list(values)
            case gast.Name(id=name) if isinstance(kind, Tup) and self.is_apart(name, kind):
                return self.element_names(name, kind, node)
            case gast.Attribute() | gast.Subscript() if isinstance(kind, Tup) and kind.active:
                inner = self.container(node)
                return None if inner is None else self.element_names(inner, kind, node)
            case gast.Name() | gast.Attribute() | gast.Subscript() if isinstance(kind, Tup):
                parts = [element_path(node, k, kind) for k in range(len(kind.items))]
                self.facts.kinds.update(zip(parts, kind.items, strict=True))
                return [gast.copy_location(part, node) for part in parts]
            case gast.BinOp(left=left, op=gast.Add(), right=right) if (
                node not in self.facts.answers  # else it is a method of a class
            ):
                first, second = self.elements(left), self.elements(right)
                return None if first is None or second is None else first + second
        return None

    def itself(self, node: Any) -> Any | None:
        """What stands for the object of a name or a path, if that is taken apart.

        That is its class, of one whose place another took: what stood for the one before may stand there still.
        """
        first, kind = self.first_given(node), self.facts.kinds.get(node)
        if first is None or first.id not in self.facts.of_another_class:
            return first
        if not (isinstance(kind, Tup) and kind.is_object and kind.virtual and kind.type):
            return first
        path = self.facts.path_of_class(kind.type)
        if path is None:
            self.refusals.append(Refusal(_ANOTHER_CLASS, node))
            return first
        self.changed = True
        return class_at(path, node)

    def first_given(self, node: Any) -> Any | None:
        """The name under which an object was given that a name or a path is, if that is taken apart."""
        kind = self.known(node)
        if isinstance(node, gast.Name) and node not in self.facts.kinds:
            known = self.facts.objects.get(node.id, node.id)  # what an earlier pass has written
            return None if known == node.id else self.first_name(node)
        if not (isinstance(kind, Tup) and kind.is_object and kind.active):
            return None
        if isinstance(node, gast.Name):
            return self.first_name(node)
        element = self.element(node) if isinstance(node, (gast.Subscript, gast.Attribute)) else None
        return None if element is None else self.first_name(element)

    def element(self, node: Any) -> Any | None:
        """t[1] -> t_1"""
        kind = self.known(node.value)
        key = (
            node.attr
            if isinstance(node, gast.Attribute)
            else known_key(node.slice, self.facts.kind(node.slice))
        )
        if not isinstance(kind, Tup) or (key is not ABSENT and self.finds_by_change(node)):
            return None
        name = self.container(node.value)
        if not self.is_apart(name, kind):
            return None
        position = kind.position(key)
        here = self.facts.kinds.get(node.value)
        if position is None and isinstance(here, Tup) and here.is_counted:
            position = here.position(key)  # what comes from elsewhere has other names, or none
        if position is None or name is None:
            return None
        self.changed = True
        return gast.copy_location(ir.name(element_name(name, position, kind)), node)

    def finds_by_change(self, node: Any) -> bool:
        """d[o.key()], which is d["a"] where another line calls o.key()"""
        return isinstance(node, gast.Subscript) and self.writes(node.slice)

    def container(self, node: Any) -> str | None:
        """The name of a container, which may be an element of another.

        What a comprehension without a derivative runs over stays whole.
        """
        if isinstance(node, gast.Name):
            return str(node.id) if ir.is_value(node.id) else None
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            inner = self.element(node)
            return None if inner is None else str(inner.id)
        return None

    def first_name(self, node: Any) -> Any:
        """The name under which an object was given."""
        first = self.facts.objects.get(node.id)
        if first is None:
            return node
        self.changed = True
        return gast.copy_location(ir.name(first), node)

    def whole_element(self, node: Any) -> Any | None:
        """t[1], which may be a container itself"""
        element = self.element(node)
        kind = self.facts.kinds.get(node)
        if element is None or not isinstance(kind, Tup) or not self.is_apart(element.id, kind):
            return element
        return self.whole(gast.copy_location(element, node), kind)

    def part(self, node: Any, k: int, kind: Tup) -> Any:
        """An element by its name, of a tuple in a tuple by the names of its elements."""
        name = gast.copy_location(ir.name(element_name(node.id, k, kind)), node)
        item = kind.items[k]
        plain = isinstance(item, Tup) and (item.is_counted or item.is_mapping)
        inner = plain and self.is_apart(name.id, item)
        return self.whole(name, item) if inner and isinstance(item, Tup) else name

    def whole_tuple(self, node: Any) -> Any:
        if stands_for_class(node):
            first = self.first_name(node)
            return node if first is node else itself_only(first)
        kind = self.known(node)
        taken_apart = self.is_apart(node.id, kind) and ir.is_value(node.id)
        return self.whole(node, kind) if isinstance(kind, Tup) and taken_apart else node

    def whole(self, node: Any, kind: Tup) -> Any:
        """A container by its elements, one level of them; an object that was given as itself."""
        first = self.first_name(node)
        if kind.is_object and not kind.virtual:
            return first
        self.changed = True
        if kind.is_object or kind.is_function:
            return display_of(node.id, kind, node, first)
        names = [self.part(node, k, kind) for k in range(len(kind.items))]
        keys = [gast.copy_location(gast.Constant(key, None), node) for key in kind.keys or ()]
        if kind.type is OrderedDict:
            self.refusals.append(Refusal(_ORDERED, node))
        if kind.is_mapping:
            return gast.copy_location(mapping_of(kind, keys, names), node)
        if kind.type is not None:  # a named tuple keeps the names of its fields to the end
            return gast.copy_location(Instance(keys, names, first, kind.type), node)
        display = gast.List if kind.is_list else gast.Tuple
        return gast.copy_location(display(names, gast.Load()), node)


def _as_anywhere(kind: Kind, anywhere: Kind) -> Kind:
    """What a container holds anywhere, of the dicts in it the keys that are there by now."""
    if not (isinstance(kind, Tup) and isinstance(anywhere, Tup)):
        return anywhere
    if len(kind.items) != len(anywhere.items):
        return kind
    items = tuple(map(_as_anywhere, kind.items, anywhere.items))
    return anywhere if items == anywhere.items else replace(anywhere, items=items)


def with_values(instance: Any, values: list[Any]) -> Any:
    return gast.copy_location(Instance(instance.keys, values, instance.cls, instance.of), instance)


def with_value(attribute: Any, value: Any) -> Any:
    return gast.copy_location(gast.Attribute(value, attribute.attr, attribute.ctx), attribute)
