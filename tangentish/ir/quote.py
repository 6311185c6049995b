"""Code as text: `quote("{d} += {g} * np.cos({x})", ...)` is how generated code is written.

Names that belong to generated code, not to the user's function, carry a `$`: `$np`, `$unbroadcast`. They are
bound, and given a name that is free in the user's function, when the text is loaded.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.rules.names import is_helper, named

_HOLE = re.compile(r"\{(\w+)\}")


def quote(text: str, **holes: Any) -> Any:
    """The gast expression that the text stands for, its holes filled with expressions."""
    return template(_with_names(text), {f"_hole_{k}": v for k, v in holes.items()})


@functools.cache
def _with_names(text: str) -> str:
    """A text with names for its holes."""
    return _HOLE.sub(r"_hole_\1", text)


def template(text: str, names: dict[str, Any]) -> Any:
    """The gast expression of a text: names given are replaced, all others are helpers (`np` -> `$np`)."""
    parsed, own = _parsed(text)
    filled = _Filling(names, own).of(parsed)
    return ir.copy_expression(filled, _with_swapped) if "swapped" in text else filled


class _Filling:
    """What the names in a template stand for; `own`: those that comprehensions in it bind.

    An object, since a function that calls itself is a cycle, which only the collector of cycles would free.
    """

    __slots__ = ("names", "own")

    def __init__(self, names: Mapping[str, Any], own: frozenset[str]) -> None:
        self.names, self.own = names, own

    def of(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any:
        names = self.names
        if node.__class__ is gast.Name:
            name = node.id
            if name in self.own:
                return None
            return names[name] if name in names else helper(name)
        if node.__class__ not in _CHANGED:
            return None
        match node:
            case gast.Attribute(value=gast.Name(id=name), attr="T"):
                return _turned_back(names.get(name))
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                return _element(names.get(name), names.get(index.id) if _is_name(index) else index)
            case gast.Call(func=gast.Name(id=name), args=args, keywords=[]) if name not in names:
                given = [_folded(self.of(a)) for a in args]
                return gast.Call(helper(name), _without_defaults(_parameters(name), given), [])
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="np"), attr=name) as function,
                args=[_, *_] as args,
                keywords=[],
            ):
                given = _without_defaults(_parameters(f"np.{name}"), [self.of(a) for a in args])
                return gast.Call(self.of(function), given, [])
        return None


_CHANGED = {gast.Attribute, gast.Subscript, gast.Call}


def _with_swapped(node: Any) -> Any:
    """f(*swapped((a, b), 0, c)) -> f(c, b), and what is asked of two numbers: e if 0 != 0 else d -> d"""
    match node:
        case gast.IfExp(
            test=gast.Compare(
                left=gast.Constant(value=a),
                ops=[gast.NotEq()],
                comparators=[gast.Constant(value=b)],
            ),
            body=body,
            orelse=orelse,
        ):
            return ir.copy_expression(body if a != b else orelse, _with_swapped)
        case gast.Call(func=func, args=args, keywords=keywords):
            given = [part for a in args for part in _swapped(a)]
            return None if given == args else gast.Call(func, given, keywords)
    return None


def _swapped(argument: Any) -> list[Any]:
    match argument:
        case gast.Starred(
            value=gast.Call(
                func=gast.Name(id="$swapped"),
                args=[gast.Tuple(elts=xs) | gast.List(elts=xs), gast.Constant(value=int() as k), x],
            )
        ):
            return [*xs[:k], x, *xs[k + 1 :]]
    return [argument]


def _is_name(node: Any) -> bool:
    return isinstance(node, gast.Name)


def _turned_back(value: Any) -> Any | None:
    """(x.T).T -> x"""
    is_turned = isinstance(value, gast.Attribute) and value.attr == "T"
    return value.value if is_turned else None


def _element(display: Any, index: Any) -> Any:
    """(a, b)[0] -> a"""
    match display, index:
        case gast.Tuple(elts=elements) | gast.List(elts=elements), gast.Constant(value=int() as k):
            return elements[k]
    return None


@functools.cache
def _parsed(text: str) -> tuple[Any, frozenset[str]]:
    """The tree of a text, and the names that comprehensions in it bind."""
    tree = gast.ast_to_gast(ast.parse(text, mode="eval")).body
    loops = (node for node in ir.walk(tree) if isinstance(node, gast.comprehension))
    return tree, frozenset(name for loop in loops for name in ir.target_names(loop.target))


def _folded(e: Any) -> Any:
    """35 / 100 -> 0.35, 1 + 1 -> 2"""
    match e:
        case gast.BinOp(
            left=gast.Constant(value=int() as a),
            op=gast.Add(),
            right=gast.Constant(value=int() as b),
        ):
            return gast.Constant(a + b, None)
        case gast.BinOp(
            left=gast.Constant(value=int() | float() as a),
            op=gast.Div(),
            right=gast.Constant(value=int() | float() as b),
        ) if b:
            return gast.Constant(a / b, None)
    return e


def _without_defaults(parameters: Sequence[inspect.Parameter], args: list[Any]) -> list[Any]:
    """The arguments of a function without those at the end that are its defaults."""
    while 0 < len(args) <= len(parameters):
        last, default = args[-1], parameters[len(args) - 1].default
        constant = isinstance(last, gast.Constant) and type(last.value) is type(default)
        if not (constant and last.value == default):
            break
        args = args[:-1]
    return args


@functools.cache
def _parameters(name: str) -> list[inspect.Parameter]:
    """The parameters of a helper, or a function of NumPy; none where these are not known."""
    function: Any = getattr(np, name[3:]) if name.startswith("np.") else named(name.lstrip("$"))
    if not (
        is_helper(function) or isinstance(getattr(function, "__wrapped__", None), FunctionType)
    ):
        return []
    return list(inspect.signature(function).parameters.values())


def helper(name: str) -> Any:
    return ir.name(name if name.startswith("$") else f"${name}")


def constant(value: object) -> Any:
    return gast.Constant(value, None)
