"""Tapes that one loop empties from end to end are walked, not popped; trips that nothing asks for are not numbered.

    for i in range(n - 1, -1, -1):   ->      for x in reversed(tape):
        x = tape.pop()                           dx = dx * np.cos(x)
        dx = dx * np.cos(x)

Such a tape stays as it is, so that a pullback needs no copy of it; nor of one that is read by the numbers of the trips:

    for i in range(n - 1, -1, -1):   ->      for i in range(n - 1, -1, -1):
        x = tape.pop()                           x = tape[i]
        dw[i] = dx * np.cos(x)                   dw[i] = dx * np.cos(x)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.algebra.expressions import popped, shifted
from tangentish.infer import literal_of
from tangentish.ir.quote import quote
from tangentish.language.webs import map_blocks, map_each, map_nodes
from tangentish.recording.liveness import without_idle_comments

_ONCE_A_TRIP = (ir.Assign, ir.Update, ir.Do, ir.If, ir.For)
"""The statements whose own expressions are evaluated once where they are reached."""
_ON_SOME_WAYS = (gast.BoolOp, gast.Lambda, gast.ListComp, gast.GeneratorExp)


def walk_tapes(parts: Parts) -> Parts:
    """The parts with loops over tapes, and over plain ranges, where no line reads which trip it is."""
    reads = _reads(parts.adjoint)
    reads.update(n for e in (*parts.gradients, *parts.values) for n in ir.names_in(e))
    tapes = {name for slot, name in parts.slots.items() if slot.tape}
    walked = frozenset(_walked(parts.adjoint, tapes, reads))

    def change(loop: ir.For) -> ir.For:
        return _over_tape(loop) if _tape_of(loop) in walked else _unnumbered(loop, reads)

    adjoint = _with_loops(parts.adjoint, change)
    forward = _without_counts(parts.forward, adjoint, (*parts.gradients, *parts.values))
    return replace(parts, forward=forward, adjoint=adjoint, walked=walked)


def read_by_numbers(parts: Parts) -> Parts:
    """The parts in which tapes stay as they are that a loop, which is passed once, empties trip by trip."""
    reads = _reads(parts.adjoint)
    tapes = {name for slot, name in parts.slots.items() if slot.tape and reads[name] == 1}
    read: set[str] = set()

    def taken_at(number: str, line: ir.Statement) -> ir.Statement:
        def element(node: Any) -> Any | None:
            tape = popped(node)
            if tape in tapes:
                read.add(tape)
                return quote("{t}[{i}]", t=ir.name(tape), i=ir.name(number))
            if isinstance(node, gast.IfExp):
                test = ir.copy_expression(node.test, element)
                return gast.IfExp(test, node.body, node.orelse)
            return node if isinstance(node, _ON_SOME_WAYS) else None

        return map_nodes(line, element) if isinstance(line, _ONCE_A_TRIP) else line

    def change(block: ir.Block) -> ir.Block:
        return tuple(map(within, block))

    def within(statement: ir.Statement) -> ir.Statement:
        if not isinstance(statement, (ir.For, ir.While)):
            return map_blocks(statement, change)
        number = _number(statement)
        if number is None:
            return statement
        return map_blocks(statement, lambda body: tuple(taken_at(number, s) for s in body))

    adjoint = change(parts.adjoint)
    return replace(parts, adjoint=adjoint, walked=parts.walked | read) if read else parts


def _number(loop: ir.For | ir.While) -> str | None:
    """What counts the trips of a loop down to zero."""
    match loop:
        case ir.For(gast.Name(id=name), gast.Call(func=gast.Name(id="$range"), args=[_, *ends])):
            ends_at_zero = [*map(literal_of, ends)] == [-1, -1]
            whole = loop.stop is None and name not in ir.bound_within(loop.body)
            return str(name) if ends_at_zero and whole else None
    return None


def _reads(block: ir.Block) -> Counter[str]:
    """How often names are read: loop variables and targets that are names count where they are mentioned again."""
    reads = ir.mentions(block)
    for statement in ir.walk_statements(block):
        if isinstance(statement, ir.For):
            reads.subtract(ir.target_names(statement.target))
    return reads


def _walked(block: ir.Block, tapes: set[str], reads: Counter[str]) -> Iterable[str]:
    """The tapes that a loop, which is passed once, takes one element from at the head of every trip."""
    for statement in block:
        if isinstance(statement, ir.For):
            tape = _tape_of(statement)
            unread = not any(reads[n] for n in ir.target_names(statement.target))
            if tape in tapes and reads[tape] == 1 and unread:
                yield tape
        elif not isinstance(statement, ir.While):
            for inner in ir.blocks_of(statement):
                yield from _walked(inner, tapes, reads)


def _tape_of(loop: ir.For) -> str | None:
    """The tape from which the first line of a trip takes the values of names, which is not all it does."""
    if sum(not isinstance(s, ir.Comment) for s in loop.body) < 2:
        return None
    match _first_line(loop.body):
        case ir.Assign(target, value) if loop.stop is None and _is_of_names(target):
            return popped(value)
    return None


def _first_line(body: ir.Block) -> ir.Statement | None:
    return next((s for s in body if not isinstance(s, ir.Comment)), None)


def _is_of_names(target: Any) -> bool:
    parts = ir.parts_of(target)
    return all(type(part) is gast.Name for part in parts)


def _over_tape(loop: ir.For) -> ir.For:
    first = _first_line(loop.body)
    assert isinstance(first, ir.Assign)
    body = without_idle_comments([s for s in loop.body if s is not first])
    iterator = quote("reversed({t})", t=first.value.func.value)
    return ir.For(first.target, iterator, body, None, loop.origin)


def _unnumbered(loop: ir.For, reads: Counter[str]) -> ir.For:
    """`for _ in range(n)`, where the user gave the trips no name, or they have none of the user's."""
    match loop:
        case ir.For(gast.Name(id=name), iterator) if ir.base_name(name) == "_" and not reads[name]:
            return replace(loop, iter=_upwards(iterator) or iterator)
    return loop


