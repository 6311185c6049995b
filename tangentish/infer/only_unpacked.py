"""Dicts whose entries a function only hands on, `f(x, **options)`: nobody else gets to know them, or changes them."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.language.source import Source, read_source

DEEPEST = 8  # functions that hand it on


def is_only_unpacked(function: types.FunctionType, name: str, depth: int = DEEPEST) -> bool:
    """Whether a function, and those to which it hands a parameter on, only ask for its entries."""
    if depth == 0:
        return False
    try:
        source = read_source(function)
    except NotDifferentiable:
        return False
    known = {
        id(part) for node in gast.walk(source.tree) for part in _asked(node, name, source, depth)
    }
    return all(id(node) in known for node in gast.walk(source.tree) if _reads(node, name))


def _asked(node: Any, name: str, source: Source, depth: int) -> list[Any]:
    """What a node asks for its entries, or whether there are any."""
    match node:
        case gast.Call():
            unpacked = [k.value for k in node.keywords if k.arg is None]
            return [*unpacked, *_handed_on(node, name, source, depth)]
        case gast.Dict(keys=keys, values=values):
            return [v for k, v in zip(keys, values, strict=True) if k is None]
        case gast.If(test=test) | gast.IfExp(test=test) | gast.UnaryOp(op=gast.Not(), operand=test):
            return [test]
        case gast.Compare(left=left, ops=[gast.Is() | gast.IsNot()]):
            return [left]
    return []


def _handed_on(call: Any, name: str, source: Source, depth: int) -> Iterator[Any]:
    """The arguments of a call of which the function that is called only asks the same."""
    function = _function_outside(call.func, source)
    if function is None:
        return
    code = function.__code__
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    starred = ir.has_star(call.args)
    plain = () if starred else zip(named[: code.co_argcount], call.args, strict=False)
    for there, argument in (*plain, *((k.arg, k.value) for k in call.keywords if k.arg in named)):
        if _reads(argument, name) and is_only_unpacked(function, there, depth - 1):
            yield argument


def _function_outside(func: Any, source: Source) -> types.FunctionType | None:
    """The function that is called by a name which stands for nothing inside."""
    if not isinstance(func, gast.Name) or any(
        isinstance(node, gast.Name) and node.id == func.id and not isinstance(node.ctx, gast.Load)
        for node in gast.walk(source.tree)
    ):
        return None
    try:
        found = source.lookup(func.id)
    except NameError:
        return None
    return found if isinstance(found, types.FunctionType) else None


def _reads(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load)
