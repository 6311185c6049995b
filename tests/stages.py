"""What a function is at each stage on the way to its gradient, as text: for the docs and for looking at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any
from unittest import mock

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis, Program
from tangentish.asking.asked import Asked
from tangentish.asking.wrt import float_positions
from tangentish.derive import derive
from tangentish.generation import both_ways
from tangentish.kinds import Kind, Num, replace
from tangentish.kinds.kinds_of_values import kinds_of
from tangentish.kinds.lengths import Length

__all__ = ["STAGES"]


def analysed(function: FunctionType, values: Sequence[object]) -> Analysis:
    """The analysis of a function in which all arguments of floats carry a derivative."""
    return Program().analyse(function, tuple(map(activated, kinds_of(values))))


def activated(kind: Kind) -> Kind:
    if isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind == "f":
        return replace(kind, active=True)
    return kind


def normal_form(function: FunctionType, values: Sequence[object]) -> str:
    """The statements that every pass works on."""
    return joined(lines_of(analysed(function, values).function.body))


def kinds(function: FunctionType, values: Sequence[object]) -> str:
    """What is known of each value before anything runs."""
    found = analysed(function, values).facts.web_kinds
    width = max(map(len, found))
    return joined(f"{name:{width}}  {described(kind)}" for name, kind in found.items())


def generated(which: str) -> Callable[[FunctionType, Sequence[object]], str]:
    """The forward pass or the adjoint, before or after it is pruned."""

    def text(function: FunctionType, values: Sequence[object]) -> str:
        return joined(lines_of(blocks(function, values)[which]))

    return text


def blocks(function: FunctionType, values: Sequence[object]) -> dict[str, ir.Block]:
    """What goes into the two prunings, and what comes out."""
    found: dict[str, ir.Block] = {}
    adjoint, forward = both_ways.prune_adjoint, both_ways.prune_forward

    def seen_adjoint(block: ir.Block, *rest: Any) -> Any:
        result = adjoint(block, *rest)
        found["adjoint"], found["pruned_adjoint"] = block, result[0]
        return result

    def seen_forward(block: ir.Block, *rest: Any) -> Any:
        result = forward(block, *rest)
        found["forward"], found["pruned_forward"] = block, result
        return result

    wrt = float_positions(function, tuple(values))
    with (
        mock.patch.object(both_ways, "prune_adjoint", seen_adjoint),
        mock.patch.object(both_ways, "prune_forward", seen_forward),
    ):
        derive(function, values, Asked("grad", wrt))
    return found


STAGES: dict[str, Callable[[FunctionType, Sequence[object]], str]] = {
    "statements": normal_form,
    "kinds": kinds,
    "forward": generated("forward"),
    "adjoint": generated("adjoint"),
    "pruned_forward": generated("pruned_forward"),
    "pruned_adjoint": generated("pruned_adjoint"),
}


# ---- kinds, in the notation of --like


def described(kind: Kind) -> str:
    if not isinstance(kind, Num):
        return f"{type(kind).__name__}: carries no derivative"
    active = ", active" if kind.active else ""
    if kind.is_scalar and kind.weak and kind.dtype is not None:
        return f"{ {'f': 'float', 'i': 'int'}[kind.dtype.kind] }{active}"
    lengths = "..." if kind.shape is None else ",".join(map(length, kind.shape))
    return f"{kind.dtype}{'' if kind.is_scalar else f'[{lengths}]'}{active}"


def length(one: Length) -> str:
    if one is None or isinstance(one, int):
        return "?" if one is None else str(one)
    return f"n{one.symbol}" + (f"{one.offset:+d}" if one.offset else "")


# ---- statements, in Python's notation


def joined(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def lines_of(block: ir.Block) -> Iterator[str]:
    for statement in block:
        yield from lines_of_statement(statement)


def lines_of_statement(statement: ir.Statement) -> Iterator[str]:
    match statement:
        case ir.Assign(target, value):
            yield f"{code(target)} = {code(value)}"
        case ir.Update(target, op, value):
            yield ast.unparse(ast.AugAssign(plain(target), plain(op), plain(value)))
        case ir.Do(node):
            yield code(node)
        case ir.Return(values):
            yield f"return {', '.join(map(code, values))}"
        case ir.If(test, body, orelse):
            yield f"if {code(test)}:"
            yield from indented(body)
            if orelse:
                yield "else:"
                yield from indented(orelse)
        case ir.For(target, iterator, body, stop):
            yield f"for {code(target)} in {code(iterator)}:{stop_note(stop)}"
            yield from indented(body)
        case ir.While(test, body, stop):
            yield f"while {code(test)}:{stop_note(stop)}"
            yield from indented(body)
        case ir.Save(slot) | ir.Restore(slot) | ir.Unset(slot):
            yield f"{type(statement).__name__.lower()}({code(slot.target)}{', tape' if slot.tape else ''})"
        case ir.Comment(text):
            yield f"# {text}"
        case ir.Try() | ir.Finally() | ir.With():
            yield from lines_of_guarded(statement)


def lines_of_guarded(statement: ir.Try | ir.Finally | ir.With) -> Iterator[str]:
    match statement:
        case ir.With(items, body):
            names = (code(m) + ("" if t is None else f" as {code(t)}") for m, t in items)
            yield f"with {', '.join(names)}:"
            yield from indented(body)
            return
    yield "try:"
    yield from indented(statement.body)
    for handler in statement.handlers if isinstance(statement, ir.Try) else ():
        caught = "" if handler.type is None else f" {code(handler.type)}"
        name = "" if handler.name is None else f" as {code(handler.name)}"
        yield f"except{caught}{name}:"
        yield from indented(handler.body)
    last = statement.final if isinstance(statement, ir.Finally) else statement.orelse
    if last:
        yield "finally:" if isinstance(statement, ir.Finally) else "else:"
        yield from indented(last)


def indented(block: ir.Block) -> Iterator[str]:
    return (f"    {line}" for line in [*lines_of(block)] or ["pass"])


def stop_note(stop: Any) -> str:
    return "" if stop is None else f"  # stop: {code(stop)}"


def plain(node: Any) -> Any:
    return gast.gast_to_ast(node)


def code(node: Any) -> str:
    return ast.unparse(plain(node))
