"""What is added to a gradient later is added where it is set, if nothing reads it in between.

dx = dt * b                              ->      dy = dt * a
dy = dt * a                                      dx = dt * b - du * c
dx -= du * c
dx[i] += dt                              dx[i] += dt - du
dx[i] -= du

The numbers that are summed are the same: nothing in between changes what they are computed from. What is added to a
place is put together under one comment.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.algebra.expressions import size
from tangentish.algebra.factored import with_shared_ends, with_shared_starts
from tangentish.algebra.tidy import plus, summed
from tangentish.language.webs import map_each

LONGEST = 40  # nodes of a sum that is written in one line


def gather(
    block: ir.Block, is_summed: Callable[[str], bool], kind: Callable[[Any], Any]
) -> ir.Block:
    """The adjoint with fewer additions; `is_summed` tells of which gradients a sum has the same type and shape."""
    lines = map_each(block, lambda b: gather(b, is_summed, kind))
    uses, kept = _Uses.of(lines), list[ir.Statement]()
    for position, line in enumerate(lines):
        later = _next_addition(lines, position, is_summed, uses)
        if later is None:
            kept.append(line)
            continue
        place, addition = later
        lines[place] = _sum(line, addition, kind)
        uses.note(lines[place], place)
        if _is_done(kept, lines, position + 1):
            kept.pop()
    return tuple(kept)


@dataclass
class _Uses:
    """The lines of a block, by their places: those that mention a name, that change it, that do more than that."""

    mentions: dict[str, list[int]] = field(default_factory=dict)
    changes: dict[str, list[int]] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, lines: Sequence[ir.Statement]) -> _Uses:
        new = cls()
        for place, line in enumerate(lines):
            new.note(line, place)
        return new

    def note(self, line: ir.Statement, place: int) -> None:
        match line:
            case ir.Comment():
                return
            case ir.Restore(slot) if not slot.content:
                insort(self.changes.setdefault(slot.name, []), place)
            case ir.Assign(target, value) | ir.Update(target, _, value):
                for name in {*ir.names_in(target), *ir.names_in(value)}:
                    insort(self.mentions.setdefault(name, []), place)
                for name in {*ir.defined_names(line), *ir.stored_names(line)}:
                    insort(self.changes.setdefault(name, []), place)
                if not has_no_effects(value):
                    insort(self.others, place)
            case _:
                insort(self.others, place)

    def next_mention(self, name: str, place: int) -> int | None:
        return _next(self.mentions.get(name, ()), place)

    def is_left_alone(self, names: Iterable[str], start: int, end: int) -> bool:
        """Whether no line between two others changes any of these names."""
        return not any(
            (place := _next(places, start)) is not None and place < end
            for places in (self.others, *(self.changes.get(name, ()) for name in names))
        )


def _next(places: Sequence[int], place: int) -> int | None:
    position = bisect_right(places, place)
    return places[position] if position < len(places) else None


def _next_addition(
    lines: Sequence[ir.Statement],
    position: int,
    is_summed: Callable[[str], bool],
    uses: _Uses,
) -> tuple[int, ir.Update] | None:
    """The line that adds to what a line sets, before any other has to do with it, or with what it is computed from."""
    match lines[position]:
        case ir.Assign(gast.Name(id=name), value) if "~" in name and is_summed(name):
            later = uses.next_mention(name, position)
        case ir.Update(gast.Subscript(value=gast.Name(id=name))) as first if is_summed(name):
            return _next_at_place(lines, position, first, uses)
        case _:
            return None
    added = None if later is None else _added_to(name, lines[later])
    if later is None or added is None or not has_no_effects(value) or _is_start(value):
        return None
    if size(value) + size(added.value) > LONGEST or name in ir.names_in(added.value):
        return None
    free = uses.is_left_alone(ir.names_in(value), position, later)
    return (later, added) if free else None


def _next_at_place(
    lines: Sequence[ir.Statement], position: int, first: ir.Update, uses: _Uses
) -> tuple[int, ir.Update] | None:
    """The line under the same comment that adds to the same place; those in between add to others, if to any."""
    name = first.target.value.id
    later = uses.next_mention(name, position)
    while later is not None and _is_addition(first, name):
        second = lines[later]
        if not isinstance(second, ir.Update) or not _is_addition(second, name):
            return None
        if ir.alike(second.target, first.target):
            fits = size(first.value) + size(second.value) <= LONGEST
            read = (*ir.names_in(first.target.slice), *ir.names_in(first.value))
            same = not any(isinstance(line, ir.Comment) for line in lines[position:later])
            free = fits and same and uses.is_left_alone(read, position, later)
            return (later, second) if free and has_no_effects(first.value) else None
        later = uses.next_mention(name, later)
    return None


def _is_addition(line: ir.Update, name: str) -> bool:
    """Whether a line adds to a place of an array, or subtracts from it, and reads nothing of that."""
    adds = type(line.op) in (gast.Add, gast.Sub) and isinstance(line.target, gast.Subscript)
    return adds and name not in (*ir.names_in(line.target.slice), *ir.names_in(line.value))


def _added_to(name: str, line: ir.Statement) -> ir.Update | None:
    """`x += e`, or `x = x + e`, or `x = x.copy() + e`."""
    match line:
        case ir.Update(gast.Name(id=same), gast.Add() | gast.Sub()) if same == name:
            return line
        case ir.Assign(
            gast.Name(id=same) as target,
            gast.BinOp(
                left=gast.Name(id=old)
                | gast.Call(func=gast.Attribute(value=gast.Name(id=old), attr="copy"), args=[]),
                op=gast.Add() | gast.Sub() as op,
                right=value,
            ),
            origin,
        ) if same == old == name:
            return ir.Update(target, op, value, origin)
    return None


def _is_start(value: Any) -> bool:
    """A number, or an array filled with one, to which the parts are added one by one."""
    match value:
        case gast.Constant():
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr)):
            return attr in ("zeros_like", "full_like", "zeros")
        case gast.Call(func=gast.Name(id="$full")):
            return True
    return False


def _sum(first: Any, second: Any, kind: Callable[[Any], Any]) -> ir.Statement:
    if isinstance(first, ir.Update) and isinstance(first.op, gast.Sub):
        minus = isinstance(second.op, gast.Add)
        parts = (second.value, first.value) if minus else (first.value, second.value)
        return ir.Update(first.target, second.op, _total(*parts, minus, kind), second.origin)
    total = _total(first.value, second.value, isinstance(second.op, gast.Sub), kind)
    if isinstance(first, ir.Update):
        return ir.Update(first.target, first.op, total, second.origin)
    return ir.Assign(first.target, total, second.origin)


def _total(first: Any, second: Any, minus: bool, kind: Callable[[Any], Any]) -> Any:
    """The sum of two, or their difference, with what several terms begin with, or end in, once.

    It is new memory, to which more may be added in place.
    """
    if not (has_no_effects(first) and has_no_effects(second)):
        return _added(first, second, minus, kind)
    terms = [*_terms(first, False), *_terms(second, minus)]
    shared = with_shared_ends(with_shared_starts(terms, kind), kind)
    total, *others = shared
    made = others or isinstance(total, (gast.BinOp, gast.UnaryOp))  # `-dt + dt + dt` is not dt
    if len(shared) == len(terms) or not made:
        return _added(first, second, minus, kind)
    for e in others:
        total = plus(total, e, kind)
    return total


def _terms(e: Any, minus: bool) -> Iterator[Any]:
    match e:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            yield from _terms(left, minus)
            yield from _terms(right, minus != isinstance(op, gast.Sub))
        case _:
            yield gast.UnaryOp(gast.USub(), e) if minus else e


def _added(total: Any, value: Any, minus: bool, kind: Callable[[Any], Any]) -> Any:
    """A sum in one row: the parts of what is added come one after the other."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            total = _added(total, left, minus, kind)
            return _added(total, right, minus != isinstance(op, gast.Sub), kind)
    return plus(total, value, kind, minus) if minus else summed(total, value, kind)


def _is_done(kept: Sequence[ir.Statement], lines: Sequence[ir.Statement], position: int) -> bool:
    """Whether the comment before a line stands there for nothing now."""
    ends = position == len(lines) or isinstance(lines[position], ir.Comment)
    return ends and bool(kept) and isinstance(kept[-1], ir.Comment)
