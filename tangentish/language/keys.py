"""What a function gives for an item, as an expression: `key=` of `sorted`, `min` and `max`, and what `map` is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at, at
from tangentish.language.source import read_source
from tangentish.language.written_out import written_out

_PLAIN = (
    gast.Name, gast.Constant, gast.Attribute, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Call, gast.Tuple,
    gast.IfExp, gast.Compare, gast.Load, gast.operator, gast.unaryop, gast.cmpop,
)  # fmt: skip


def result_for(function: Any, items: Sequence[Any], node: Any) -> Any:
    """What a function gives for an item, or for several: of a lambda that means the same here, its expression."""
    body = _body_of(function, items)
    if body is not None:
        return all_at(body, node)
    return at(gast.Call(written_out(function), [*items], []), node)


def parameter_of(key: Any) -> str | None:
    """The name that a lambda has for the item."""
    if not isinstance(key, Closure):
        return None
    names = [p.id for p in read_source(key.function).tree.args.args]
    return str(names[0]) if len(names) == 1 else None


def reads_fields(key: Any) -> bool:
    """Whether a lambda reads attributes of its item that arrays and numbers have not."""
    name = parameter_of(key)
    if name is None:
        return False
    reads = (n for n in gast.walk(read_source(key.function).tree) if isinstance(n, gast.Attribute))
    return any(not hasattr(np.ndarray, n.attr) and _root(n.value) == name for n in reads)


def _root(node: Any) -> str | None:
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return str(node.id) if isinstance(node, gast.Name) else None


def _body_of(key: Any, items: Sequence[Any]) -> Any | None:
    """The expression of a lambda, with items for its parameters, where it means the same here."""
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
    if len(parameters) != len(items) or not plain or cells & {*ir.names_in(body)}:
        return None
    return written_out(body, {**captured, **dict(zip(parameters, items, strict=True))})
