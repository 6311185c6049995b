"""The names that tangents get on one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.origins import NOWHERE


def bound_by(statement: ir.Statement) -> list[Any]:
    """The targets that a loop or a `with` binds before its body runs."""
    match statement:
        case ir.For(target=target):
            return [target]
        case ir.With(items=items):
            return [target for _, target in items if target is not None]
    return []


def leaves_of(targets: Sequence[Any]) -> Iterator[Any]:
    """The names in targets, those of tuples in a tuple too."""
    for target in targets:
        if isinstance(target, (gast.Tuple, gast.List)):
            yield from leaves_of(target.elts)
        else:
            yield target


def set_together(dots: list[Any], parts: list[Any]) -> ir.Statement:
    """One assignment of several tangents."""
    if len(dots) == 1:
        return ir.Assign(dots[0], parts[0], NOWHERE)
    return ir.Assign(gast.Tuple(dots, gast.Store()), gast.Tuple(parts, gast.Load()), NOWHERE)
