"""Tangents of ones, in the structure of what they belong to.

ps, a list of pairs of arrays   ->  [(np.ones_like(p[0]), np.ones_like(p[1])) for p in ps]
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Seq, Tup
from tangentish.text.names import unlike


def ones_alike(kind: Kind | None, x: Any, taken: Collection[str]) -> Any:
    """An expression for them; None stands for what has no tangent, `taken` are names that are in use."""
    match kind:
        case Num(active=False):
            return constant(None)
        case Num() if kind.is_scalar:
            return constant(1.0)
        case Seq(item=Num() as item, keyed=False) if item.active and item.is_scalar:
            return quote("[1.0] * len({x})", x=x)
        case Seq(item=item, keyed=False):
            name = unlike("p", {*taken})
            part = ones_alike(item, ir.name(name), {*taken, name})
            return quote(f"[{{part}} for {name} in {{x}}]", part=part, x=x)
        case Seq(item=item):
            key = unlike("key", {*taken})
            part = ones_alike(item, _part(x, ir.name(key)), {*taken, key})
            return quote(f"{{{key}: {{part}} for {key} in {{x}}}}", part=part, x=x)
        case Tup(type=None) if kind.is_counted:
            return _in_order(kind, x, taken)
        case Tup() if kind.is_counted:  # a named tuple
            return gast.Call(quote("type({x})", x=x), _in_order(kind, x, taken).elts, [])
        case Tup() if kind.is_mapping:
            return _under_keys(kind, x, taken)
    return quote("np.ones_like({x})", x=x)


def _in_order(kind: Tup, x: Any, taken: Collection[str]) -> Any:
    """(np.ones_like(p[0]), 1.0)"""
    keys = [constant(k) for k in range(len(kind.items))]
    parts = [ones_alike(i, _part(x, k), taken) for i, k in zip(kind.items, keys, strict=True)]
    form = gast.List if kind.is_list else gast.Tuple
    return form(parts, gast.Load())


def _under_keys(kind: Tup, x: Any, taken: Collection[str]) -> Any:
    """{"w": np.ones_like(p["w"])}"""
    keys = [constant(key) for key in kind.keys or ()]
    parts = [ones_alike(i, _part(x, k), taken) for i, k in zip(kind.items, keys, strict=True)]
    return gast.Dict(keys, parts)


def _part(x: Any, key: Any) -> Any:
    return gast.Subscript(ir.copy_expression(x, lambda _: None), key, gast.Load())
