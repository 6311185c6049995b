"""Tapes that a loop over a range fills, a number on each trip: arrays with a place for each.

    x_tape = []                            x_tape = np.empty(max(n - 1, 0))
    for i in range(1, n):                  for i in range(1, n):
        x_tape.append(x)                       x_tape[i - 1] = x
        ...                                    ...
    for i in range(n - 1, 0, -1):          for i in range(n - 1, 0, -1):
        x = x_tape.pop()                       x = x_tape[i - 1]
        ...                                    ...

Numba looks at the size of a list at each append, and moves what outgrows it: with lists the gradient of a tridiagonal
solve takes a sixth longer.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.algebra.expressions import popped, shifted
from tangentish.algebra.ranges import reversed_range
from tangentish.compiled.recorded import saved
from tangentish.infer import Facts, is_range, literal_of
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num
from tangentish.language.webs import map_statement


@dataclass(frozen=True)
class _Filled:
    """A tape that a loop of the forward pass fills: the place of each trip in it, and how many there are."""

    tape: str
    forward: ir.For
    place: Any
    length: Any


def with_tapes_in_arrays(parts: Parts) -> Parts:
    """The parts, their tapes of one double a trip being arrays."""
    if any(isinstance(s, ir.Try) for s in ir.walk_statements(parts.forward)):
        return parts  # tapes are cut where something is raised
    found = {filled.tape: filled for filled in _filled(parts)}
    if not found:
        return parts
    forward, adjoint = _in_arrays(parts.forward, found), _in_arrays(parts.adjoint, found)
    return replace(parts, forward=forward, adjoint=adjoint)


def _filled(parts: Parts) -> Iterator[_Filled]:
    """The tapes of which nothing is said but that they are made, filled by one loop and emptied by one backwards."""
    mentions = ir.mentions((*parts.forward, *parts.adjoint))
    ways_back = [s for s in parts.adjoint if isinstance(s, ir.For)]
    for loop in [s for s in parts.forward if isinstance(s, ir.For)]:
        numbering = _numbering(loop, parts.analysis.facts)
        if numbering is None:
            continue
        for tape in _tapes(loop.body):
            if (
                mentions[tape] == 3
                and any(_is_made(s, {tape}) for s in parts.forward)
                and _holds_doubles(parts, tape)
                and any(_empties(back, loop, tape) for back in ways_back)
            ):
                yield _Filled(tape, loop, *numbering)


def _tapes(body: ir.Block) -> Iterator[str]:
    """What the lines of a trip append one value to."""
    for s in body:
        for tape, values in saved(s):
            if len(values) == 1:
                yield tape


def _is_made(statement: ir.Statement, tapes: Container[str]) -> bool:
    match statement:
        case ir.Assign(gast.Name(id=name), gast.List(elts=[])):
            return name in tapes
    return False


def _holds_doubles(parts: Parts, tape: str) -> bool:
    def is_double(kind: Num) -> bool:
        return kind.is_scalar and kind.is_double

    names = [slot.name for slot, filled in parts.slots.items() if filled == tape]
    values = bool(names) and parts.saved_inside.keys().isdisjoint(names)
    return values and not parts.may_hold(tape, 0, is_double)


# ------------------------------------------------------------------------------------ the loops


def _numbering(loop: ir.For, facts: Facts) -> tuple[Any, Any] | None:
    """A place for each trip, by the loop's variable, and how many there are; None for other loops."""
    if not _goes_through(loop, facts):
        return None
    bounds = loop.iter.args
    start = bounds[0] if len(bounds) > 1 else constant(0)
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    match literal_of(bounds[2]) if len(bounds) > 2 else 1:
        case 1:
            first, length = literal_of(start), stop
        case -1:
            last = literal_of(stop)
            first, length = (last + 1 if isinstance(last, int) else None), shifted(start, 1)
        case _:
            return None
    if not isinstance(first, int):
        return None
    return shifted(ir.name(loop.target.id), -first), _not_negative(shifted(length, -first))


def _goes_through(loop: ir.For, facts: Facts) -> bool:
    """Whether a loop over a range has its variable as the range gives it, and no trip that ends early."""
    return (
        isinstance(loop.target, gast.Name)
        and loop.stop is None
        and is_range(loop.iter, facts)
        and not ir.definitions(loop.body)[loop.target.id]
        and not any(isinstance(s, ir.Return) for s in ir.walk_statements(loop.body))
    )


def _not_negative(length: Any) -> Any:
    match length:
        case gast.Constant() | gast.Call(func=gast.Name(id="len")):
            return length
    return quote("max({n}, 0)", n=length)


def _empties(back: ir.For, loop: ir.For, tape: str) -> bool:
    """Whether a loop of the adjoint goes over the trips of the other from the last, and takes back at each."""
    return (
        isinstance(back.target, gast.Name)
        and back.stop is None
        and back.target.id == loop.target.id
        and ir.alike(back.iter, reversed_range(loop.iter.args))
        and not ir.definitions(back.body)[back.target.id]
        and any(_takes_back(s, tape) for s in back.body)
    )


def _takes_back(statement: ir.Statement, tape: str) -> bool:
    return isinstance(statement, ir.Assign) and popped(statement.value) == tape


# ------------------------------------------------------------------------------------ the lines


def _in_arrays(block: ir.Block, found: Mapping[str, _Filled]) -> ir.Block:
    return tuple(new for s in block for new in _line(s, found))


def _line(statement: ir.Statement, found: Mapping[str, _Filled]) -> Iterator[ir.Statement]:
    """A line with arrays for tapes; the array is made before its loop, where the length is known."""
    if _is_made(statement, found):
        return
    for filled in found.values():
        if filled.forward is statement:
            yield ir.Assign(ir.name(filled.tape), quote("np.empty({n})", n=filled.length), NOWHERE)
    for tape, values in saved(statement):
        if tape in found:
            yield ir.Assign(_place(found[tape]), values[0], origin_of(statement))
            return

    def expression(node: Any) -> Any:
        filled = found.get(popped(node) or "")
        return node if filled is None else _place(filled)

    yield map_statement(statement, expression, lambda inner: _in_arrays(inner, found))


def _place(filled: _Filled) -> Any:
    return ir.subscript(ir.name(filled.tape), ir.duplicate(filled.place))
