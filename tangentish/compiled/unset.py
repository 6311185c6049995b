"""Variables that may have no value: Python raises where one is read, Numba reads zero.

They get a None that is none of the values, and every such read is checked:

    t = None
    for i in range(n):
        t = x[i]
    assigned(t, "t")
    return t * t
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.recording.unset import checked, set_to_nothing

__all__ = ["sure"]


def sure(block: ir.Block, analysis: Analysis) -> ir.Block:
    """The block with the user's variables set and checked wherever they may have no value."""
    facts = analysis.facts
    expressions = (e for s in ir.walk_statements(block) for e in ir.expressions_of(s))
    nodes = [node for e in expressions for node in ir.walk(e)]
    unsure = {node.id for node in nodes if type(node) is gast.Name and node in facts.unsure}
    unsure -= {node.args[0].id for node in nodes if _is_check(node)}
    if not unsure:
        return block
    nothing = tuple(set_to_nothing(name, facts) for name in sorted(unsure))
    return (*nothing, *checked(block, facts, unsure))


def _is_check(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="$assigned")):
            return True
    return False
