"""Where an exception may be caught, a value is computed before its tangent moves.

try:                               try:
    y = risky(x)            ->         y, y_dot = risky(x), x_dot * 2.0
except ValueError:                 except ValueError:
    pass                               pass

Otherwise the handler would meet the old value and the new tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.tangents import tangent_of

__all__ = ["value_first"]


def value_first(
    lines: Sequence[Any], kept: frozenset[str], fresh: Callable[[str], str]
) -> list[ir.Statement]:
    """The lines of an assignment, its value last, with those after it that move what handlers read (`kept`).

    What is above them are temporaries, which the value itself may read.
    """
    *above, last = lines
    first = next((k for k, line in enumerate(above) if _is_seen(line, kept)), len(above))
    ready, moved = above[:first], above[first:]
    match moved:
        case []:
            return list(lines)
        case [ir.Assign(gast.Name() as dot, tangent)] if isinstance(last.target, gast.Name):
            targets = gast.Tuple([last.target, dot], gast.Store())
            both = gast.Tuple([last.value, tangent], gast.Load())
            return [*ready, ir.Assign(targets, both, last.origin)]
    name = ir.name(fresh("t"))
    value = ir.Assign(name, last.value, last.origin)
    return [*ready, value, *moved, ir.Assign(last.target, ir.name(name.id), last.origin)]


def _is_seen(line: ir.Statement, kept: frozenset[str]) -> bool:
    """Whether a line does more than to bind a name that no handler reads."""
    if not (isinstance(line, ir.Assign) and isinstance(line.target, gast.Name)):
        return True
    return line.target.id in map(tangent_of, kept)
