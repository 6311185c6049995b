"""Functions that are made while the program runs, and calls that give what they capture.

A closure reads what it captured when it runs. So a call of it, and a call that hands it on, gives the present values of
these variables as further arguments; tuples that carry a derivative are given by their elements (language/lifted.py).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Summary
from tangentish.infer.in_loops import seek_loop
from tangentish.infer.literals import NEVER_SET, UNSET
from tangentish.infer.walk import Walk
from tangentish.kinds import (
    REFUSED,
    UNKNOWN,
    Cell,
    Fun,
    Kind,
    Known,
    Opaque,
    Taken,
    Tup,
    functions_in,
    leaves_of_result,
    replace,
    with_parts,
)
from tangentish.kinds.held_functions import functions_held, objects_held
from tangentish.language.evaluated import read_for_sure
from tangentish.language.lifted import (
    Flat,
    Instance,
    Lifted,
    element_name,
    element_path,
    entry_name,
)
from tangentish.language.nested import Closure, captured_names, nested_of
from tangentish.language.rebound import CellDisplay, held_in
from tangentish.language.records import Lent, RecordsDisplay
from tangentish.language.source import read_source
from tangentish.runtime.names import UNBOUND

_NO_VALUE = "'{}' has no value yet when this function reads it"
_NO_VALUE_HERE = (
    "'{0}' has no value yet when this function reads it, or its parts have names of their own here: make what it needs "
    "of '{0}' a list or an array before, and have it read that"
)


class FunctionValues(Walk):
    """The part of the walk that follows functions as values."""

    def closure(self, node: Closure) -> Kind:
        """A nested function is defined: what held one from here, with other defaults, is not followed."""
        nested = nested_of(node.function)
        assert nested is not None
        cells = tuple(map(_cell, node.captured))
        if nested.default_names:
            made = (
                node.function,
                cells,
            )  # other cells are those of another trip of a loop that is written out
            for name, kind in dict(self.env.kinds).items():
                if any((fun.function, fun.cells) == made for fun in functions_in(kind)):
                    self.env.know(name, _unknown(kind, node.function))
        return self.refreshed(Fun(node.function, cells))

    def refreshed(self, kind: Kind) -> Kind:
        """A function carries a derivative if a variable that it captures does so now."""
        match kind:
            case Fun(cells=cells) if cells:
                return replace(kind, active=self.some_active(kind, set()))
            case Tup(items=items) if holds_function(kind):
                return replace(kind, items=tuple(map(self.refreshed, items)))
        return kind

    def some_active(self, kind: Kind, seen: set[str]) -> bool:
        match kind:
            case Fun():
                values = [v for v in kind.values if v not in seen]
                seen |= set(values)
                return any(self.some_active(self.env.kinds.get(v, UNKNOWN), seen) for v in values)
            case Tup(items=items):
                return any(self.some_active(item, seen) for item in items)
        return kind.active

    def captured(self, value: Any, call: Any, read: bool = False) -> Any:
        """A node for a captured variable, as an argument of a call; what a function holds has one.

        read: what is called reads it for sure.
        """
        if not isinstance(value, str):
            return value
        if self.is_never_set(value):
            unset = self.made_once((call, value, UNSET), lambda: gast.Constant(UNSET, None), call)
            self.facts.kinds[unset] = NEVER_SET
            return unset
        node = self.made_once((call, value), lambda: ir.name(value), call)
        self.hand_on(value, node, read)
        if value not in self.env.kinds:
            variable = held_in(value)  # that functions inside bind
            if variable is None:
                message = _NO_VALUE_HERE.format(ir.base_name(value))
            else:
                seek_loop(self)
                message = f"this may change '{variable}': let it stand on a line of its own, or write a loop"
            if variable is None or not self.refused:
                self.refuse(message, call)
        self.facts.kinds[node] = self.refreshed(self.env.kinds.get(value, UNKNOWN))
        return node

    def hand_on(self, value: str, node: Any, read: bool = False) -> None:
        """A variable is handed on as it is: what is called reads it, or not, and raises where it has no value."""
        self.facts.handed_unset.discard(node)
        if value in self.env.maybe:
            (self.facts.unsure if read else self.facts.handed_unset).add(node)

    def is_never_set(self, value: str) -> bool:
        """Whether a variable has no value on any way to this call: what is called may not come to where it is read."""
        if value in self.env.kinds:
            return self.env.kinds[value] == NEVER_SET
        return not self.loops_around and held_in(value) is None

    def never_set(self, node: Any) -> Kind:
        """A variable without a value is read: in a branch, that raises what it does in Python."""
        name, in_branch = ir.base_name(node.id), self.statement not in self.function.body
        if not in_branch or self.raises_here(node, "NameError", UNBOUND.format(name)) is None:
            self.refuse(_NO_VALUE.format(name), node)
        return REFUSED

    def element(self, node: Any, k: int, kind: Kind) -> Any:
        """A node for an element of a tuple, as an argument of a call."""
        node = self.facts.as_arrays.get(node, node)  # the values of a dict, written down
        if isinstance(node, (gast.Tuple, gast.List)):
            return self.facts.lifted.get(node, node).elts[k]  # without stars
        if type(node) in (gast.Dict, CellDisplay, RecordsDisplay, Instance, Lent):
            return node.values[k]
        container = self.kind(node)
        assert isinstance(container, Tup)
        form = (
            container.is_object,
            container.keys and container.keys[k],
        )  # which another walk may know better
        part = self.made_once((node, k, form), lambda: element_path(node, k, container), node)
        self.facts.kinds[part] = kind
        if any(type(inner) is gast.Call for inner in ir.walk(node)):
            self.facts.parts_of_calls.add(part)
        return part

    def made_once(self, key: Hashable, make: Callable[[], Any], at: Any) -> Any:
        """A node that stands for a part of the program: the same whenever the walk comes by."""
        if key not in self.made:
            self.made[key] = gast.copy_location(make(), at)
        return self.made[key]

    def escape(self, node: Any) -> None:
        """A function gets out of sight: nothing it captures may carry a derivative, or be written to unseen."""
        self.escape_from(self.kind(node), node)

    def escape_from(self, kind: Kind, node: Any) -> None:
        for fun in functions_in(kind):
            self.read_later(node, fun.values)

    def read_later(self, node: Any, values: tuple[str, ...]) -> None:
        if values:
            self.facts.escaped.append((node, values))

    def escape_from_call(
        self, found: Summary, values: Sequence[str], arguments: Sequence[Any], node: Any
    ) -> None:
        """What a callee leaves somewhere reads variables of this function, and of those around it.

        A function that it gives is known by what it holds then: no variable that it reads may be bound again.
        """
        left = [found.result, *(entry.kind for entry in found.bound)]
        holds = any(True for kind in left if kind is not None for _ in functions_held(kind))
        for value, argument in zip(values, arguments, strict=True):
            if argument is None:
                continue
            if holds and self.is_captured(argument, node) and self.is_bound_again(argument.id):
                if self.facts.callees[node].user.is_followed:  # type: ignore[union-attr]
                    variable = ir.base_name(argument.id)
                    self.refuse(
                        f"this gives a function that reads '{variable}', which is bound more than once",
                        node,
                    )
                self.read_later(node, (argument.id,))
            if value in found.escaped:
                self.read_later(node, tuple(filter(ir.is_value, ir.names_in(argument))))

    def is_captured(self, argument: Any, call: Any) -> bool:
        """Whether an argument of a call is a variable that the function reads when it runs."""
        return isinstance(argument, gast.Name) and self.made.get((call, argument.id)) is argument

    def is_bound_again(self, name: str) -> bool:
        """Whether a function that is made here, and kept, may read another value of a variable later."""
        lines = ir.walk_statements(self.function.body)
        binding = [line for line in lines if name in ir.defined_names(line)]
        if len(binding) + (name in self.function.parameters) != 1:
            return True
        named = isinstance(self.statement, ir.Assign) and isinstance(
            self.statement.target, gast.Name
        )
        loops = (line for line in lines if isinstance(line, (ir.For, ir.While)))
        around = (loop for loop in loops if self.statement in ir.walk_statements((loop,)))
        inside = (line for loop in around for line in ir.walk_statements((loop,)))
        return not named and any(line in binding for line in inside)

    def check_escaped(self) -> None:
        for node, values in self.facts.escaped:
            kinds = [self.facts.web_kinds.get(value, UNKNOWN) for value in values]
            if any(kind.active for kind in kinds if not isinstance(kind, Fun)):
                if isinstance(node, gast.GeneratorExp):
                    self.refuse("a generator that is kept is not followed: make it a list", node)
                    continue
                cells = (k.keys for k in kinds if isinstance(k, Tup) and k.type is Cell)
                bound = next((keys[0] for keys in cells if keys), None)
                what = f"binds '{bound}'" if bound else "captures differentiated values"
                self.refuse(
                    f"this function {what}, and what becomes of it is not known: "
                    "call it, or pass it to a function of yours",
                    node,
                )

    def packed(self, arguments: tuple[Any, ...], node: Any) -> Any:
        """The tuple that `*args` is."""
        packed = self.made_once(
            (node, "*", *arguments), lambda: gast.Tuple(list(arguments), gast.Load()), node
        )
        self.expression(packed)
        return packed

    def packed_by_name(self, arguments: dict[str, Any], node: Any) -> Any:
        """The dict that `**options` is."""
        keys = [gast.Constant(name, None) for name in arguments]
        values = list(arguments.values())
        packed = self.made_once((node, "**", *values), lambda: gast.Dict(keys, values), node)
        self.expression(packed)
        return packed


@dataclass
class Lifting:
    """The arguments of one call, told apart.

    hidden: what functions capture, given after all else.
    ready: all elements can be given as they stand; else the tuple they are in needs a name first.
    """

    walk: FunctionValues
    call: Any
    leaves: list[tuple[str, Any, Kind]] = field(default_factory=list)
    hidden: list[tuple[str, Any, Kind]] = field(default_factory=list)
    displays: list[tuple[str, tuple[str, ...], Tup]] = field(default_factory=list)
    packed: dict[str, Tup] = field(default_factory=dict)  # by the value that they are there
    containers: dict[str, Any] = field(default_factory=dict)  # their nodes
    shared: dict[str, str] = field(default_factory=dict)  # variable here -> value there
    ready: bool = True

    def add(self, value: str, node: Any) -> None:
        if node is getattr(getattr(self.call, "func", None), "value", None):
            node = self.walk.facts.given_back.get(node, node)  # evaluated first
        kind = self.walk.kind(node)
        match kind:
            case Tup() if kind.active or holds_function(kind):
                self.add_elements(value, node, kind)
            case Fun(function=function):
                if function is not None and function.__name__ == "<lambda>":
                    function.__name__ = ir.base_name(value)
                self.leaves.append((value, node, self.placed(kind, value)))
            case Taken(function=Fun() as inner):
                moved = replace(kind, function=self.placed(inner, value))
                self.leaves.append((value, node, moved))
            case _:
                self.leaves.append((value, node, kind))

    def placed(self, kind: Fun, value: str) -> Fun:
        """A function as it is known there: what it captures, and what it may be, is held by values there."""
        cells = tuple((n, self.capture(n, v, value)) for n, v in kind.cells)
        options = tuple(
            replace(self.placed(o, value), home=self.capture(ir.base_name(o.home), o.home, value))
            if isinstance(o, Fun) and o.home is not None
            else o
            for o in kind.options
        )
        return Fun(kind.function, cells, options=options)

    def add_elements(self, value: str, node: Any, kind: Tup) -> None:
        simple = (
            gast.Name,
            gast.Tuple,
            gast.List,
            gast.Subscript,
            gast.Attribute,
            gast.Dict,
            Instance,
            RecordsDisplay,
        )
        by_property = node in self.walk.facts.callees and isinstance(node, gast.Attribute)
        self.ready = self.ready and isinstance(node, simple) and not by_property
        names = tuple(element_name(value, k, kind) for k in range(len(kind.items)))
        for k, (name, item) in enumerate(zip(names, kind.items, strict=True)):
            self.add(name, self.walk.element(node, k, item))
        if kind.is_object:  # its class may have more than its attributes
            itself = node.cls if isinstance(node, Instance) else node
            self.leaves.append((value, itself, Opaque(kind.type)))
        self.displays.append((value, names, replace(kind, items=(), sites=frozenset())))
        self.packed[value] = kind
        self.containers[value] = node

    def capture(self, name: str, variable: str, of: str) -> str:
        """The value there that is a variable here: one, however many functions capture it."""
        if variable not in self.shared:
            self.shared[variable] = entry_name(of, name)
            self.add_hidden(self.shared[variable], self.walk.captured(variable, self.call))
        return self.shared[variable]

    def share(self, function: types.FunctionType, cells: dict[str, Any]) -> None:
        """What the function that is called captures has the names there that it has here."""
        shared = ((cells[name], f"{name}.0") for name in captured_names(function))
        self.shared |= {here: there for here, there in shared if isinstance(here, str)}

    def add_own(self, function: types.FunctionType, cells: dict[str, Any]) -> None:
        names = captured_names(function)
        unset = any(cells[name] in self.walk.env.maybe for name in names)
        sure = read_for_sure(read_source(function).tree.body) if unset else ()
        for name in names:
            self.add_hidden(f"{name}.0", self.walk.captured(cells[name], self.call, name in sure))

    def add_hidden(self, value: str, node: Any) -> None:
        self.leaves, plain, start = self.hidden, self.leaves, len(self.hidden)
        self.add(value, node)
        handed = self.walk.facts.handed_unset
        if node in handed:  # of a container, each element
            handed.update(part for _, part, _ in self.hidden[start:])
        self.leaves = plain

    @property
    def given(self) -> list[tuple[str, Kind]]:
        """What is given, and the containers whose elements are."""
        return [*((value, kind) for value, _, kind in self.all), *self.packed.items()]

    @property
    def all(self) -> list[tuple[str, Any, Kind]]:
        """Value there, node here and kind of all that a call gives."""
        return [*self.leaves, *self.hidden]

    @property
    def arguments(self) -> list[Any]:
        return [node for _, node, _ in self.all]

    @property
    def kinds(self) -> list[Kind]:
        return [kind for _, _, kind in self.all]

    def lifted(self, function: types.FunctionType, defaulted: Sequence[str]) -> Lifted:
        leaves = (*(value for value, _, _ in self.all), *defaulted)
        functions = tuple((v, k) for v, _, k in self.all if isinstance(k, (Fun, Taken)))
        handed = self.walk.facts.handed_unset
        unset = tuple(value for value, node, _ in self.all if node in handed)
        return Lifted(function, leaves, len(self.all), tuple(self.displays), functions, unset=unset)

    @property
    def is_plain(self) -> bool:
        """Whether every argument is one value, and none a function."""
        functions = (
            isinstance(k, (Fun, Taken)) or (isinstance(k, Known) and callable(k.value))
            for _, _, k in self.all
        )
        return not self.displays and not any(functions)


def _unknown(kind: Kind, function: types.FunctionType) -> Kind:
    """What may hold a function that was made before, with other defaults than it has now."""
    match kind:
        case Fun():
            return replace(kind, function=None) if kind.function is function else kind
        case Taken(function=Fun(function=known)) if known is function:
            return UNKNOWN
    return with_parts(kind, lambda part: _unknown(part, function))


def holds_function(kind: Kind) -> bool:
    return bool(functions_in(kind))


def _cell(name: Any) -> tuple[str, str]:
    """The name of a captured variable there, and here: a parameter may have a value of its own, `m.g0`.

    So may the default of a function that each trip of a loop makes, `.f_k.0u1n2`.
    """
    first, _, last = name.id.rpartition(".")
    if first and (last.startswith("0u") or (last.startswith("g") and last[1:].isdigit())):
        return first, name.id
    plain = name.id.removesuffix(".0")
    return plain, f"{plain}.0"


def has_names_inside(result: Kind, call: Any, line: ir.Statement | None) -> bool:
    """Whether the attributes of objects that a call gives have names, while nothing varies yet: on a first trip."""
    match line:
        case ir.Assign(target=Flat(elts=names), value=value) if value is call:
            closed = any(part.is_closed for part in objects_held(result))
            return closed and len(names) != len(leaves_of_result(result))
    return False
