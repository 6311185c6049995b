"""Where statements come from in the user's file."""

from __future__ import annotations

from typing import Any

from tangentish import ir

NOWHERE = ir.Origin(None, "")


def origin_of(statement: ir.Statement) -> ir.Origin:
    """The origin of a statement; NOWHERE for one that was made up."""
    return getattr(statement, "origin", NOWHERE)


def position_of(statement: ir.Statement) -> tuple[int, int]:
    """Where in the file a statement stands."""
    return place_of_node(origin_of(statement).node)


def place_of_node(node: Any) -> tuple[int, int]:
    """Where in the file a part of a statement stands."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
