"""A `try` whose first line raises before it has done anything: what catches that takes its place.

try:
    x = x.values            # of an array
except AttributeError:      ->    x = 2 * x
    x = 2 * x
"""

from __future__ import annotations

import builtins
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.raising import handler_of_raised


def caught_at_once(statement: ir.Try, facts: Facts) -> ir.Block | None:
    """The lines of the handler that is reached at once; None where it is not known which that is."""
    match statement.body:
        case (ir.Assign(value=first), *_) | (ir.Do(gast.Expr(value=first)), *_):
            pass
        case (ir.Return(values=[first, *_]), *_):
            pass
        case _:
            return None
    error = _raised_first(first, facts)
    if error is None:
        return None
    handler = handler_of_raised(statement.handlers, getattr(builtins, error), facts)
    if handler is None or handler.name is not None or _raises_again(handler.body):
        return None
    return handler.body


def _raised_first(node: Any, facts: Facts) -> str | None:
    """What the part of an expression that is evaluated first raises."""
    while True:
        error, _ = facts.raising.get(node, (None, None))
        if error is not None:
            return error if error == "AttributeError" else None
        match node:
            case gast.Call(func=gast.Attribute(value=first)):
                node = first
            case gast.Attribute(value=first) | gast.Subscript(value=first) | gast.BinOp(left=first):
                node = first
            case _:
                return None


def _raises_again(body: ir.Block) -> bool:
    """Whether there is a `raise` without an exception, which only stands in a handler."""
    lines = (s.node for s in ir.walk_statements(body) if isinstance(s, ir.Do))
    return any(isinstance(line, gast.Raise) and line.exc is None for line in lines)
