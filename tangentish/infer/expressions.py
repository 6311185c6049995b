"""Expressions: every one gets its kind."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.calls import Calls
from tangentish.infer.facts import Conflict, ListNeeded
from tangentish.infer.into_arguments import writes_to_what_it_gets
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.known_functions import is_of_library, is_user_code
from tangentish.infer.literals import NEVER_SET, kind_of_literal, literal_of, text_of_kind
from tangentish.infer.names_in_text import is_class_of
from tangentish.infer.operations import Operations
from tangentish.infer.shapes_of_several import ShapesOfSeveral
from tangentish.infer.spreading import has_stars
from tangentish.infer.subscripts import Subscripts
from tangentish.kinds import (
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Fun,
    Kind,
    Known,
    Num,
    Opaque,
    Tup,
    is_array,
    is_number,
    replace,
)
from tangentish.kinds.arrays_outside import measured
from tangentish.kinds.kinds_of_values import kind_of, undecorated
from tangentish.kinds.lengths import Dim, Shape
from tangentish.language.comprehensions import Filled
from tangentish.language.declared import place_of
from tangentish.language.imported import MISSING, Imported, object_of
from tangentish.language.lifted import Instance, element_name, stands_for_class
from tangentish.language.nested import Closure
from tangentish.language.rebound import CellDisplay
from tangentish.language.records import RecordsDisplay
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.rules.names import named


class Expressions(ShapesOfSeveral, Operations, Subscripts, Calls):
    """The part of the walk that knows expressions."""

    def expression(self, node: Any, quiet: bool = False) -> Kind:
        if (self.cached and node in self.facts.kinds) or node in self.facts.parts_of_calls:
            return self.facts.kinds[node]
        way = _WAYS[node.__class__]
        kind = self.other_expression(node, quiet) if way is None else way(self, node)
        if node.__class__ is not gast.Name and node.__class__ is not gast.Constant:
            kind = self.with_symbols(kind, node)
            if self.device and isinstance(
                node, (gast.Call, gast.BinOp, gast.UnaryOp, gast.Compare)
            ):
                kind = self.on_device(kind, node)
        if kind.__class__ is not Num:
            kind = self.container_met(kind, node)
        if kind is REFUSED:
            self.refused = True
        elif self.refused and self.is_refused(node):
            kind = REFUSED
        self.facts.kinds[node] = kind
        return kind

    def container_met(self, kind: Kind, node: Any) -> Kind:
        if is_keyed_dict(kind):
            return self.check_whole(node, kind) or kind
        if isinstance(kind, Tup):
            kind = self.records_at(node, kind) if kind.is_records else kind
            if isinstance(node, gast.Call):
                self.check_has_name(kind, node)
        return kind

    def on_device(self, kind: Kind, node: Any) -> Kind:
        """What an operation gives on a device: an array of no axes where numpy gives a scalar."""
        if self.device and is_number(kind) and not kind.weak:
            return replace(kind, shape=(), array=True, buffers=kind.buffers or self.fresh(node))
        return kind

    def display(self, node: Any) -> Kind:
        if has_stars(node):
            return self.spread_display(node)
        return super().display(node)

    def evaluate_cached(self, node: Any) -> Kind:
        """The kind of generated code: what stands in it is known already, or follows."""
        self.cached = True
        try:
            return self.expression(node)
        except ListNeeded:  # what a call is given stands in no line here
            return UNKNOWN
        finally:
            self.cached = False

    def literal_kind(self, node: Any) -> Kind:
        return kind_of_literal(node.value)

    def is_object_outside(self, name: str) -> bool:
        """Whether a name outside holds an object of the user's: its class says how it is written."""
        if ir.is_value(name) or name in self.scope:
            return False
        try:
            return not is_of_library(type(self.source.lookup(name)))
        except NameError:
            return False

    def formatted(self, node: Any) -> Kind:
        """f"{o.x}": of what is taken apart it is known what stands there; functions of the user's may write."""
        left = [node]
        while left:
            part = left.pop()
            call = isinstance(part, gast.Call) and (
                self.is_of_user(part.func)
                or writes_to_what_it_gets(self.called(part.func)[0], part)
            )
            if call or is_class_of(part) or isinstance(part, COMPREHENSIONS):
                self.expression(part)
                continue
            if isinstance(part, (gast.Name, gast.Attribute, gast.Subscript)):
                self.place_in_container(part)
            if isinstance(part, gast.Name) and self.is_object_outside(part.id):
                self.expression(part)
            left += ir.children(part)
        text = self.text_of(node)
        if text is not None:
            return Known(text)
        return TEXT_THAT_VARIES if self.shows_what_varies(node) else Opaque(str)

    def is_of_user(self, func: Any) -> bool:
        function, _ = self.called(func)
        inside = isinstance(function, Fun)  # stands in one that is differentiated
        return inside or (isinstance(function, types.FunctionType) and is_user_code(function))

    def text_of(self, node: Any) -> str | None:
        """The text that `f"w{k}"`, `str(k)` or a string is known to be."""
        match node:
            case gast.JoinedStr(values=values):
                parts = [self.text_of(value) for value in values]
                return None if any(p is None for p in parts) else "".join(p or "" for p in parts)
            case gast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.text_of(value)
            case gast.Constant(value=str() | int() as value) if type(value) is not bool:
                return str(value)
            case gast.Name(id=name):
                return text_of_kind(self.env.kinds.get(name, UNKNOWN))
            case gast.BinOp(left=left, op=gast.Add(), right=right):
                kinds = self.kind(left), self.kind(right)
                if all(isinstance(k, Known) and isinstance(k.value, str) for k in kinds):
                    return "".join(
                        k.value for k in kinds if isinstance(k, Known) and isinstance(k.value, str)
                    )
        return None

    def place_in_container(self, node: Any) -> Kind:
        """The kind of a part of a container that names and keys lead to; nothing else is looked at."""
        kind: Kind = UNKNOWN
        match node:
            case gast.Name(id=name):
                kind = self.scope.get(name, self.env.kinds.get(name, UNKNOWN))
            case gast.Attribute(value=value) | gast.Subscript(value=value):
                base = self.place_in_container(value)
                position = base.position(self.key_of(node)) if isinstance(base, Tup) else None
                if isinstance(base, Tup) and position is not None:
                    kind = base.items[position]
            case _:
                return UNKNOWN
        self.facts.kinds[node] = kind
        return kind

    def container(self, node: Any) -> Kind:
        return self.as_written(self.container_by_type(node), node)

    def container_by_type(self, node: Any) -> Kind:
        if type(node) in (gast.Dict, Filled):
            return self.dict_display(node)
        if isinstance(node, Instance):
            return self.instance(node)
        if isinstance(node, CellDisplay):
            return self.cell(node)
        if isinstance(node, RecordsDisplay):
            return self.records_display(node)
        return self.display(node)

    def imported(self, node: Any) -> Kind:
        """What an import finds: of what may change, only that it is there."""
        if not node.level and node.module is not None:
            self.check_asked_of_module(sys.modules.get(node.module), node.name, node)
        value = object_of(node)
        if value is MISSING or not (callable(value) or isinstance(value, types.ModuleType)):
            return UNKNOWN
        self.facts.imports[node] = value
        return kind_of(undecorated(value))

    def other_expression(self, node: Any, quiet: bool) -> Kind:
        if isinstance(node, Closure):
            return self.closure(node)
        if isinstance(node, Imported):
            return self.imported(node)
        children = ir.children(node)
        kinds = [self.expression(child) for child in children]
        for child in children:
            self.escape(child)
        if any(kind.active for kind in kinds) and not quiet:
            self.refuse(
                f"{type(node).__name__} of a differentiated value is not supported yet", node
            )
        return UNKNOWN

    def binary(self, node: Any) -> Kind:
        left, op, right = node.left, node.op, node.right
        operands = self.expression(left), self.expression(right)
        if operands[0].__class__ is Num and operands[1].__class__ is Num:
            return self.operation_of_numbers(type(op).__name__, operands, (left, right), node)
        text = None if isinstance(operands[0], Num) else self.text_of(node)
        if text is not None:
            return Known(text)
        found = self.operator_method(type(op).__name__, (left, right), node)
        found = found or self.joined_objects(node)
        if found is None and isinstance(op, gast.BitOr):
            found = self.with_entries_of([(None, left), (None, right)], node)
        if found is not None:
            return found
        return self.operation(type(op).__name__, operands, (left, right), node)

    def unary(self, node: Any) -> Kind:
        match node:
            case gast.UnaryOp(op=gast.Not()):
                return self.test(node)
            case gast.UnaryOp(op=gast.USub(), operand=operand) if type(literal_of(node)) is int:
                self.expression(operand)
                return kind_of_literal(literal_of(node))
        name, operand = type(node.op).__name__, node.operand
        kind = self.expression(operand)
        found = self.operator_method(name, (operand,), node)
        return found or self.operation(name, (kind,), (operand,), node)

    def conditional(self, node: Any) -> Kind:
        truth = self.truth(self.test(node.test))
        if truth is not None:
            return self.expression(node.body if truth else node.orelse)
        with self.where(node.test, hold=True):
            body = self.expression(node.body)
        with self.where(node.test, hold=False):
            return self.met(body, self.expression(node.orelse))

    def read(self, node: Any) -> Kind:
        name = node.id
        if ir.is_value(name):
            if not self.cached:  # generated code says nothing about where the function finds it
                self.note_path(name)
            return self.read_value(name, node)
        return kind_of(named(name[1:])) if name.startswith("$") else self.read_outer(name, node)

    def note_path(self, name: str) -> None:
        path = self.env.paths.get(name)
        if path is None:
            self.facts.pathless.add(name)
        else:
            self.facts.paths.setdefault(name, {})[path[0]] = None

    def read_value(self, name: str, node: Any) -> Kind:
        kind = self.env.kinds.get(name) or self.element_so_far(name)
        plain = kind.__class__ is Num  # no function, and it has a value
        kind = kind if plain else self.refreshed(kind)
        if isinstance(kind, Tup) and stands_for_class(node):
            kind = Opaque(kind.type)
        if name in self.env.maybe and not name.startswith("."):  # flags are set in time
            self.facts.unsure.add(node)
        self.check_stale(name, kind, node)
        return kind if plain or kind != NEVER_SET else self.never_set(node)

    def element_so_far(self, name: str) -> Kind:
        """The kind of an element that has a name already, of a container that is told apart in the next pass."""
        if "@" not in name:
            return UNKNOWN
        containers = ((n, k) for n, k in self.env.kinds.items() if isinstance(k, Tup))
        found = (element_named(container, kind, name) for container, kind in containers)
        return next((kind for kind in found if kind is not None), UNKNOWN)

    def check_stale(self, name: str, kind: Kind, node: Any) -> None:
        writers = self.env.stale.get(name)
        if writers and kind.active and not (isinstance(kind, Tup) and kind.virtual):
            self.take_apart_if_given(kind)
            for writer in writers:
                self.facts.conflicts.append(Conflict(name, writer, node))
            self.env.stale[name] = frozenset()  # once is enough

    def read_outer(self, name: str, node: Any) -> Kind:
        """A name of the module, of a function around this one, or of a comprehension."""
        if name in self.scope:
            return self.scope[name]
        try:
            value = self.source.lookup(name)
        except NameError:
            self.facts.unsure.add(node)
            return UNKNOWN
        if self.is_rebound(name):
            return self.read_rebound(name, value)
        kind = kind_of(undecorated(value))
        self.consult(name, kind)
        return self.still(measured(kind, name))

    def read_rebound(self, name: str, value: object) -> Kind:
        """A name outside that the program binds: what it held before the call is a constant."""
        if not self.outermost:
            self.elsewhere.add(place_of(self.source, name))
        if name not in self.mirrored:
            return UNKNOWN
        kind = kind_of(value)
        self.consult(name, kind)
        return kind

    def outer_kind(self, name: str) -> bool | None:
        """Whether a name outside holds an array at present; None where it has no value."""
        try:
            kind = kind_of(self.source.lookup(name))
        except NameError:
            return None
        return isinstance(kind, Num) and kind.array is not False

    def with_symbols(self, kind: Kind, node: Any) -> Kind:
        """Lengths that are not known get a symbol, so that they are known to equal themselves."""
        if kind.__class__ is Num and is_measured(kind):
            return kind
        if isinstance(kind, Tup) and isinstance(node, gast.Call):
            items = (self.symbols_for_part(k, item, node) for k, item in enumerate(kind.items))
            return replace(kind, items=tuple(items))
        if not isinstance(kind, Num) or isinstance(node, (gast.Name, gast.Constant)):
            return kind
        if kind.array and kind.shape is not None and None in kind.shape:
            kind = replace(kind, shape=self.symbols_for(kind.shape, node))
        if is_counted(kind):
            self.symbols.add(id(node))
            return replace(kind, value=Dim(("new", id(node), "true")))
        if is_unmeasured(kind):
            self.symbols.add(id(node))
            return replace(kind, value=self.length_outside(node) or Dim(("new", id(node), 0)))
        return kind

    def symbols_for_part(self, k: int, item: Kind, node: Any) -> Kind:
        """The same for one of several results; arrays of places that were made together are equally long."""
        if not (isinstance(item, Num) and item.array and item.shape and None in item.shape):
            return item
        together = item.part is not None and item.shape == (None,)
        return replace(item, shape=self.symbols_for(item.shape, node, *(() if together else (k,))))

    def symbols_for(self, shape: Shape, node: Any, *part: int) -> Shape:
        self.symbols.add(id(node))
        return tuple(
            Dim(("new", id(node), axis, *part)) if n is None else n for axis, n in enumerate(shape)
        )


