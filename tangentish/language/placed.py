"""Nodes that take the place of another: what is refused in them is shown there."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir

__all__ = ["all_at", "assign_at", "at", "name_at", "target_at"]


def at(new: Any, node: Any) -> Any:
    return gast.copy_location(new, node)


def all_at(new: Any, node: Any) -> Any:
    """A node that was made for this place, with all that is in it."""
    for part in gast.walk(new):
        at(part, node)
    return new


def name_at(name: str, node: Any) -> Any:
    return at(ir.name(name), node)


def target_at(name: str, node: Any) -> Any:
    return at(ir.name(name, gast.Store()), node)


def assign_at(name: str, value: Any, node: Any) -> Any:
    """`name = value`"""
    return at(gast.Assign([target_at(name, node)], value, None), node)
