"""Notes in generated code: what each line of the user's binds, and its gradient on the way back."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import constant
from tangentish.language.nested import Closure
from tangentish.rules.names import given_name
from tangentish.text.names import is_made
from tangentish.text.printer import expression_text


@dataclass(frozen=True)
class Place:
    """What one line binds: the number of the line, its text, and the name or `y[i]`."""

    line: int
    text: str
    name: str


@dataclass
class Noted:
    """One value that was bound, and its gradient where it has one."""

    place: Place
    value: Any
    gradient: Any = None


@dataclass(eq=False)
class Noting:
    """Collects the notes of one call; generated code calls `value` and `gradient`."""

    places: list[Place] = field(default_factory=list)
    numbers: dict[tuple[ir.Statement, int], int] = field(default_factory=dict)
    notes: list[Noted] = field(default_factory=list)
    waiting: dict[int, list[Noted]] = field(default_factory=lambda: defaultdict(list))
    value: Any = None
    gradient: Any = None

    def __post_init__(self) -> None:
        def note_value(number: int, value: Any) -> None:
            note = Noted(self.places[number], _copy(value))
            self.notes.append(note)
            self.waiting[number].append(note)

        def note_gradient(number: int, gradient: Any) -> None:
            if self.waiting[number]:
                self.waiting[number].pop().gradient = _copy(gradient)

        self.value, self.gradient = note_value, note_gradient

    # -- in generated code

    def targets(self, statement: ir.Statement) -> Iterator[tuple[int, Any]]:
        """The numbers and targets of what a line of the user's binds."""
        line = getattr(origin_of(statement).node, "lineno", None)
        if line is None or not isinstance(statement, (ir.Assign, ir.Update)):
            return
        if isinstance(statement.value, Closure):  # a function is no value to look at
            return
        for k, target in enumerate(_parts(statement.target)):
            if is_made(ir.root_of(target).id):
                continue
            if (statement, k) not in self.numbers:
                self.numbers[statement, k] = len(self.places)
                text, node = origin_of(statement).text, origin_of(statement).node
                self.places.append(Place(line, text, _users_own(node, _shown(target))))
            yield self.numbers[statement, k], target

    def after(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        """The notes of the values that a line has bound."""
        for number, target in self.targets(statement):
            yield _call(self.value, number, ir.duplicate(target))

    def back(self, number: int, gradient: Any) -> ir.Statement:
        return _call(self.gradient, number, gradient)


def _call(function: FunctionType, number: int, value: Any) -> ir.Statement:
    call = gast.Call(ir.name(given_name(function)), [constant(number), value], [])
    return ir.Do(gast.Expr(call), NOWHERE)


def _parts(target: Any) -> Iterator[Any]:
    if isinstance(target, (gast.Tuple, gast.List)):
        for element in target.elts:
            yield from _parts(element)
    elif isinstance(ir.root_of(target), gast.Name):
        yield target


def _shown(target: Any) -> str:
    """The target as the user wrote it."""

    def change(node: Any) -> Any:
        return ir.name(ir.base_name(node.id)) if type(node) is gast.Name else None

    return expression_text(ir.copy_expression(target, change))


def _users_own(node: Any, name: str) -> str:
    """What the user calls what a line binds: `y["a"]`, `p.x[i]`, `t[0]` where it has a name of its own."""
    for place in _places(node):
        text = expression_text(place)
        if _NO_NAME.sub("_", text).strip("_") == _NO_NAME.sub("_", name).strip("_"):
            return text
    return name


_NO_NAME = re.compile(r"\W+")


def _places(node: Any) -> Iterator[Any]:
    """What a statement of the user's binds: its targets, and the entries and attributes of what it makes."""
    if isinstance(node, gast.AugAssign):
        yield node.target
    if not isinstance(node, gast.Assign):
        return
    for target in node.targets:
        yield from _parts(target)
        match node.value:
            case gast.Dict(keys=keys):
                yield from (gast.Subscript(target, key, gast.Load()) for key in keys if key)
            case gast.Call(func=gast.Name(id="dict"), keywords=entries):
                keys = (constant(entry.arg) for entry in entries)
                yield from (gast.Subscript(target, key, gast.Load()) for key in keys)
            case gast.Tuple(elts=values) | gast.List(elts=values):
                for k in range(len(values)):
                    yield gast.Subscript(target, constant(k), gast.Load())


def _copy(value: Any) -> Any:
    """The value as it is now."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(map(_copy, value))
    return value
