"""A list that is put into another one and then begun anew is put in as a copy, which nobody else has.

    if abs(v - current[-1]) > h:             if abs(v - current[-1]) > h:
        parts.append(current)         ->         parts.append(list(current))
        current = []                             current = []

What stands in `parts` is never written to by the name `current` then. Nothing else may have that list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.quote import quote
from tangentish.kinds import Seq
from tangentish.language.webs import map_blocks

_METHODS = {
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort",
}  # fmt: skip
_READING = (len, sum, max, min, any, all, list, tuple, sorted)


def put_in_as_copies(function: ir.Function, name: str, facts: Facts) -> ir.Function | None:
    """The function in which the lists of this name are put into others as copies; None where others may have them."""
    kind = facts.web_kinds.get(name)
    if not (isinstance(kind, Seq) and not kind.keyed and not kind.is_tuple):
        return None
    lists = _Lists(name, facts, {id(s) for s in _put_away(function, name)})
    if not lists.put_away or name in function.parameters:
        return None
    if not all(map(lists.keeps, ir.walk_statements(function.body))):
        return None
    body = lists.block(function.body)
    return replace(function, body=body)


def _put_away(function: ir.Function, name: str) -> Iterator[ir.Statement]:
    """The lines that put such a list into another one, behind which it is begun anew, or not read any more."""
    inside = (b for s in ir.walk_statements(function.body) for b in ir.blocks_of(s))
    for block in (function.body, *inside):
        for line, following in itertools.pairwise(block):
            if _puts_in(line, name) and _begins_anew(following, name):
                yield line
    yield from _read_no_more(function.body, name)


def _read_no_more(block: ir.Block, name: str) -> Iterator[ir.Statement]:
    """The lines outside of loops that put it in, behind which nothing mentions it."""
    for position, line in enumerate(block):
        if any(name in ir.mentioned(s) for s in ir.walk_statements(block[position + 1 :])):
            continue
        if _puts_in(line, name):
            yield line
        if isinstance(line, ir.If):
            yield from _read_no_more(line.body, name)
            yield from _read_no_more(line.orelse, name)


def _puts_in(line: ir.Statement, name: str) -> bool:
    """`parts.append(current)`"""
    match line:
        case ir.Do(gast.Expr(value=gast.Call() as call)):
            return _appends(call, name)
    return False


def _appends(call: Any, name: str) -> bool:
    match call:
        case gast.Call(
            func=gast.Attribute(value=owner, attr="append"), args=[gast.Name(id=given)], keywords=[]
        ):
            return bool(given == name and name not in ir.names_in(owner))
    return False


def _begins_anew(line: ir.Statement, name: str) -> bool:
    return isinstance(line, ir.Assign) and any(
        type(target) is gast.Name and target.id == name and isinstance(value, gast.List)
        for target, value in _pairs(line.target, line.value)
    )


def _pairs(target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """What an assignment binds, each with what it is bound to."""
    displays = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
    if displays and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


@dataclass(frozen=True)
class _Lists:
    """The lists that one name stands for, one after another."""

    name: str
    facts: Facts
    put_away: set[int]

    def keeps(self, statement: ir.Statement) -> bool:
        """Whether nothing else gets the list by a statement."""
        if id(statement) in self.put_away:
            return True
        own = set(map(id, self.own(statement)))
        return ir.mentioned(statement).count(self.name) == len(own)

    def own(self, statement: ir.Statement) -> Iterator[Any]:
        """The places in a statement where the list is bound anew, changed or read, and not handed on."""
        match statement:
            case ir.Assign(target, value) if _begins_anew(statement, self.name):
                yield from (t for t, _ in _pairs(target, value) if self.is_list(t))
            case ir.Update(target) if self.is_list(target):
                yield target
            case ir.For(_, iterator) if self.is_list(iterator):
                yield iterator
            case ir.If(test) | ir.While(test):
                yield from self.tested(test)
        for node in ir.nodes_in(statement):
            yield from filter(self.is_list, self.read_by(node))

    def is_list(self, node: Any) -> bool:
        return type(node) is gast.Name and node.id == self.name

    def tested(self, test: Any) -> Iterator[Any]:
        """What is asked only whether it is empty."""
        match test:
            case gast.BoolOp(values=operands):
                for operand in operands:
                    yield from self.tested(operand)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                yield from self.tested(operand)
            case gast.Name() if self.is_list(test):
                yield test

    def read_by(self, node: Any) -> Iterator[Any]:
        """What an expression reads elements of, or has as its own receiver."""
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=attr)) if attr in _METHODS:
                yield owner
            case gast.Call(args=[given]) if self.only_reads(node):
                yield given
                if isinstance(given, (gast.GeneratorExp, gast.ListComp)):
                    yield from (generator.iter for generator in given.generators)
            case gast.Subscript(value=owner):
                yield owner

    def only_reads(self, call: Any) -> bool:
        function = self.facts.function_of(call)
        return any(function is f for f in _READING)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.line, block))

    def line(self, line: ir.Statement) -> ir.Statement:
        if id(line) not in self.put_away or not isinstance(line, ir.Do):
            return map_blocks(line, self.block)
        call = line.node.value
        (given,) = call.args
        copy = gast.copy_location(quote("list({xs})", xs=given), given)
        call = ir.with_fields(call, {"args": [copy]})
        return ir.Do(ir.with_fields(line.node, {"value": call}), line.origin)
