"""What a key of `min`, `max` and `sorted` gives for an element: written out where it is a lambda.

key=lambda p: p.x ** 2    ->    p.x ** 2
key=cost                  ->    cost(p)
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at, at
from tangentish.language.source import read_source
from tangentish.language.written_out import written_out

__all__ = ["of_item", "read_of"]

_PLAIN = (
    gast.Name, gast.Constant, gast.Attribute, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Call, gast.Tuple,
    gast.Load, gast.operator, gast.unaryop,
)  # fmt: skip


def of_item(key: Any, item: Any, node: Any) -> Any:
    """What a key gives for an item."""
    body = _body_of(key, item)
    if body is not None:
        return all_at(body, node)
    return at(gast.Call(written_out(key, {}), [item], []), node)


def _body_of(key: Any, item: Any) -> Any | None:
    """The expression of a lambda of one parameter, with an item for that, where it means the same here."""
    if not isinstance(key, Closure):
        return None
    tree = read_source(key.function).tree
    match tree.body:
        case [gast.Return(value=body)] if all(isinstance(n, _PLAIN) for n in gast.walk(body)):
            pass
        case _:
            return None
    parameters = [p.id for p in tree.args.args]
    plain = not (tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.defaults)
    captured = {ir.base_name(n.id): n for n in key.captured}
    cells = {*key.function.__code__.co_freevars} - captured.keys()
    if len(parameters) != 1 or not plain or cells & {*ir.names_in(body)}:
        return None
    return written_out(body, {**captured, parameters[0]: item})


def read_of(made: Any) -> Any | None:
    """`xs` for `[x for x in xs]`"""
    match made:
        case gast.ListComp(
            elt=gast.Name(id=one),
            generators=[gast.comprehension(target=gast.Name(id=other), iter=xs, ifs=[])],
        ) if one == other:
            return xs
    return None
