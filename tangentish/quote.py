"""Code as text: `quote("{d} += {g} * np.cos({x})", ...)` is how generated code is written.

Names that belong to generated code, not to the user's function, carry a `$`: `$np`, `$unbroadcast`. They are
bound, and given a name that is free in the user's function, when the text is loaded.
"""

from __future__ import annotations

import ast
import functools
import re
from typing import Any

import gast

from tangentish import ir

__all__ = ["constant", "helper", "quote", "template"]

_HOLE = re.compile(r"\{(\w+)\}")


def quote(text: str, **holes: Any) -> Any:
    """The gast expression that the text stands for, its holes filled with expressions."""
    return template(_HOLE.sub(r"_hole_\1", text), {f"_hole_{k}": v for k, v in holes.items()})


def template(text: str, names: dict[str, Any]) -> Any:
    """The gast expression of a text: names given are replaced, all others are helpers (`np` -> `$np`)."""

    def change(node: Any) -> Any:
        if type(node) is not gast.Name:
            return None
        return names[node.id] if node.id in names else helper(node.id)

    return ir.copy_expression(_parsed(text), change)


@functools.cache
def _parsed(text: str) -> Any:
    return gast.ast_to_gast(ast.parse(text, mode="eval")).body


def helper(name: str) -> Any:
    return ir.name(name if name.startswith("$") else f"${name}")


def constant(value: object) -> Any:
    return gast.Constant(value, None)
