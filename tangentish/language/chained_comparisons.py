"""Comparisons in a chain whose later calls are made only where the earlier ones hold.

a < b < f(x)    ->    a < b and b < f(x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish.language.placed import at
from tangentish.language.stored_last import may_change_something

__all__ = ["is_compared_in_turn", "one_by_one"]


def is_compared_in_turn(node: Any, find: Callable[[str], object]) -> bool:
    """Whether something may change in an operand that is evaluated only sometimes."""
    match node:
        case gast.Compare(comparators=[_, *later]):
            return any(may_change_something(operand, find) for operand in later)
    return False


def one_by_one(node: Any, find: Callable[[str], object]) -> Any | None:
    """The comparisons, joined by `and`; None where an operand may not be evaluated twice."""
    operands = [node.left, *node.comparators]
    if any(may_change_something(operand, find) for operand in operands[1:-1]):
        return None
    pairs = zip(operands, node.ops, operands[1:], strict=False)
    compared = [at(gast.Compare(left, [op], [right]), node) for left, op, right in pairs]
    return at(gast.BoolOp(gast.And(), compared), node)
