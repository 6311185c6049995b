"""From a line of generated text to the place in the user's file that it comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from tangentish.text.printer import Comment

BODIES = ("body", "orelse", "handlers", "finalbody")


def places_of(tree: Any, text: str) -> dict[int, Any]:
    """Line of the text -> the node of the user's that it comes from; `tree` is what was printed.

    A line without an origin of its own belongs to the user's line above it.
    """
    (definition,) = ast.parse(text).body
    found: dict[int, Any] = {}
    origin = None
    printed = _statements(definition)
    for node in _statements(tree):
        origin = node if getattr(node, "lineno", None) else origin
        if not isinstance(node, Comment):
            line = next(printed)
            if origin is not None:
                found |= dict.fromkeys(
                    range(line.lineno, (line.end_lineno or line.lineno) + 1), origin
                )
    return found


def _statements(node: Any) -> Iterator[Any]:
    """The statements below, in the order of the text, handlers among them."""
    for field in BODIES:
        for inner in getattr(node, field, ()):
            if isinstance(inner, (ast.stmt, gast.stmt, ast.ExceptHandler, gast.ExceptHandler)):
                yield inner
                yield from _statements(inner)
