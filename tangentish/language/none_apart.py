"""A tuple, a dict or an object that may be None instead holds values that may be None: one of them tells.

    hit = None                                  hit = None, None
    for c, r in spheres:                        for c, r in spheres:
        ...                             ->          ...
        if hit is None or t < hit[0]:               if hit[0] is None or t < hit[0]:
            hit = t, r                                  hit = t, r

The name is given None and containers of one form, and is used in ways in which nobody sees the difference.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant
from tangentish.kinds import Kind, Tup
from tangentish.language.lifted import Instance, element_path
from tangentish.language.placed import all_at
from tangentish.language.records import captured_in
from tangentish.language.webs import map_statement

_DISPLAYS = (gast.Tuple, gast.List)
_SIDES = (gast.Is, gast.IsNot, gast.Eq, gast.NotEq)


def can_be_apart(function: ir.Function, name: str, is_one: Callable[[Any], bool]) -> bool:
    """Whether a name is given nothing but None, which it is somewhere, and what `is_one` knows for such a container."""
    if name in function.parameters or name in captured_in(function):
        return False
    nothing = 0
    for line in ir.walk_statements(function.body):
        given = list(_given(line, name))
        if len(given) != list(ir.defined_names(line)).count(name):
            return False
        values = [v for each in given for v in _alternatives(each)]
        nothing += sum(map(ir.is_none, values))
        if not all(ir.is_none(v) or is_one(v) for v in values):
            return False
    return nothing > 0


def with_none_apart(
    function: ir.Function, name: str, form: Tup, told_by: Sequence[int]
) -> ir.Function:
    """The function with the name standing for such a container throughout, in which `told_by` leads to what tells."""

    def statement(line: ir.Statement) -> ir.Statement:
        new = _given_apart(line, name, form, told_by) if isinstance(line, ir.Assign) else line
        return map_statement(new, lambda e: e, block)

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map(statement, lines))

    return replace(function, body=block(function.body))


def has_form_of_none(form: Kind) -> bool:
    """Whether such a container can be made of None: one of a known number of entries, and not of lists."""
    if not isinstance(form, Tup) or form.is_function or form.is_closed:
        return False
    plain = form.type is None or form.is_dict or form.is_object or form.is_counted
    return plain and all(has_form_of_none(i) for i in form.items if isinstance(i, Tup))


def asked_of_element(node: Any, form: Tup, way: Sequence[int], op: Any) -> Any:
    """`hit[0] is None`, for the question whether hit is."""
    path, kind = ir.duplicate(node), form
    for k in way:
        path, inner = element_path(path, k, kind), kind.items[k]
        kind = inner if isinstance(inner, Tup) else kind
    return all_at(gast.Compare(path, [op], [constant(None)]), node)


def used_as_it_is(function: ir.Function, name: str) -> Any | None:
    """A place at which something could see that the name is no None; None where there is none."""
    caught = _where_caught(function.body)
    for line in ir.walk_statements(function.body):
        known = set(_known_uses(line, line in caught))
        for node in ir.nodes_in(line):
            if ir.is_name(node, name) and id(node) not in known:
                return node
    return None


def unpacked_in_try(function: ir.Function, line: ir.Assign) -> bool:
    """Whether a line takes apart what it is given, and what comes of None is caught."""
    return isinstance(line.target, _DISPLAYS) and line in _where_caught(function.body)


def are_names(target: Any) -> bool:
    """Whether a target binds nothing but names."""
    return all(isinstance(t, gast.Name) for t in getattr(target, "elts", (target,)))


def _where_caught(block: ir.Block) -> set[ir.Statement]:
    """The lines at which the error that Python raises of None may be caught."""
    tries = (s for s in ir.walk_statements(block) if isinstance(s, ir.Try))
    caught = (s for s in tries if not all(map(_is_of_others, s.handlers)))
    return {line for s in caught for line in ir.walk_statements(s.body)}


def _is_of_others(handler: ir.Handler) -> bool:
    """Whether a handler is known not to catch what comes of an element, or an attribute, of None."""
    types = ir.parts_of(handler.type)
    names = [getattr(t, "id", getattr(t, "attr", None)) for t in types]
    return all(name == "LinAlgError" or _is_apart_from_none(name) for name in names)


def _is_apart_from_none(name: str | None) -> bool:
    cls = getattr(builtins, name or "", None)
    raised = (TypeError, AttributeError)
    return isinstance(cls, type) and not any(issubclass(error, cls) for error in raised)


def _known_uses(line: ir.Statement, caught: bool) -> Iterator[int]:
    """The mentions of the name that ask for an element, or whether it is None, or hand it on as it is."""
    yield from (id(node) for node in _tests(line))
    match line:
        case ir.Assign(target, value):
            yield from map(id, ir.walk(target))
            unpacked = caught and isinstance(target, _DISPLAYS) and not isinstance(value, _DISPLAYS)
            if are_names(target) and not unpacked:
                yield from map(id, given_in(line))
        case ir.Return(values):
            yield from map(id, values)
    for node in ir.nodes_in(line):
        if not caught or isinstance(node, gast.Compare):
            yield from map(id, _known_parts(node))


def _known_parts(node: Any) -> list[Any]:
    match node:
        case gast.Subscript(value=whole, slice=index) if _is_place(index):
            return [whole]
        case gast.Attribute(value=whole):
            return [whole]
        case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _SIDES):
            return [left, right] if ir.is_none(left) or ir.is_none(right) else []
        case gast.Call(func=func, args=args) if not _sees_all(func):
            return [*args, *(k.value for k in node.keywords)]
        case gast.Starred(value=whole):
            return [whole]
    return []


_SEEN_BY = frozenset(n for cls in (list, dict, set, str) for n in dir(cls))


def _sees_all(func: Any) -> bool:
    """Whether what is called may look at its arguments itself: what is no function of the user's, by its name."""
    match func:
        case gast.Attribute(value=gast.Name(id=module), attr=attr):
            return attr in _SEEN_BY or not ir.is_value(module)
        case gast.Attribute():
            return True
        case gast.Name(id=name):
            return name.startswith("$") or hasattr(builtins, name)
    return False