def _upwards(iterator: Any) -> Any | None:
    """`range(n)` of `range(n - 1, -1, -1)`."""
    match iterator:
        case gast.Call(func=gast.Name(id="$range"), args=[first, *others]) if list(
            map(literal_of, others)
        ) == [-1, -1]:
            return gast.Call(iterator.func, [shifted(first, 1)], [])
    return None


def _with_loops(block: ir.Block, change: Callable[[ir.For], ir.For]) -> ir.Block:
    inside = map_each(block, lambda b: _with_loops(b, change))
    return tuple([change(s) if isinstance(s, ir.For) else s for s in inside])


def _without_counts(forward: ir.Block, adjoint: ir.Block, results: Iterable[Any]) -> ir.Block:
    """The forward pass without the counts of trips that nobody reads any more."""
    read = {*_reads(adjoint), *(n for e in results for n in ir.names_in(e))}
    read.update(
        n
        for s in ir.walk_statements(forward)
        if _counter(s) is None
        for e in ir.expressions_of(s)
        for n in ir.names_in(e)
    )
    counters = {c for s in ir.walk_statements(forward) if (c := _counter(s)) is not None}
    idle = counters - read
    return _without(forward, idle) if idle else forward


def _counter(statement: ir.Statement) -> str | None:
    """The count that a line sets or raises."""
    match statement:
        case ir.Assign(gast.Name(id=name), gast.Constant()) | ir.Update(
            gast.Name(id=name), gast.Add(), gast.Constant()
        ) if ir.base_name(name) == "trips" and "~" in name:
            return str(name)
    return None


def _without(block: ir.Block, counters: set[str]) -> ir.Block:
    return tuple(
        map_blocks(s, lambda b: _without(b, counters)) for s in block if _counter(s) not in counters
    )
