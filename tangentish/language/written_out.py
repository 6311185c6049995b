"""Expressions written once more: facts belong to nodes, so that what means another thing has nodes of its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import gast

from tangentish.language.nested import Closure


def written_out(node: Any, instead: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """A copy of an expression that shares no node that has parts, or a name, with it."""
    if isinstance(node, gast.Name):
        new = instead.get(node.id)
        if new is None or isinstance(new, gast.Name):
            name = node.id if new is None else new.id
            return gast.copy_location(gast.Name(name, node.ctx, None, None), node)
        return gast.copy_location(written_out(new), node)
    if isinstance(node, Closure):
        captured = [written_out(name, instead) for name in node.captured]
        return gast.copy_location(Closure(node.function, captured), node)
    fields = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            value = [written_out(v, instead) if isinstance(v, gast.AST) else v for v in value]
        elif isinstance(value, gast.AST) and value._fields:
            value = written_out(value, instead)
        fields.append(value)
    return gast.copy_location(type(node)(*fields), node)