def _is_place(index: Any) -> bool:
    number = index.operand if _is_negative(index) else index
    return isinstance(number, gast.Constant) and type(number.value) in (int, str)


def given_in(line: ir.Assign) -> list[Any]:
    """What an assignment gives to its targets, one of it for each."""
    return [v for _, value in _pairs(line) for v in _alternatives(value)]


def _given(line: ir.Statement, name: str) -> Iterator[Any]:
    if isinstance(line, ir.Assign):
        yield from (value for target, value in _pairs(line) if ir.is_name(target, name))


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


def _tests(line: ir.Statement) -> Iterator[Any]:
    """What a line only asks whether it is true."""
    if isinstance(line, (ir.If, ir.While)):
        yield from _operands(line.test)
    for node in ir.nodes_in(line):
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


def _is_negative(node: Any) -> bool:
    return isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub)


def _given_apart(line: ir.Assign, name: str, form: Tup, told_by: Sequence[int]) -> ir.Assign:
    """The line with a container of None for each None that it gives the name."""
    nothing = {v for each in _given(line, name) for v in _alternatives(each) if ir.is_none(v)}

    def apart(node: Any) -> Any:
        if node not in nothing:
            return None
        new = all_at(_of_none(form), node)
        new.told_by = tuple(told_by)
        return new

    value = ir.copy_expression(line.value, apart)
    return line if value is line.value else ir.Assign(line.target, value, line.origin)


def _of_none(form: Kind) -> Any:
    """A container of this form in which all is None."""
    if not isinstance(form, Tup):
        return constant(None)
    values = list(map(_of_none, form.items))
    if form.keys is None:
        return (gast.List if form.is_list else gast.Tuple)(values, gast.Load())
    keys = [constant(key) for key in form.keys]
    if form.is_mapping:
        return gast.Dict(keys, values)
    return Instance(keys, values, constant(None), form.type)
