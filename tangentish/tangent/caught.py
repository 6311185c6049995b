"""Where an exception may be caught, a value is computed before its tangent moves.

try:                               try:
    y = risky(x)            ->         y, y_dot = risky(x), x_dot * 2.0
except ValueError:                 except ValueError:
    pass                               pass

Otherwise the handler would meet the old value and the new tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard

import gast

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.kinds import is_number


def binds_last(statement: ir.Statement, facts: Facts) -> TypeGuard[ir.Assign | ir.Update]:
    """Whether all that a line does is to bind, when its value is there: n += v, too, of a number."""
    match statement:
        case ir.Update(gast.Name() as target):
            kind = facts.kind(target)
            return is_number(kind)
    return isinstance(statement, ir.Assign)


def written_over(statement: ir.Statement, facts: Facts) -> Iterable[str]:
    """What a line may have changed when an exception of it is caught."""
    if binds_last(statement, facts):
        return ()
    bound = ir.defined_names(statement) if isinstance(statement, ir.Update) else ()
    return (*bound, *facts.writes.get(statement, ()))


def value_first(lines: Sequence[Any], fresh: Callable[[str], str]) -> list[ir.Statement]:
    """The lines of an assignment or update, its value computed before those that the value does not read."""
    *above, last = lines
    if isinstance(last, ir.Update):
        value = gast.BinOp(last.target, last.op, last.value)
        last = ir.Assign(last.target, value, last.origin)
    read = set(ir.names_in(last.value))
    needed = [k for k, line in enumerate(above) if not read.isdisjoint(ir.defined_names(line))]
    first = needed[-1] + 1 if needed else 0  # temporaries come before tangents
    ready, moved = above[:first], above[first:]
    if isinstance(lines[-1], ir.Update) and not any(_reads(line, last.target) for line in moved):
        return [*ready, lines[-1], *moved]
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


def _reads(line: Any, name: gast.Name) -> bool:
    return name.id in ir.names_in(line.value)
