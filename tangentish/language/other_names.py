"""Other names for variables or values, wherever they stand in an expression; of statements: `webs.renamed_in`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentish import ir


def renamed(expression: Any, names: Mapping[str, str]) -> Any:
    """The expression, these names given others."""

    def change(node: Any) -> Any | None:
        if type(node) is gast.Name and node.id in names:
            return gast.copy_location(ir.name(names[node.id], node.ctx), node)
        return None

    return ir.copy_expression(expression, change)