class _Ways(dict[type, Callable[[Expressions, Any], Kind] | None]):
    """What looks at nodes of a type; of a type that is not named here, what looks at those that it is one of."""

    def __missing__(self, node_type: type) -> Callable[[Expressions, Any], Kind] | None:
        above = (self[each] for each in node_type.__mro__[1:] if each in self)
        self[node_type] = next(above, None)
        return self[node_type]


_WAYS = _Ways(
    {
        gast.Constant: Expressions.literal_kind,
        gast.Name: Expressions.read,
        gast.BinOp: Expressions.binary,
        gast.UnaryOp: Expressions.unary,
        gast.Compare: Expressions.compare,
        gast.BoolOp: Expressions.boolean,
        gast.IfExp: Expressions.conditional,
        gast.Tuple: Expressions.container,
        gast.List: Expressions.container,
        gast.Dict: Expressions.container,
        Instance: Expressions.container,
        RecordsDisplay: Expressions.container,
        gast.Attribute: Expressions.attribute,
        gast.Subscript: Expressions.subscript,
        gast.Call: Expressions.call,
        gast.JoinedStr: Expressions.formatted,
        gast.FormattedValue: Expressions.formatted,
    }
)


def element_named(container: str, kind: Kind, wanted: str) -> Kind | None:
    """The kind of the part of a container that would be the value `wanted`."""
    if not isinstance(kind, Tup):
        return None
    for k, item in enumerate(kind.items):
        name = element_name(container, k, kind)
        found = item if name == wanted else element_named(name, item, wanted)
        if found is not None:
            return found
    return None


_BOOL, _INTEGER = np.dtype(bool), np.dtype(int)


def is_measured(kind: Num) -> bool:
    """Whether a kind, as most are, is that of floats whose lengths are known, or have symbols."""
    floats = kind.dtype is None or kind.dtype.kind in "fc"
    return floats and (not kind.array or kind.shape is None or None not in kind.shape)


def is_unmeasured(kind: Kind) -> bool:
    """Whether a kind is that of an integer which has no symbol yet."""
    if not isinstance(kind, Num) or not kind.weak or kind.array is not False:
        return False
    return kind.value is None and kind.dtype == _INTEGER


def is_counted(kind: Kind) -> bool:
    """Whether a kind is that of a mask whose trues have no symbol yet."""
    return is_array(kind) and kind.value is None and kind.dtype == _BOOL
