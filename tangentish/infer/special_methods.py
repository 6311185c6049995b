"""What Python calls without a call: `o[0]`, `o == 1`, `-o`, `len(o)`, `if o`, `for v in o`, of the user's classes.

Objects that carry no derivative are left as they are, and these expressions count as changing nothing: they may be
dropped, or evaluated again. Where a method that they call changes something, they are refused.

What is asked as often as Python asks it changes the object there: a loop, an attribute that __getattr__ finds, and what
a function of a library makes of an object: np.asarray(o), math.sqrt(o).
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.known_functions import OPERATORS, is_of_library
from tangentish.infer.reaching_out import reach_of
from tangentish.kinds import Kind, Opaque, Tup

__all__ = [
    "CHANGES_BY",
    "changed_by_asking",
    "changed_by_loops",
    "class_of_the_user",
    "special_calls",
]

CHANGES_BY = "this calls {cls}.{name}, which changes something: call a method instead"
_TRUTH = ("__bool__", "__len__")
_RUN_OVER = ("__iter__", "__next__", "__getitem__")
_FINDING = ("__getattribute__", "__getattr__")
_NOT_ASKED = {
    "__init__", "__new__", "__post_init__", "__call__", "__setattr__", "__setitem__", "__delattr__", "__delitem__",
    "__enter__", "__exit__", *_FINDING,
}  # fmt: skip
"""What no function of a library asks an object that it is given for its value."""
_LOOKING_ONLY = (isinstance, issubclass, callable, id, type)
_TAKING_ITEMS = (
    "iter", "next", "list", "tuple", "set", "sum", "sorted", "min", "max", "any", "all", "zip", "enumerate", "map",
    "dict",
)  # fmt: skip
_AS_TEXT = ("__format__", "__str__", "__repr__")
_DIVIDED = ("__divmod__", "__rdivmod__")
_COUNTED = (
    _AS_TEXT,
    _DIVIDED,
)  # of these `changed_by_asking` knows that they change the object itself
_AS_KEY = ("__hash__", "__eq__")
_AS_INDEX = ("__index__", *_AS_KEY)
_OF_BUILTINS = {
    "len": ("__len__",), "bool": _TRUTH, "float": ("__float__", "__index__"), "int": ("__int__", "__index__"),
    "range": ("__index__",), "abs": ("__abs__",), "round": ("__round__",), "hash": ("__hash__",),
    "reversed": ("__reversed__", "__len__"), "divmod": _DIVIDED,
    "str": _AS_TEXT, "repr": _AS_TEXT, "format": _AS_TEXT,
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
                fresh = isinstance(node, gast.Call) or names in _COUNTED  # nobody else has it
                yield from ((node, cls, name) for name in names if _changes(cls, name, fresh))


def changed_by_loops(function: ir.Function, facts: Facts) -> Iterator[Any]:
    """The objects over which loops run that change them."""
    for loop in (s for s in ir.walk_statements(function.body) if isinstance(s, ir.For)):
        cls = class_of_the_user(facts.kind(loop.iter))
        fresh = isinstance(loop.iter, gast.Call)
        if cls is not None and any(_changes(cls, name, fresh) for name in _RUN_OVER):
            yield loop.iter


def changed_by_asking(function: ir.Function, facts: Facts) -> Iterator[tuple[Any, Any]]:
    """The expressions that ask an object once and change it so, and the object."""
    for statement in ir.walk_statements(function.body):
        for node in (n for e in ir.expressions_of(statement) for n in ir.walk(e)):
            yield from ((node, owner) for owner in _changed_by(node, facts))


def _changed_by(node: Any, facts: Facts) -> Iterator[Any]:
    match node:
        case gast.Attribute(value=owner, attr=attr, ctx=gast.Load()):
            if _finds_and_changes(class_of_the_user(facts.kind(owner)), attr):
                yield owner
        case gast.FormattedValue(value=owner):
            if _changes_any(class_of_the_user(facts.kind(owner))):
                yield owner
        case gast.Call(args=args, keywords=keywords) if _is_of_others(facts.callees.get(node)):
            given = (*args, *(keyword.value for keyword in keywords))
            others = (
                a for a in given if not isinstance(a, gast.Call)
            )  # nobody has what a call made
            yield from (a for a in others if _changes_any(class_of_the_user(facts.kind(a))))


def _is_of_others(callee: Callee | None) -> bool:
    """Whether a function that is called is not the user's, and asks for more than what an object is."""
    function = None if callee is None else callee.function
    user = isinstance(function, (types.FunctionType, type)) and not is_of_library(
        function if isinstance(function, type) else sys.modules.get(function.__module__)
    )
    return callable(function) and not user and function not in _LOOKING_ONLY


