"""Nested functions that generated code still needs as objects: shown as the user wrote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.codes import codes_within, names_of
from tangentish.language.definitions import defaults_in
from tangentish.language.nested import Closure, bound_names, nested_of
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.source import read_source

Identifier = Callable[[str], str]

SCOPES = (gast.Lambda, *COMPREHENSIONS)


def is_lambda(closure: Closure) -> bool:
    return str(closure.function.__code__.co_name) == "<lambda>"


def definition_of(closure: Closure, name: str, identifier: Identifier) -> Any:
    """`def name(...): ...`, with the names that its variables have in the function that is printed."""
    tree = _renamed_tree(closure, identifier)
    return gast.FunctionDef(name, tree.args, tree.body, [], None, None, [])


def lambda_of(closure: Closure, identifier: Identifier) -> Any:
    tree = _renamed_tree(closure, identifier)
    return gast.Lambda(tree.args, tree.body[0].value)


def result_of(shown: Any, arguments: Sequence[Any]) -> Any:
    """`v > 0` for `(lambda u: u > 0)(v)`; None where parameters are not as plain, or the body has names of its own."""
    parameters = shown.args
    plain = len(parameters.args) == len(arguments) and not any(
        getattr(parameters, field) for field in parameters._fields if field != "args"
    )
    if not plain or not all(isinstance(argument, gast.Name) for argument in arguments):
        return None
    if any(isinstance(part, (*SCOPES, gast.NamedExpr)) for part in gast.walk(shown.body)):
        return None
    names = {p.id: a.id for p, a in zip(parameters.args, arguments, strict=True)}
    return _renamed(shown.body, names)


def _renamed_tree(closure: Closure, identifier: Identifier) -> Any:
    tree = read_source(closure.function).tree
    nested = nested_of(closure.function)
    assert nested is not None
    variables = {ir.base_name(n.id): identifier(n.id) for n in closure.captured}
    variables = {old: new for old, new in variables.items() if old != new}
    body = [_renamed(statement, variables) for statement in tree.body] if variables else tree.body
    values = {n.id.rpartition(".")[0]: n.id for n in closure.captured}
    defaults = {
        parameter: ir.name(identifier(values[default])) if isinstance(default, str) else default
        for parameter, default in nested.defaults.items()
    }
    nodes = {id(value): defaults[parameter] for parameter, value in defaults_in(tree)}
    arguments = tree.args
    new = gast.arguments(
        *(
            [_without_annotation(a) for a in getattr(arguments, field)]
            if field in ("args", "posonlyargs", "kwonlyargs")
            else [None if d is None else nodes[id(d)] for d in getattr(arguments, field)]
            if field in ("kw_defaults", "defaults")
            else _without_annotation(getattr(arguments, field))
            for field in gast.arguments._fields
        )
    )
    return gast.FunctionDef(tree.name, new, body, [], None, None, [])


def _without_annotation(argument: Any) -> Any:
    return None if argument is None else gast.Name(argument.id, gast.Param(), None, None)


def _renamed(node: Any, variables: dict[str, str]) -> Any:
    """A part of a function with the variables of the function around it renamed."""
    if isinstance(node, list):
        return [_renamed(item, variables) for item in node]
    if not isinstance(node, gast.AST):
        return node
    if isinstance(node, gast.Name):
        return gast.Name(variables.get(node.id, node.id), node.ctx, None, None)
    if isinstance(node, (gast.FunctionDef, gast.Lambda)):
        body = node.body if isinstance(node.body, list) else []
        own = set(bound_names(node.args, body))
        variables = {old: new for old, new in variables.items() if old not in own}
    fields = [_renamed(getattr(node, field, None), variables) for field in node._fields]
    return gast.copy_location(type(node)(*fields), node)


def names_inside(closure: Closure) -> set[str]:
    """The names in the code of a function, which no other value may have; not those that it captures."""
    captured = {ir.base_name(n.id) for n in closure.captured}
    return set[str]().union(*map(names_of, codes_within(closure.function.__code__))) - captured
