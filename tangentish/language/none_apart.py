"""A tuple that may be None instead is a tuple of values that may be None: one of them is asked.

    hit = None                                  hit = None, None
    for c, r in spheres:                        for c, r in spheres:
        ...                             ->          ...
        if hit is None or t < hit[0]:               if hit[0] is None or t < hit[0]:
            hit = t, r                                  hit = t, r

The name is given displays of the same length and None, and is asked nothing but whether it is None, or true, and for
its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant
from tangentish.language.placed import all_at
from tangentish.language.records import captured_in
from tangentish.language.webs import map_statement

__all__ = ["can_be_apart", "with_none_apart"]

_DISPLAYS = (gast.Tuple, gast.List)


def can_be_apart(function: ir.Function, name: str, count: int) -> bool:
    """Whether all that the function does with such a name can be written for its elements."""
    if name in function.parameters or name in captured_in(function):
        return False
    return all(
        _mentions(line, name) == _bound(line, name, count) + _asked(line, name)
        for line in ir.walk_statements(function.body)
    )


def with_none_apart(function: ir.Function, name: str, count: int, told_by: int) -> ir.Function:
    """The function with the name standing for a tuple throughout; the element `told_by` is None where it was."""

    def statement(line: ir.Statement) -> ir.Statement:
        new = _given_apart(line, name, count) if isinstance(line, ir.Assign) else line
        return map_statement(new, _asking_element(line, name, told_by), block)

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map(statement, lines))

    return ir.Function(function.name, function.arguments, function.parameters, block(function.body))


def _mentions(line: ir.Statement, name: str) -> int:
    return ir.mentioned(line).count(name)


def _bound(line: ir.Statement, name: str, count: int) -> int:
    """How often a line gives the name None or a display."""
    if not isinstance(line, ir.Assign):
        return 0
    return sum(
        all(_is_none(v) or _is_display(v, count) for v in _alternatives(value))
        for target, value in _pairs(line)
        if _is(target, name)
    )


def _pairs(line: ir.Assign) -> Iterator[tuple[Any, Any]]:
    """Targets, and what each of them is given."""
    match line.target, line.value:
        case gast.Tuple(elts=targets), gast.Tuple(elts=values) if len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        case target, value:
            yield target, value


def _alternatives(value: Any) -> list[Any]:
    if isinstance(value, gast.IfExp):
        return [*_alternatives(value.body), *_alternatives(value.orelse)]
    return [value]


def _is_none(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _is_display(node: Any, count: int) -> bool:
    plain = isinstance(node, gast.Tuple) and len(node.elts) == count
    return plain and not any(isinstance(e, gast.Starred) for e in node.elts)


def _is(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _asked(line: ir.Statement, name: str) -> int:
    """How often a line asks whether it is None, asks for an element, or takes it apart."""
    whole = isinstance(line, ir.Assign) and _is(line.value, name)
    taken = whole and isinstance(line.target, _DISPLAYS)  # type: ignore[union-attr]
    nodes = [node for e in ir.expressions_of(line) for node in ir.walk(e)]
    asked = sum(_is_question(node, name) or _is_element(node, name) for node in nodes)
    return taken + asked + sum(_is(node, name) for node in _tests(line))


def _tests(line: ir.Statement) -> Iterator[Any]:
    """What a line only asks whether it is true."""
    if isinstance(line, (ir.If, ir.While)):
        yield from _operands(line.test)
    for expression in ir.expressions_of(line):
        for node in ir.walk(expression):
            if isinstance(node, gast.IfExp):
                yield from _operands(node.test)


def _operands(test: Any) -> Iterator[Any]:
    match test:
        case gast.BoolOp(values=values):
            for value in values:
                yield from _operands(value)
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _operands(operand)
        case _:
            yield test


def _is_question(node: Any, name: str) -> bool:
    match node:
        case gast.Compare(left=left, ops=[gast.Is() | gast.IsNot()], comparators=[right]):
            return _is(left, name) and _is_none(right)
    return False


def _is_element(node: Any, name: str) -> bool:
    match node:
        case gast.Subscript(value=value, slice=index, ctx=gast.Load()) if _is(value, name):
            number = index.operand if _is_negative(index) else index
            return isinstance(number, gast.Constant) and type(number.value) is int
    return False


def _is_negative(node: Any) -> bool:
    return isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub)


def _given_apart(line: ir.Assign, name: str, count: int) -> ir.Assign:
    """The line with as many values for each None that it gives the name."""
    nothing = {
        v
        for target, value in _pairs(line)
        if _is(target, name)
        for v in _alternatives(value)
        if _is_none(v)
    }

    def apart(node: Any) -> Any:
        if node not in nothing:
            return None
        return all_at(gast.Tuple([constant(None) for _ in range(count)], gast.Load()), node)

    value = ir.copy_expression(line.value, apart)
    return line if value is line.value else ir.Assign(line.target, value, line.origin)


def _asking_element(line: ir.Statement, name: str, told_by: int) -> Callable[[Any], Any]:
    """How the expressions of a line ask the element instead."""
    tests = {node for node in _tests(line) if _is(node, name)}

    def asked(node: Any) -> Any:
        if node in tests:
            return _question(node, gast.IsNot(), told_by)
        return _question(node.left, node.ops[0], told_by) if _is_question(node, name) else None

    return lambda whole: ir.copy_expression(whole, asked)


def _question(name: Any, op: Any, told_by: int) -> Any:
    element = gast.Subscript(ir.duplicate(name), constant(told_by), gast.Load())
    return all_at(gast.Compare(element, [op], [constant(None)]), name)
