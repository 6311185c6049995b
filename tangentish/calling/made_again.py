"""Functions that the same `def` or `lambda` makes again: what was generated for one serves the next.

`grad(lambda w: loss(w, data))(w)` in a loop asks for the derivative of a new function each time. It has the code
of the one before, and what it captures is of the same kinds: its derivative has the same text, and its own variables.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from types import CellType, FunctionType
from typing import cast

from tangentish.analysis.guards import (
    AbsentGuard,
    AnyGuard,
    ArrayGuard,
    CodeGuard,
    EntriesGuard,
    FrozenGuard,
    Guard,
    LiteralsGuard,
    NumberGuard,
)
from tangentish.derive import Derived
from tangentish.kinds import Kind, Known
from tangentish.language.source import Source
from tangentish.rules.own import has_own_rule
from tangentish.text.load import content, with_cells


class _DifferAsFunctions(Exception):
    """The two functions differ in more than what they captured."""


def derived_again(derived: Derived, before: FunctionType, now: FunctionType) -> Derived | None:
    """What was derived of the function `before`, of `now`; None where nothing tells that it is the same text."""
    if derived.call is not derived.generated:
        return None  # what is done around it knows the function
    again = _Again()
    try:
        again.pair(before, now)
        guards = tuple(map(again.guard, derived.guards))
        if not all(guard.holds() for guard in guards):
            return None
    except _DifferAsFunctions:
        return None
    if derived.halves is not None:
        forward, adjoint = map(again.function, (derived.halves.forward, derived.halves.adjoint))
        halves = replace(derived.halves, forward=forward, adjoint=adjoint)
        call = halves.linearised
        return replace(derived, call=call, generated=call, halves=halves, guards=guards)
    if not isinstance(derived.call, FunctionType):
        return None
    call = again.function(derived.call)
    return replace(derived, call=call, generated=call, guards=guards)


@dataclass
class _Again:
    """What takes the place of what.

    functions: those that the same code made, the ones that are captured among them.
    cells: of the variables that these capture, by the identity of the cell before.
    taken: the cells before, by the identity of those now.
    made: functions that reach these, with the cells of now; themselves where they reach none.
    """

    functions: dict[FunctionType, FunctionType] = field(default_factory=dict)
    cells: dict[int, CellType] = field(default_factory=dict)
    taken: dict[int, CellType] = field(default_factory=dict)
    made: dict[FunctionType, FunctionType] = field(default_factory=dict)

    def pair(self, before: FunctionType, now: FunctionType) -> None:
        """Two functions of one code, which differ in what they capture; so may functions among that."""
        if before in self.functions:
            _check(self.functions[before] is now)
            return
        _check(before.__code__ is now.__code__ and before.__globals__ is now.__globals__)
        _check(_same(before.__defaults__, now.__defaults__))
        _check(before.__kwdefaults__ is None and now.__kwdefaults__ is None)
        _check(not (vars(before) or vars(now) or has_own_rule(before) or has_own_rule(now)))
        self.functions[before] = now
        for mine, its in zip(before.__closure__ or (), now.__closure__ or (), strict=True):
            _check(self.cells.setdefault(id(mine), its) is its)
            _check(self.taken.setdefault(id(its), mine) is mine)
            inside, other = content(mine), content(its)
            if isinstance(inside, FunctionType) and inside is not other:
                _check(isinstance(other, FunctionType))
                self.pair(inside, cast("FunctionType", other))

    def guard(self, guard: AnyGuard) -> AnyGuard:
        """The guard, of what takes the place of what it looked at."""
        match guard:
            case CodeGuard(function=function):
                new = self.function(function)
                return guard if new is function else CodeGuard.of(new)
            case FrozenGuard():
                raise _DifferAsFunctions
            case (
                Guard()
                | EntriesGuard()
                | NumberGuard()
                | ArrayGuard()
                | LiteralsGuard()
                | AbsentGuard()
            ):
                source = self.source(guard.source)
                if source is guard.source:
                    return guard
                if not isinstance(guard, Guard):
                    return replace(guard, source=source)
                return self.looked_up(guard, source)
        return guard

    def looked_up(self, guard: Guard, source: Source) -> Guard:
        try:
            new = Guard.of(source, guard.name, self.kind(guard.kind), guard.space)
        except NameError:
            raise _DifferAsFunctions from None
        _check(new.is_of_its_kind())
        return new

    def source(self, source: Source) -> Source:
        function = self.function(source.function)
        return source if function is source.function else replace(source, function=function)

    def kind(self, kind: Kind) -> Kind:
        """Of a function that is known, the one in its place."""
        match kind:
            case Known(value=FunctionType() as function):
                return Known(self.function(function))
        return kind

    def function(self, function: FunctionType) -> FunctionType:
        """The function, or one with the cells of now where it reaches variables that are others now."""
        if function in self.functions:
            return self.functions[function]
        if function not in self.made:
            others = any(f in self.functions or self.captures(f) for f in _reached(function))
            self.made[function] = self.copied(function) if others else function
        return self.made[function]

    def captures(self, function: FunctionType) -> bool:
        cells = function.__closure__ or ()
        return any(self.cells.get(id(cell), cell) is not cell for cell in cells)

    def copied(self, function: FunctionType) -> FunctionType:
        before = function.__closure__ or ()
        cells = [self.cells.get(id(cell)) or _cell_like(cell) for cell in before]
        new = with_cells(function, cells)
        self.made[function] = new  # before those that it calls, which may call it
        for cell, mine in zip(cells, before, strict=True):
            if cell is not mine and id(mine) not in self.cells:
                cell.cell_contents = self.function(mine.cell_contents)
        return new


def _check(same: bool) -> None:
    if not same:
        raise _DifferAsFunctions


def _same(before: tuple[object, ...] | None, now: tuple[object, ...] | None) -> bool:
    """Whether the defaults are the very same objects."""
    before, now = before or (), now or ()
    return len(before) == len(now) and all(map(operator.is_, before, now))


def _cell_like(cell: CellType) -> CellType:
    """A cell for a function that may be another; of all else the cell itself."""
    return CellType() if isinstance(content(cell), FunctionType) else cell


def _reached(function: FunctionType) -> set[FunctionType]:
    """A function and those that it captures, and that they capture."""
    reached, new = set[FunctionType](), [function]
    while new:
        found = new.pop()
        if found not in reached:
            reached.add(found)
            inside = map(content, found.__closure__ or ())
            new += (each for each in inside if isinstance(each, FunctionType))
    return reached