def _changes_any(cls: type | None) -> bool:
    """Whether an object may change when it is asked for a value in any way."""
    above = () if cls is None else cls.__mro__[:-1]
    names = {n for c in above for n in vars(c) if n.startswith("__") and n.endswith("__")}
    return cls is not None and any(_changes(cls, name) for name in names - _NOT_ASKED)


def _finds_and_changes(cls: type | None, name: str) -> bool:
    """Whether an attribute is found by a method that changes something."""
    if cls is None:
        return False
    missing = inspect.getattr_static(cls, name, None) is None
    return any(_changes(cls, method) for method in _FINDING[: 2 if missing else 1])


def class_of_the_user(kind: Kind) -> type | None:
    """The class of an object that carries no derivative, if it is one of the user's."""
    if not isinstance(kind, (Opaque, Tup)) or kind.active:
        return None
    return kind.type if isinstance(kind.type, type) and not is_of_library(kind.type) else None


def _changes(cls: type, name: str, fresh: bool = False) -> bool:
    method = inspect.getattr_static(cls, name, None)
    method = method.fget if isinstance(method, property) else method
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
        case gast.UnaryOp() | gast.IfExp() | gast.BinOp() | gast.BoolOp() | gast.Compare():
            yield from _asked_by_operator(node)
        case gast.Subscript(value=value, slice=index):
            yield value, ("__getitem__",)
            yield from ((bound, _AS_INDEX) for bound in _bounds(index))
        case gast.FormattedValue(value=value):
            yield value, _AS_TEXT
        case gast.Dict(keys=keys) | gast.Set(elts=keys):
            yield from ((key, _AS_KEY) for key in keys if key is not None)
        case gast.comprehension(iter=iterated, ifs=tests):
            yield iterated, _RUN_OVER
            yield from ((test, _TRUTH) for test in tests)
        case gast.Starred(value=value):
            yield value, _RUN_OVER
        case gast.Call(func=gast.Name(id=name), args=args):
            yield from _asked_by_call(name, args)


def _asked_by_operator(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match node:
        case gast.UnaryOp(op=gast.Not(), operand=operand) | gast.IfExp(test=operand):
            yield operand, _TRUTH
        case gast.UnaryOp(op=op, operand=operand):
            yield operand, (_OPERATORS[type(op).__name__],)
        case gast.BinOp(left=left, op=op, right=right):
            name = _OPERATORS[type(op).__name__]
            yield left, (name,)
            yield right, (f"__r{name[2:]}",)
            if isinstance(op, gast.Mod):  # "%s" % o
                yield from ((part, _AS_TEXT[1:]) for part in _bounds(right))
        case gast.BoolOp(values=values):
            yield from ((value, _TRUTH) for value in values)
        case gast.Compare():
            yield from _compared(node)


def _bounds(index: Any) -> Iterator[Any]:
    """What stands in square brackets, without colons and commas."""
    match index:
        case gast.Tuple(elts=parts):
            yield from (bound for part in parts for bound in _bounds(part))
        case gast.Slice(lower=lower, upper=upper, step=step):
            yield from (bound for bound in (lower, upper, step) if bound is not None)
        case _:
            yield index


def _asked_by_call(name: str, args: list[Any]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match name, args:
        case "$hasattr", [value, gast.Constant(value=attribute)]:
            yield value, (attribute, *_FINDING)  # a pattern asks more than once
        case _:
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
