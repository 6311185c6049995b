"""What Python calls without a call: `o[0]`, `o == 1`, `-o`, `len(o)`, `if o`, `for v in o`, of the user's classes.

Objects that carry no derivative are left as they are, and these expressions count as changing nothing: they may be
dropped, or evaluated again. Where a method that they call changes something, they are refused.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.known_functions import OPERATORS, is_of_library
from tangentish.infer.reaching_out import reach_of
from tangentish.kinds import Kind, Opaque, Tup

__all__ = ["CHANGES_BY", "changed_by_loops", "class_of_the_user", "special_calls"]

CHANGES_BY = "this calls {cls}.{name}, which changes something: call a method instead"
_TRUTH = ("__bool__", "__len__")
_RUN_OVER = ("__iter__", "__next__", "__getitem__")
_TAKING_ITEMS = (
    "iter", "next", "list", "tuple", "set", "sum", "sorted", "min", "max", "any", "all", "zip", "enumerate", "map",
    "dict",
)  # fmt: skip
_OF_BUILTINS = {
    "len": ("__len__",), "bool": _TRUTH, "float": ("__float__", "__index__"), "int": ("__int__", "__index__"),
    "abs": ("__abs__",), "round": ("__round__",), "hash": ("__hash__",), "reversed": ("__reversed__", "__len__"),
} | dict.fromkeys(_TAKING_ITEMS, _RUN_OVER)  # fmt: skip
_OPERATORS = {name: f"__{function.__name__.strip('_')}__" for name, function in OPERATORS.items()}
_TURNED = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}


def special_calls(function: ir.Function, facts: Facts) -> Iterator[tuple[Any, type, str]]:
    """The expressions that call a method that changes something: node, class and name."""
    for statement in ir.walk_statements(function.body):
        asked = [*_asked_by(statement)]
        asked += [a for e in ir.expressions_of(statement) for n in ir.walk(e) for a in _asked(n)]
        for node, names in asked:
            cls = class_of_the_user(facts.kind(node))
            if cls is not None:
                fresh = isinstance(node, gast.Call)  # nobody else has it
                yield from ((node, cls, name) for name in names if _changes(cls, name, fresh))


def changed_by_loops(function: ir.Function, facts: Facts) -> Iterator[Any]:
    """The objects over which loops run that change them."""
    for loop in (s for s in ir.walk_statements(function.body) if isinstance(s, ir.For)):
        cls = class_of_the_user(facts.kind(loop.iter))
        fresh = isinstance(loop.iter, gast.Call)
        if cls is not None and any(_changes(cls, name, fresh) for name in _RUN_OVER):
            yield loop.iter


def class_of_the_user(kind: Kind) -> type | None:
    """The class of an object that carries no derivative, if it is one of the user's."""
    if not isinstance(kind, (Opaque, Tup)) or kind.active:
        return None
    return kind.type if isinstance(kind.type, type) and not is_of_library(kind.type) else None


def _changes(cls: type, name: str, fresh: bool = False) -> bool:
    method = getattr(cls, name, None)
    if not isinstance(method, types.FunctionType):
        return False
    reach = reach_of(method)
    return bool(
        (reach.given and not fresh) or reach.sites or reach.anything or reach.has_containers
    )


def _asked_by(statement: ir.Statement) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match statement:
        case ir.If(test=test) | ir.While(test=test):
            yield test, _TRUTH
        case ir.Assign(gast.Tuple() | gast.List(), value):
            yield value, _RUN_OVER


def _asked(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The operands of an expression, and the methods of theirs that it calls."""
    match node:
        case gast.Subscript(value=value):
            yield value, ("__getitem__",)
        case gast.UnaryOp(op=gast.Not(), operand=operand) | gast.IfExp(test=operand):
            yield operand, _TRUTH
        case gast.UnaryOp(op=op, operand=operand):
            yield operand, (_OPERATORS[type(op).__name__],)
        case gast.BinOp(left=left, op=op, right=right):
            name = _OPERATORS[type(op).__name__]
            yield left, (name,)
            yield right, (f"__r{name[2:]}",)
        case gast.BoolOp(values=values):
            yield from ((value, _TRUTH) for value in values)
        case gast.Compare():
            yield from _compared(node)
        case gast.comprehension(iter=iterated, ifs=tests):
            yield iterated, _RUN_OVER
            yield from ((test, _TRUTH) for test in tests)
        case gast.Starred(value=value):
            yield value, _RUN_OVER
        case gast.Call(func=gast.Name(id=name), args=args):
            names = _OF_BUILTINS.get(name.removeprefix("$"), ())
            yield from ((argument, names) for argument in args)


def _compared(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        name = _OPERATORS.get(type(op).__name__)
        if isinstance(op, (gast.In, gast.NotIn)):
            yield right, ("__contains__", *_RUN_OVER)
            yield left, ("__eq__",)
        elif name is not None:
            yield left, (name,)
            yield right, (_TURNED.get(name, name),)
        left = right
