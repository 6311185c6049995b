"""A gradient, or a place of one, that is set to zero and then added to is set to what is added.

g = dx[i]                        ->      g = dx[i]
dx[i] = 0                                dx[i - 1] += g * a
dx[i - 1] += g * a                       dx[i] = g / 2
dx[i] += g / 2
dy = 0.0                                 dy = -g * x
dy -= g * x
dq = np.zeros_like(q)                    dq = np.zeros_like(q)
dq[0] += g * x                           dq[0] = g * x
du = np.zeros_like(u)                    du = np.zeros_like(u)
for i in range(n):                       for i in range(n):
    du[i] += g * x                           du[i] = g * x
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.tidy import negated
from tangentish.folding.apart import (
    Least,
    Place,
    are_apart,
    end_where_others_begin,
    places_changed,
    within,
)
from tangentish.folding.same_place import are_alike, array_of, is_same_place
from tangentish.language.webs import map_blocks, map_each


def set_places(
    block: ir.Block,
    is_array: Callable[[str], bool],
    kind: Callable[[Any], Any],
    least: Least | None = None,
) -> ir.Block:
    """The adjoint with zeros put together with what is added to them first: places of arrays, and names.

    least: the counters of the loops around a block.
    """
    least = least or {}
    lines = [
        s
        if s.__class__ in ir.LINES
        else map_blocks(
            s, partial(set_places, is_array=is_array, kind=kind, least=within(s, least))
        )
        for s in block
    ]
    position = 0
    while position < len(lines):
        later = _first_addition(lines, position, is_array, kind, least)
        if later is None:
            position += 1
        else:
            lines[later] = _set(lines[later], kind)
            del lines[position]
    return tuple(lines)


def _first_addition(
    lines: list[ir.Statement],
    position: int,
    is_array: Callable[[str], bool],
    kind: Callable[[Any], Any],
    least: Least,
) -> int | None:
    """The line that adds to just what the line at `position` sets to zero, before any other has to do with it."""
    match lines[position]:
        case ir.Assign(gast.Subscript() as place, value) if is_zero(value):
            name = array_of(place)
            if name is None or not is_array(name):
                return None
        case ir.Assign(gast.Name(id=name) as place, value) if "~" in name and is_zero(value, float):
            pass
        case _:
            return None
    passed = False  # lines that change other places of the array
    for later in range(position + 1, len(lines)):
        line = lines[later]
        inner = ir.walk_statements((line,))
        if not is_same_place(place, inner, kind):
            return None
        if any(name in ir.mentioned(s) for s in inner):
            if _adds(line, place, name):
                return None if passed and _hands_on(line) else later
            if not _changes_elsewhere(line, place, name, least):
                return None
            passed = True
    return None


def _hands_on(line: ir.Statement) -> bool:
    """`dx[i] += g`: what another place had, where places are exchanged (exchanged.py)."""
    return isinstance(line, ir.Update) and isinstance(line.value, gast.Name)


def _changes_elsewhere(line: ir.Statement, place: Any, name: str, least: Least) -> bool:
    """Whether all that a line has to do with an array is that it changes other places of it."""
    of_array = isinstance(place, gast.Subscript) and isinstance(place.value, gast.Name)
    changed = places_changed(line, name) if of_array and line.__class__ in ir.LINES else None
    return changed is not None and all(
        are_apart(tuple(ir.parts_of(place.slice)), other, least) for other in changed
    )


def set_first(
    block: ir.Block, is_array: Callable[[str], bool], kind: Callable[[Any], Any], in_loops: bool
) -> ir.Block:
    """The adjoint with what is added to places of new zeros set there, where nothing was added before.

    in_loops: by trips of loops, too: arrays that are given to be added to have these add to them.
    """
    lines = map_each(block, lambda b: set_first(b, is_array, kind, in_loops))
    made = [(k, name) for k, line in enumerate(lines) if (name := new_zeros(line)) is not None]
    mentioned = ir.lines_with(tuple(lines)) if made else {}
    for position, name in made:
        later = (k for k in mentioned[name] if k > position and is_array(name))
        _set_places_of(name, lines, later, kind, in_loops)
    return tuple(lines)


def new_zeros(line: ir.Statement) -> str | None:
    """The gradient that a line makes: an array of zeros."""
    match line:
        case ir.Assign(
            gast.Name(id=name),
            gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="zeros_like"),
                args=[_],
                keywords=[],
            ),
        ) if "~" in name:
            return str(name)
    return None


def _set_places_of(
    name: str,
    lines: list[ir.Statement],
    positions: Iterable[int],
    kind: Callable[[Any], Any],
    in_loops: bool,
) -> None:
    """Set the places of new zeros up to the first line that does anything else with them."""
    places: list[tuple[int, Place]] = []  # and the lines that change them
    for later in positions:
        changed = places_changed(lines[later], name)
        if changed is None or not all(
            are_apart(new, old) or _meet_at_a_bound(lines[line : later + 1], old, new, kind)
            for new in changed
            for line, old in places
        ):
            return
        inner = ir.walk_statements((lines[later],))
        if not in_loops and any(isinstance(s, ir.For) for s in inner):
            return
        places.extend((later, place) for place in changed)
        lines[later] = _set_all(lines[later], name, kind)


def _meet_at_a_bound(
    lines: Sequence[ir.Statement], old: Place, new: Place, kind: Callable[[Any], Any]
) -> bool:
    """Whether what the first line changes ends where that begins which the last one changes, or begins there."""
    first, *between, last = lines
    match first, last:
        case ir.Assign(place), ir.Assign() | ir.Update():
            meet = end_where_others_begin(old, new)
            return meet and is_same_place(place, ir.walk_statements(tuple(between)), kind)
    return False


def _set_all(line: ir.Statement, name: str, kind: Callable[[Any], Any]) -> ir.Statement:
    """A line, or those inside of it, that sets the places of an array that it adds to."""
    if isinstance(line, ir.Update):
        return _set(line, kind) if name in ir.stored_names(line) else line
    return map_blocks(line, lambda block: tuple(_set_all(s, name, kind) for s in block))


def is_zero(value: Any, kind: type = int) -> bool:
    """Whether this is the number 0 as it is written for places, or 0.0 for names."""
    return isinstance(value, gast.Constant) and type(value.value) is kind and value.value == 0


def _adds(line: ir.Statement, place: Any, name: str) -> bool:
    match line:
        case ir.Update(target, op, value) if type(op) in (gast.Add, gast.Sub):
            return are_alike(target, place) and name not in ir.names_in(value) and _is_own(line)
    return False


def _is_own(line: ir.Update) -> bool:
    """Whether a name that is set is given memory of its own; a place has its own."""
    if isinstance(line.target, gast.Subscript):
        return True
    value, minus = line.value, isinstance(line.op, gast.Sub)
    if minus and isinstance(value, gast.UnaryOp):
        value, minus = value.operand, False
    return minus or isinstance(value, (gast.BinOp, gast.UnaryOp))


def _set(line: ir.Statement, kind: Callable[[Any], Any]) -> ir.Assign:
    assert isinstance(line, ir.Update)
    value = negated(line.value, kind) if isinstance(line.op, gast.Sub) else line.value
    return ir.Assign(line.target, value, line.origin)
