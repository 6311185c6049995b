"""Nodes that take the place of another: what is refused in them is shown there."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir


def at(new: Any, node: Any) -> Any:
    """The new node where the other stands: gast.copy_location, which asks for each attribute four times."""
    places = node.__dict__
    if "lineno" in places and new._attributes:
        new.__dict__.update({field: places[field] for field in new._attributes if field in places})
    return new


def all_at(new: Any, node: Any) -> Any:
    """A node that was made for this place, with all that is in it."""
    for part in gast.walk(new):
        at(part, node)
    return new


def rebuilt(node: Any, part: Callable[[Any], Any]) -> Any:
    """The node with its fields replaced; itself where they all stay as they are."""
    old = [getattr(node, field, None) for field in node._fields]
    new = list(map(part, old))
    if all(map(_is_same, old, new)):
        return node
    made = type(node)(*new)
    return at(made, node) if hasattr(node, "lineno") else made


def _is_same(old: Any, new: Any) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(operator.is_, old, new))
    return old is new


def name_at(name: str, node: Any) -> Any:
    return at(ir.name(name), node)


def target_at(name: str, node: Any) -> Any:
    return at(ir.name(name, gast.Store()), node)


def assign_at(name: str, value: Any, node: Any) -> Any:
    """`name = value`"""
    return at(gast.Assign([target_at(name, node)], value, None), node)
