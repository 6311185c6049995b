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

__all__ = ["value_first"]


def value_first(lines: Sequence[Any], fresh: Callable[[str], str]) -> list[ir.Statement]:
    """The lines of an assignment, its value last, with those after it that the value does not read."""
    *above, last = lines
    read = set(ir.names_in(last.value))
    needed = [k for k, line in enumerate(above) if not read.isdisjoint(ir.defined_names(line))]
    first = needed[-1] + 1 if needed else 0  # temporaries come before tangents
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
