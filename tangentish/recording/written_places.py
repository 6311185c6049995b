"""Places that lines write to, and what calls in them write to besides.

y[1:] = grown(y) * 2        # grown(y) may write to all of y
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import buffers_of, sites_of_buffers

__all__ = ["everything", "only_reads_places", "written_by_calls"]


def everything(name: str) -> Any:
    return gast.Subscript(ir.name(name), gast.Constant(Ellipsis, None), gast.Load())


def only_reads_places(value: Any) -> bool:
    """Whether a value is a place of an array, or several of them."""
    parts = value.elts if isinstance(value, gast.Tuple) else [value]
    return bool(parts) and all(isinstance(part, gast.Subscript) for part in parts)


def written_by_calls(statement: ir.Statement, facts: Facts) -> frozenset[Hashable]:
    """The memory that functions of the user's write to which are called in a line."""
    nodes = (node for e in ir.expressions_of(statement) for node in ir.walk(e))
    callees = (facts.callees.get(node) for node in nodes if isinstance(node, gast.AST))
    users = (callee.user for callee in callees if callee is not None and callee.user is not None)
    written = (buffers_of(user.kinds[k]) for user in users for k in user.written)
    return frozenset[Hashable]().union(*map(sites_of_buffers, written))
