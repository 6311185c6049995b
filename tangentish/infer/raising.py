"""Which exceptions may come of a statement: arithmetic of numbers and arrays never raises a LinAlgError.

So what is bound before such lines is not bound too early, where only a LinAlgError is caught.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.known_functions import is_of_numpy
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Seq, Tup
from tangentish.rules import RULES

Classes = tuple[type, ...]

# What may come of any operation of numbers and arrays.
_ANYWHERE: Classes = (
    KeyboardInterrupt, SystemExit, MemoryError, RecursionError, NameError, UnboundLocalError, AttributeError,
)  # fmt: skip
_PLAIN: Classes = (
    ValueError,
    TypeError,
    FloatingPointError,
    OverflowError,
    np.exceptions.AxisError,
)
_DIVIDING: Classes = (*_PLAIN, ZeroDivisionError)
_INDEXING: Classes = (*_PLAIN, IndexError)
_LOOKING_UP: Classes = (IndexError, KeyError, TypeError)

_DIVISIONS = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)
_SHOWING = (
    gast.Name, gast.Constant, gast.Tuple, gast.List, gast.Slice, gast.expr_context, gast.operator, gast.unaryop,
    gast.cmpop, gast.boolop, gast.Expr, gast.keyword,
)  # fmt: skip
_OPERATIONS = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp)
_COUNTING = (abs, bool, divmod, enumerate, float, int, len, max, min, range, round, sum, zip)
_LAWS = ("elementwise", "reduction", "multilinear")


def may_be_caught(handlers: Sequence[ir.Handler], facts: Facts) -> Callable[[ir.Statement], bool]:
    """Whether what may come of a statement is caught by one of these, after which the function goes on."""
    caught: list[type] = []
    for handler in handlers:
        if not facts.ways_out.get(handler, True):
            continue
        classes = _classes(UNKNOWN if handler.type is None else facts.kind(handler.type))
        if classes is None or any(
            issubclass(c, Warning) for c in classes
        ):  # warnings may be made errors
            return ir.may_raise
        caught += classes

    def found(statement: ir.Statement) -> bool:
        return any(
            raised is None or any(issubclass(r, c) for r in raised for c in caught)
            for inner in ir.walk_statements((statement,))
            if ir.may_raise(inner)
            for raised in _raised(inner, facts)
        )

    return found


def may_catch(handlers: Sequence[ir.Handler], cls: type, facts: Facts) -> bool:
    """Whether an exception of a class may be caught by one of these."""
    found = [_classes(UNKNOWN if h.type is None else facts.kind(h.type)) for h in handlers]
    return any(c is None or any(issubclass(cls, one) for one in c) for c in found)


def handler_of_raised(handlers: Sequence[ir.Handler], cls: type, facts: Facts) -> ir.Handler | None:
    """What catches an exception of a class; None where nothing does, or it is not known."""
    for handler in handlers:
        found = (cls,) if handler.type is None else _classes(facts.kind(handler.type))
        if found is None:
            return None
        if any(issubclass(cls, one) for one in found):
            return handler
    return None


def keeps_arguments(cls: type) -> bool:
    """Whether an exception of a class keeps what it is given, and nothing of the user's runs when it is made."""
    made = (getattr(cls, name) for name in ("__init__", "__new__"))
    plain = type(cls) is type and not any(isinstance(f, types.FunctionType) for f in made)
    return plain and issubclass(cls, BaseException)


def _classes(kind: Kind) -> Classes | None:
    """The classes of exceptions that a handler is for; None where that is not known."""
    match kind:
        case Known(value=type() as cls) if issubclass(cls, BaseException):
            return (cls,)
        case Tup(items=items):
            found = [_classes(item) for item in items]
            return None if None in found else tuple(c for f in found if f for c in f)
    return None


def _raised(statement: ir.Statement, facts: Facts) -> Iterator[Classes | None]:
    """What may come of a statement itself; None stands for anything."""
    match statement:
        case ir.With() | ir.Try():
            yield None
        case ir.If(test) | ir.While(test):
            yield _PLAIN if _truth_is_plain(test, facts) else None
        case ir.For(_, iterator):
            counted = isinstance(iterator, gast.Call) and _function_of(iterator, facts) in _COUNTING
            yield _PLAIN if counted or _are_counted([iterator], facts) else None
        case ir.Update(target, op, value):
            plain = _are_numbers((target, value), facts)
            yield (_DIVIDING if isinstance(op, _DIVISIONS) else _PLAIN) if plain else None
        case ir.Assign(gast.Tuple() | gast.List()):
            yield _PLAIN
    yield _ANYWHERE
    stack = list(ir.expressions_of(statement))
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Call):
            yield _raised_by_call(node, facts)
            inner = [node.func.value if isinstance(node.func, gast.Attribute) else node.func]
            stack += [*inner, *node.args, *(k.value for k in node.keywords)]
            continue
        yield _raised_by(node, facts)
        stack += ir.children(node)


def _raised_by(node: Any, facts: Facts) -> Classes | None:
    if isinstance(node, _SHOWING):
        return ()
    if isinstance(node, gast.IfExp):
        return _PLAIN if _truth_is_plain(node.test, facts) else None
    if isinstance(node, _OPERATIONS):
        operands = [n for n in ir.children(node) if isinstance(n, gast.expr)]
        if not _are_numbers(operands, facts):
            return None
        return _DIVIDING if isinstance(getattr(node, "op", None), _DIVISIONS) else _PLAIN
    if isinstance(node, gast.Subscript):
        match facts.kind(node.value):
            case Num():
                return _INDEXING
            case Tup(type=None) | Tup(is_list=True) | Seq():
                return _LOOKING_UP
    if isinstance(node, gast.Attribute) and isinstance(facts.kind(node.value), Num):
        return _PLAIN
    return None


def _function_of(call: Any, facts: Facts) -> Any:
    """What is called; None where that is not known, or is a function of the user's."""
    callee = facts.callees.get(call)
    if callee is not None:
        return None if callee.user is not None else callee.function
    kind = facts.kinds.get(call.func)
    return kind.value if isinstance(kind, Known) else None


def _raised_by_call(node: Any, facts: Facts) -> Classes | None:
    function = _function_of(node, facts)
    try:
        rules = RULES.get(function, ())
    except TypeError:
        return None
    if function in _COUNTING:
        return (
            None
            if not _are_counted(node.args, facts)
            else _DIVIDING
            if function is divmod
            else _PLAIN
        )
    known = is_of_numpy(function) or getattr(function, "__module__", None) == "math"
    plain = known and rules and rules[0].law in _LAWS
    return _INDEXING if plain else None


def _are_numbers(nodes: Sequence[Any], facts: Facts) -> bool:
    """Whether all of these are numbers or arrays, of which it is known what operators do."""
    return all(isinstance(n, gast.Constant) or isinstance(facts.kind(n), Num) for n in nodes)


def _are_counted(nodes: Sequence[Any], facts: Facts) -> bool:
    """Whether all of these are numbers, arrays, lists and tuples: no code of the user's runs over them."""
    kinds = (facts.kind(n) for n in nodes)
    return all(isinstance(k, (Num, Seq)) or (isinstance(k, Tup) and k.type is None) for k in kinds)


def _truth_is_plain(node: Any, facts: Facts) -> bool:
    """Whether the truth of a value is asked of no code of the user's."""
    match facts.kind(node):
        case Known(value=value):
            return value is None or isinstance(value, (bool, str))
    return _are_numbers([node], facts)
