"""What an expression reads of values: all, or of an array only its shape, which no write changes."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import is_array


def values_read(expression: Any, facts: Facts) -> list[tuple[str, bool]]:
    """The values that an expression reads, each with whether it is asked for its shape only (`len(x)`, `x.shape`)."""
    nodes = ir.walk(expression)
    measured = {x for x in map(_measured, nodes) if x is not None and _is_array(x, facts)}
    return [(n.id, n in measured) for n in nodes if type(n) is gast.Name and ir.is_value(n.id)]


def _measured(node: Any) -> Any | None:
    match node:
        case (
            gast.Call(func=gast.Name(id="len" | "$len"), args=[gast.Name() as x])
            | gast.Attribute(value=gast.Name() as x, attr="shape" | "ndim" | "size")
        ):
            return x
    return None


def _is_array(name: Any, facts: Facts) -> bool:
    kind = facts.kind(name)
    return is_array(kind)
