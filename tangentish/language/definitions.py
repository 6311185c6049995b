"""Where functions are defined in a function: by `def`, by `lambda`, also inside of comprehensions."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.language.scopes import COMPREHENSIONS

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def definitions_in(statements: Iterable[Any]) -> Iterator[Any]:
    """The functions defined here, not those inside them."""
    for statement in statements:
        for node in within_scope(statement):
            if isinstance(node, DEFINITIONS):
                yield node
            elif isinstance(node, COMPREHENSIONS):
                yield from _same_on_each_trip(node)


def _same_on_each_trip(comprehension: Any) -> Iterator[Any]:
    """The lambdas in a comprehension that read none of its variables, as if they stood before it."""
    first = set(gast.walk(comprehension.generators[0].iter))
    inside = [node for node in gast.walk(comprehension) if node not in first]
    lambdas = [node for node in inside if isinstance(node, gast.Lambda)]
    bound = (node for node in inside if isinstance(getattr(node, "ctx", None), gast.Store))
    variables = {node.id for node in bound if isinstance(node, gast.Name)}
    within = {sub for node in lambdas for sub in gast.walk(node.body)}
    for node in lambdas:
        own = {name.id for name in gast.walk(node.args) if isinstance(name, gast.Name)}
        read = {name.id for name in gast.walk(node.body) if isinstance(name, gast.Name)} - own
        if node not in within and variables.isdisjoint(read) and not list(defaults_in(node)):
            yield node


def within_scope(node: Any) -> Iterator[Any]:
    """The nodes of one scope: functions, classes and comprehensions are given, but not what is inside them.

    What a comprehension runs over first is not inside.
    """
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _SCOPES):
            parts: list[Any] = [*getattr(node, "decorator_list", ())]
            if not isinstance(node, gast.ClassDef):
                parts += [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            stack += reversed(parts)
        elif isinstance(node, COMPREHENSIONS):
            stack.append(node.generators[0].iter)  # is evaluated around it
        else:
            stack += ir.children(node)[::-1]


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of the functions in a function, and of those in its comprehensions."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield inner
            if inner.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"):
                yield from codes_in(inner)


def defaults_in(definition: Any) -> Iterator[tuple[str, Any]]:
    """Parameters with defaults, in the order in which these are evaluated."""
    arguments = definition.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    first = len(positional) - len(arguments.defaults)
    yield from zip(positional[first:], arguments.defaults, strict=True)
    for parameter, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            yield parameter.id, value
