"""Lists that single lines lengthen are made anew there, where loops are written out: each item stays told apart.

table = [{}]                          table = [{}]
table[0]["a"] = x                     table[0]["a"] = x
table.append({})              ->      table_1 = [*table, {}]
table[1]["a"] = table[0]["a"]         table_1[1]["a"] = table_1[0]["a"]

Only where nothing else has the list before its last such line, so that nobody sees that it is another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.arrays_run_over import ArraysRunOver
from tangentish.ir.origins import origin_of
from tangentish.language.filled_lists import items_of, put_in
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at
from tangentish.language.taken_for import TakenFor
from tangentish.language.ways import Way
from tangentish.language.webs import map_statement
from tangentish.language.written_out import written_out

_READING = ("len", "enumerate", "zip", "reversed")  # what keeps nothing of a list that it is given


def with_lists_lengthened(function: ir.Function, loops: ArraysRunOver, number: int) -> ir.Function:
    """The function with the first of such lists made anew by every line that lengthens it."""
    may_be_left = (ir.Try, ir.With)  # halfway
    lines = [*ir.walk_statements(function.body)]
    if not loops.apart or any(isinstance(s, may_be_left) for s in lines):
        return function
    captured = {n.id for c in ir.nodes_within(function.body, Closure) for n in c.captured}
    for line in function.body:
        match line:
            case ir.Assign(target=gast.Name(id=xs), value=gast.List()) if xs not in captured:
                body = _made_anew(function.body, xs, number)
                if body is not None:
                    return replace(function, body=body)
    return function


def _made_anew(body: ir.Block, xs: str, number: int) -> ir.Block | None:
    made = [_longer(line, xs) for line in body]
    last = max((k for k, items in enumerate(made) if items is not None), default=None)
    bound = sum(ir.defined_names(s).count(xs) for s in ir.walk_statements(body))
    longer_by_name = sum(
        isinstance(s, ir.Update) and made[k] is not None for k, s in enumerate(body)
    )
    if last is None or bound != 1 + longer_by_name:
        return None
    others = (line for line, items in zip(body[:last], made, strict=False) if items is None)
    if not all(_keeps_nothing(line, xs) for line in others):
        return None
    return tuple(_lines(body, made, xs, number))


def _lines(
    body: ir.Block, made: Sequence[Sequence[Any] | None], xs: str, number: int
) -> Iterator[ir.Statement]:
    now: dict[str, Any] = {}

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map(renamed, lines))

    def renamed(line: ir.Statement) -> ir.Statement:
        return map_statement(line, lambda node: written_out(node, now), block)

    for k, (line, items) in enumerate(zip(body, made, strict=True)):
        if items is None:
            yield renamed(line) if now else line
            continue
        display = gast.List([written_out(item, now) for item in items], gast.Load())
        now[xs] = ir.name(f"{xs}u{number}n{k}")
        place = next(iter(ir.expressions_of(line)))
        target, value = (all_at(node, place) for node in (written_out(now[xs]), display))
        yield ir.Assign(target, value, origin_of(line))


def _longer(line: ir.Statement, xs: str) -> list[Any] | None:
    """The items of the list after a line that lengthens it; None where the line does something else."""
    whole = gast.Starred(ir.name(xs), gast.Load())
    match line:
        case ir.Do(node=gast.Expr(value=gast.Call(func=gast.Attribute(attr="insert")) as call)):
            match call:
                case gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name)),
                    args=[gast.Constant(value=0), item],
                    keywords=[],
                ) if name == xs:
                    return [item, whole]
        case ir.Do(node=node):
            items = put_in(node, Way(xs))
            return None if items is None else [whole, *items]
        case ir.Update(target=gast.Name(id=name), op=gast.Add(), value=value) if name == xs:
            return [whole, *items_of(value)]
    return None


def _keeps_nothing(line: ir.Statement, xs: str) -> bool:
    """Whether all that a line does with a list is to ask for its items and their number, or to set what they hold."""
    if isinstance(line, ir.Assign) and ir.is_name(line.target, xs):
        return True
    lines = [*ir.walk_statements((line,))]
    asked = sum(_is_asked(node, xs) for s in lines for node in ir.nodes_in(s))
    asked += sum(isinstance(s, ir.For) and ir.is_name(s.iter, xs) for s in lines)
    return asked == sum(ir.mentioned(s).count(xs) for s in lines)


def _is_asked(node: Any, xs: str) -> int:
    match node:
        case gast.Subscript(value=owner, slice=index) if not isinstance(index, gast.Slice):
            return ir.is_name(owner, xs)
        case gast.Call(func=gast.Name(id=name), args=args) if name in _READING:
            return sum(ir.is_name(arg, xs) for arg in args)
        case TakenFor(over=over):
            return ir.is_name(over, xs)
    return 0
