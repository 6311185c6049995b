"""Lists and dicts in which a function only notes something, by its text: they are no data that it computes with.

log.append(float(x))             ->      log is a list of notes, and what stands in it is for the caller
return x * len(log)              ->      it is data
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangentish.errors import NotDifferentiable
from tangentish.infer.known_functions import is_user_code
from tangentish.infer.reaching_out import Seen
from tangentish.language.binding import parameter_names
from tangentish.language.source import Source, read_source

DEEPEST = 4  # functions that call functions
_NOTING = {"append", "extend", "insert", "add", "update"}


def only_notes(function: Any, name: str, depth: int = DEEPEST) -> bool:
    """Whether all that is done with a parameter is to put something in, or to hand it to functions that do so."""
    if depth == 0 or not (isinstance(function, types.FunctionType) and is_user_code(function)):
        return False
    try:
        source = read_source(function)
    except NotDifferentiable:
        return False
    nodes = list(gast.walk(source.tree))
    noted = _all_noted(nodes, source, depth)
    names = (n for n in nodes if isinstance(n, gast.Name) and n.id == name)
    return all(id(n) in noted or isinstance(n.ctx, gast.Param) for n in names)


def only_notes_under(function: types.FunctionType, attribute: str, seen: Seen) -> bool:
    """The same of what objects hold under the name of an attribute, here and in all that may be called from here."""
    pending, found = [function], {function}
    while pending:
        each = pending.pop()
        try:
            source = read_source(each)
        except NotDifferentiable:
            continue
        nodes = list(gast.walk(source.tree))
        noted = _all_noted(nodes, source, DEEPEST)
        held = (n for n in nodes if isinstance(n, gast.Attribute) and n.attr == attribute)
        if any(id(n) not in noted for n in held):
            return False
        new = {f for n in nodes for f in _may_be_called(n, source, seen)} - found
        found |= new
        pending += new
    return True


def _may_be_called(node: Any, source: Source, seen: Seen) -> Iterable[types.FunctionType]:
    """The functions of the user's that a name, or an attribute, may stand for."""
    named: list[Any] = []
    if isinstance(node, gast.Attribute):
        named = seen.methods(source.function, node.attr)
    elif isinstance(node, gast.Name):
        try:
            named = [source.lookup(node.id)]
        except NameError:
            return ()
    return [f for f in named if isinstance(f, types.FunctionType) and is_user_code(f)]


def _all_noted(nodes: Iterable[Any], source: Source, depth: int) -> set[int]:
    return {id(whole) for node in nodes for whole in _noted(node, source, depth)}


def _noted(node: Any, source: Source, depth: int) -> Iterable[Any]:
    """The containers in which a part of a text notes something, or of which it asks whether there is one."""
    match node:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=whole, attr=attr))) if (
            attr in _NOTING
        ):
            return [whole]
        case gast.Subscript(value=whole, ctx=gast.Store()):
            return [whole]
        case gast.Compare(left=whole, ops=[gast.Is() | gast.IsNot()]):
            return [whole]
        case gast.Call(func=gast.Name(id=name)):
            return _handed_on(node, name, source, depth)
    return []


def _handed_on(call: Any, name: str, source: Source, depth: int) -> Iterator[Any]:
    """The arguments in which the function that is called only notes something."""
    try:
        function = source.lookup(name)
    except NameError:
        return
    if not isinstance(function, types.FunctionType):
        return
    parameters = dict(zip(parameter_names(function), call.args, strict=False))
    parameters |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    for parameter, argument in parameters.items():
        held = isinstance(argument, (gast.Name, gast.Attribute))
        if held and only_notes(function, parameter, depth - 1):
            yield argument
